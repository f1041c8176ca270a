// SPDX-License-Identifier: MIT
#include "daybook/service/check.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace daybook::service {

std::string CheckReport::path(const Finding& finding) const {
  const std::size_t files_listed = listing_.entries().size();
  return finding.place < files_listed ? listing_.path(finding.place)
                                      : other_paths_[finding.place - files_listed];
}

void CheckReport::add(scan::VaultListing::Index file, lineage::Diagnostic diagnostic) {
  findings_.push_back({file, std::move(diagnostic)});
}

void CheckReport::add(std::string path, lineage::Diagnostic diagnostic) {
  const std::size_t place = listing_.entries().size() + other_paths_.size();
  other_paths_.push_back(std::move(path));
  findings_.push_back({static_cast<std::uint32_t>(place), std::move(diagnostic)});
}

void CheckReport::append(std::vector<Finding>&& findings) {
  findings_.insert(findings_.end(),
                   std::make_move_iterator(findings.begin()),
                   std::make_move_iterator(findings.end()));
}

bool CheckReport::less(const Finding& left, const Finding& right) const {
  if (left.place != right.place) {
    const std::size_t files_listed = listing_.entries().size();
    return left.place < files_listed && right.place < files_listed
               ? listing_.path_less(left.place, right.place)
               : path(left) < path(right);
  }
  return std::tie(left.diagnostic.line, left.diagnostic.code, left.diagnostic.message) <
         std::tie(right.diagnostic.line, right.diagnostic.code, right.diagnostic.message);
}

void CheckReport::sort() {
  std::sort(findings_.begin(), findings_.end(), [this](const Finding& left, const Finding& right) {
    return less(left, right);
  });
}

}  // namespace daybook::service

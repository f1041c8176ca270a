// SPDX-License-Identifier: MIT
#include "service/unit_worker.hpp"

#include <map>
#include <string>

namespace daybook::service {

void sum_up_excess(std::vector<lineage::Diagnostic>& diagnostics) {
  constexpr std::size_t kSlack = 20;  // a few others beside a hundred links are told as they are
  if (diagnostics.size() <= kMostFindings + kSlack) {
    return;
  }
  std::map<lineage::Code, std::size_t> beyond;
  for (std::size_t i = kMostFindings; i < diagnostics.size(); ++i) {
    ++beyond[diagnostics[i].code];
  }
  diagnostics.resize(kMostFindings, {lineage::Code::unreadable, 0, {}});
  for (const auto& [code, count] : beyond) {
    diagnostics.push_back({code, 0, std::to_string(count) + " further findings of this kind"});
  }
}

}  // namespace daybook::service

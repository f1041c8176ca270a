// SPDX-License-Identifier: MIT
#include "projection/short_names.hpp"

#include "projection/plain_text.hpp"

#include <algorithm>

namespace daybook::projection {
namespace {

constexpr std::size_t kMostNameCharacters = 32;
constexpr std::size_t kMostNames = 3;

std::string short_name(std::string_view project) {
  while (!project.empty() && (project.back() == '/' || project.back() == '\\')) {
    project.remove_suffix(1);
  }
  const std::size_t slash = project.find_last_of("/\\");
  std::string name = plain_text(
      slash == std::string_view::npos ? project : project.substr(slash + 1), kMostNameCharacters);
  return name.empty() ? "no project" : name;
}

void merge_same_names(std::vector<Share>& shares) {
  std::sort(shares.begin(), shares.end(), [](const Share& one, const Share& other) {
    return one.name < other.name;
  });
  std::size_t kept = 0;
  for (const Share& share : shares) {
    if (kept > 0 && shares[kept - 1].name == share.name) {
      shares[kept - 1].sessions += share.sessions;
    } else {
      shares[kept++] = share;
    }
  }
  shares.resize(kept);
}

}  // namespace

std::size_t ShortNames::place(std::string_view project) {
  // First as it is written: there are many sessions and few projects.
  const auto [known, is_new] = by_project_.try_emplace(project);
  if (is_new) {
    std::string name = short_name(project);
    const auto [place, is_new_name] = by_name_.try_emplace(name, names_.size());
    if (is_new_name) {
      names_.push_back(std::move(name));
    }
    known->second = place->second;
  }
  return known->second;
}

std::string ShortNames::name_most(std::vector<Share> shares) const {
  merge_same_names(shares);
  const std::size_t named = std::min(shares.size(), kMostNames);
  std::partial_sort(shares.begin(),
                    shares.begin() + static_cast<std::ptrdiff_t>(named),
                    shares.end(),
                    [this](const Share& one, const Share& other) {
                      return one.sessions != other.sessions ? one.sessions > other.sessions
                                                            : names_[one.name] < names_[other.name];
                    });
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    text.append(i == 0 ? "" : ", ").append(names_[shares[i].name]).append(" ");
    text.append(std::to_string(shares[i].sessions));
  }
  return text.append(named < shares.size() ? ", …" : "");
}

}  // namespace daybook::projection

// SPDX-License-Identifier: MIT
#include "daybook/lineage/noise.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace daybook::lineage {
namespace {

/// `//a/./b/` -> `/a/b`; `..` is kept: where it leads is not known here.
std::string tidy_path(std::string_view path) {
  std::string tidy;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") {
      tidy.append(1, '/').append(part);
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return tidy;
}

}  // namespace

bool is_temporary_project(std::string_view project) {
  static constexpr std::array<std::string_view, 5> kFolders{
      "/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/dev/shm"};
  if (!project.starts_with('/')) {
    return false;
  }
  const std::string path = tidy_path(project);
  return std::any_of(kFolders.begin(), kFolders.end(), [&path](std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
  });
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += base::decode_utf8(text, t).size;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      // Only the last star has to be tried again: what stood before it has matched already.
      p = star + 1;
      star_text += base::decode_utf8(text, star_text).size;
      t = star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool NoiseRules::is_noise(std::string_view project) const {
  return is_temporary_project(project) ||
         std::any_of(patterns_.begin(), patterns_.end(), [project](const std::string& pattern) {
           return matches_glob(pattern, project);
         });
}

}  // namespace daybook::lineage

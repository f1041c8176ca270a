// SPDX-License-Identifier: MIT
//
// Which sessions are temporary or tests, and so are kept out of MEMORY.md: those whose project lies
// in a temp folder of a fixed list, or matches a `noise` pattern of the configuration. TMPDIR is
// not consulted: the same vault must give the same MEMORY.md on every machine. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daybook::lineage {

/// In or under /tmp, /var/tmp, /private/tmp, /private/var/folders or /dev/shm.
bool is_temporary_project(std::string_view project);

/// `*` any characters, `?` one; the whole text must match. Linear in text times pattern.
bool matches_glob(std::string_view pattern, std::string_view text);

class NoiseRules {
 public:
  explicit NoiseRules(std::vector<std::string> patterns = {}) : patterns_(std::move(patterns)) {}
  bool is_noise(std::string_view project) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace daybook::lineage

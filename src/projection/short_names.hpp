// SPDX-License-Identifier: MIT
//
// What the line of a clipped day calls the projects of its sessions, and which of them it names.
// Borrows the projects' texts; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace daybook::projection {

/// How often a name is among the sessions of a day.
struct Share {
  std::size_t name = 0;  ///< a place in ShortNames
  std::uint64_t sessions = 0;
};

/// The last part of each project's path. Worked out once: most days have the same few projects.
class ShortNames {
 public:
  /// The same for all projects with the same name.
  std::size_t place(std::string_view project);

  /// "tidewater 4, harbour 1, …": those with most sessions, equals by name. A name may be in
  /// `shares` more than once.
  std::string name_most(std::vector<Share> shares) const;

 private:
  std::unordered_map<std::string_view, std::size_t> by_project_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<std::string> names_;
};

}  // namespace daybook::projection

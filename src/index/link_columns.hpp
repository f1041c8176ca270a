// SPDX-License-Identifier: MIT
//
// How a link is kept. Its number says whose it is: file * 8192 + place, so that the links of a file
// lie side by side and come in order. A path that is written in a note is kept as what it shares
// with the note's own path and the rest: most name a file of the same session, whose path begins
// alike. Only the ASCII beginning counts as shared, because SQL counts characters where C++ counts
// bytes. Pure.
#pragma once

#include "daybook/base/keyed_hash.hpp"
#include "daybook/index/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace daybook::index {

/// The links of a file have numbers above this and below that of the next file.
inline constexpr std::int64_t first_link(std::int64_t file) {
  return file * static_cast<std::int64_t>(kMostLinksOfFile + 1);
}

struct SharedPath {
  std::size_t shared = 0;
  std::string_view rest;
};

inline SharedPath shared_path(std::string_view path, std::string_view note) {
  const std::size_t most = std::min(path.size(), note.size());
  std::size_t shared = 0;
  while (shared < most && path[shared] == note[shared] &&
         static_cast<unsigned char>(path[shared]) < 0x80) {
    ++shared;
  }
  return {shared, path.substr(shared)};
}

/// By which links to a path are found; the whole path is compared then. Stored: never changes.
inline std::int64_t target_mark(std::string_view target) {
  constexpr std::uint64_t kKey = 0x6C69'6E6B'0000'0001;
  return static_cast<std::int64_t>(base::keyed_hash(target, kKey) >> 33U);
}

}  // namespace daybook::index

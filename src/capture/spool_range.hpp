// SPDX-License-Identifier: MIT
//
// A part of a file that is read in pieces. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/result.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::capture {

/// Of a piece that begins at `at`, only what lies in [begin, end).
inline std::string_view clip(std::string_view piece,
                             std::uint64_t at,
                             std::uint64_t begin,
                             std::uint64_t end) {
  const std::uint64_t first = std::max(begin, at);
  const std::uint64_t last = std::min(end, at + piece.size());
  return first < last ? piece.substr(first - at, last - first) : std::string_view();
}

inline Result<std::string> read_range(base::Disk& disk,
                                      const std::string& folder,
                                      const std::string& name,
                                      std::uint64_t begin,
                                      std::uint64_t end) {
  std::string text;
  std::uint64_t at = 0;
  TRY(base::stream_file(disk, folder, name, [&](std::string_view piece) -> Result<void> {
    text.append(clip(piece, at, begin, end));
    at += piece.size();
    return {};
  }));
  return text;
}

}  // namespace daybook::capture

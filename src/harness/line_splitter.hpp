// SPDX-License-Identifier: MIT
//
// Pieces of a file -> its lines. A line within one piece is a view into it; one that was cut is put
// together in a buffer of at most kMostLineBytes, and what is longer is only counted. `Receiver`
// has line(text) and huge_line(bytes). One splitter belongs to one file.
#pragma once

#include "daybook/harness/session_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace daybook::harness {

class LineSplitter {
 public:
  template <typename Receiver>
  void feed(std::string_view piece, Receiver& receiver) {
    while (!piece.empty()) {
      const void* found = std::memchr(piece.data(), '\n', piece.size());
      if (found == nullptr) {
        carry(piece);
        return;
      }
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
      if (carried_ == 0 && end <= kMostLineBytes) {
        receiver.line(piece.substr(0, end));
      } else {
        carry(piece.substr(0, end));
        finish(receiver);
      }
      piece.remove_prefix(end + 1);
    }
  }

  /// Hands over what has no end yet.
  template <typename Receiver>
  void finish(Receiver& receiver) {
    if (carried_ > kMostLineBytes) {
      receiver.huge_line(carried_);
    } else if (carried_ > 0) {
      receiver.line(buffer_);
    }
    carried_ = 0;
    if (buffer_.capacity() > kKeptBytes) {
      std::string().swap(buffer_);
    }
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kKeptBytes = std::size_t{1024} * 1024;

  void carry(std::string_view part) {
    carried_ += part.size();
    if (carried_ > kMostLineBytes) {
      std::string().swap(buffer_);
    } else {
      buffer_ += part;
    }
  }

  std::string buffer_;
  std::uint64_t carried_ = 0;
};

}  // namespace daybook::harness

// SPDX-License-Identifier: MIT
//
// Lines -> text without blank lines at its end and with exactly one newline there, unless it is
// empty. Newlines wait until something follows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::redact {

class LineWriter {
 public:
  void write_to(std::string& out) { out_ = &out; }

  /// Part of a line.
  void part(std::string_view text) {
    if (!text.empty()) {
      out_->append(newlines_, '\n');
      newlines_ = 0;
      out_->append(text);
      wrote_ = true;
    }
  }

  void line(std::string_view text) {
    part(text);
    ++newlines_;
  }

  /// Whole lines, each with its newline.
  void lines(std::string_view text) {
    std::size_t size = text.size();
    while (size > 0 && text[size - 1] == '\n') {
      --size;
    }
    part(text.substr(0, size));
    newlines_ += text.size() - size;
  }

  void finish() {
    if (wrote_) {
      out_->push_back('\n');
    }
    newlines_ = 0;
  }

 private:
  std::string* out_ = nullptr;
  std::uint64_t newlines_ = 0;
  bool wrote_ = false;
};

}  // namespace daybook::redact

// SPDX-License-Identifier: MIT
//
// Text of notes on a screen: its size, lines cut to its width, long texts through the pager. All of
// it is made harmless on the way. One thread.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::cli {

struct Screen {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// Nothing when the stream is no terminal.
std::optional<Screen> screen_of(std::FILE* stream);

/// How many columns a printable text takes; letters of Han, kana and the like take two.
std::size_t columns_of(std::string_view text);

/// Cut between characters, with an ellipsis, where it is wider.
std::string cut_to_columns(std::string_view text, std::size_t columns);

/// A text of several lines, each made printable; blanks in place of tabs.
std::string printable_text(std::string_view text);

/// To stdout; through $PAGER when that is set, stdout is a terminal and the text is longer than it.
void show_text(const std::string& text);

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
//
// Unicode normal forms, through utf8proc: names are compared as people see them, whichever way a
// file system or an input method has spelt their accents. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace daybook::base {

/// Normal form C. Text that is not UTF-8 comes back unchanged.
std::string to_nfc(std::string_view text);

/// Normal form C with case folded away, for comparing names as Obsidian does.
std::string fold_case(std::string_view text);

/// Normal form KC: letters of another width or form become the plain ones that they stand for.
/// Text that is not UTF-8 comes back unchanged.
std::string to_nfkc(std::string_view text);

/// Shows nothing by itself: soft hyphens, zero-width and bidirectional characters, selectors, tags.
bool is_invisible(char32_t code_point);

/// Whether anything would be seen of this text.
bool shows_anything(std::string_view text);

/// Without accents and other marks on letters: `cafe` for `café`. Normal form C.
std::string without_accents(std::string_view text);

/// Letters of scripts that put no blanks between words (Han, kana, Thai, Lao, Khmer, Burmese).
bool is_unspaced_script(char32_t code_point);

/// Letter or digit of any script.
bool is_word_character(char32_t code_point);

/// Blanks of any script and width, tabs and line ends.
bool is_blank(char32_t code_point);

}  // namespace daybook::base

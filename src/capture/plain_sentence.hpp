// SPDX-License-Identifier: MIT
//
// Questions to one line of text from outside: is it one sentence, is it free of markup and of
// characters that nobody sees, is it addressed to somebody? Linear time. Pure.
#pragma once

#include <string>
#include <string_view>

namespace daybook::capture {

std::string_view trimmed(std::string_view text);

/// Without `- `, `* `, `+ `, `• `, `1. ` or `1) ` before it.
std::string_view without_list_mark(std::string_view text);

/// Without one pair of quotes around all of it.
std::string_view without_quotes(std::string_view text);

enum class Lines { one, many };

/// Control characters (in many lines all but line feed, carriage return and tab), characters that
/// turn the order of others around, that take no room, and U+FFFD.
bool has_hidden_character(std::string_view text, Lines lines);

/// Line feed, carriage return and what Unicode has besides.
bool has_line_end(std::string_view text);

/// `<b>`, `</b>`, `<!--`, `<?xml`: not `a < b`, `<-`, and not what the sanitizer writes.
bool has_html(std::string_view text);

/// Headings, quotes, links of any kind, addresses, code fences, tables, emphasis, HTML and its
/// entities, and backticks without a partner. The sanitizer's `<redacted…>` is none.
bool has_markup(std::string_view text);

/// Whether a sentence ends before the end of the text. Usual abbreviations do not end one.
bool has_several_sentences(std::string_view text);

/// Words in lower case, with one blank between two; only ASCII letters and digits make words.
/// Used to compare phrases.
std::string plain_words(std::string_view text);

/// `you`, `your`, talk of instructions, or an apology of a model.
bool addresses_somebody(std::string_view text);

/// Whether six words in a row are taken from `instructions`.
bool echoes(std::string_view text, std::string_view instructions);

}  // namespace daybook::capture

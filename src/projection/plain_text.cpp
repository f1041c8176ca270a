// SPDX-License-Identifier: MIT
#include "projection/plain_text.hpp"

#include "daybook/base/utf8.hpp"
#include "daybook/lineage/link_target.hpp"

#include <array>
#include <optional>

namespace daybook::projection {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::string_view kEllipsis = "…";

/// Blanks of all widths, and controls: C0, DEL, C1, line and paragraph separators.
bool is_space(char32_t c) {
  return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Bidirectional controls, zero-width characters, byte-order marks, tags: what hides or turns.
bool is_invisible(char32_t c) {
  return c == 0xAD || c == 0x061C || c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

/// The first `most` characters, blanks and controls evened out to one blank.
std::string one_line(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t characters = 0;
  bool blank_pending = false;
  for (std::size_t at = 0; at < text.size() && characters < most;) {
    const auto [c, size] = base::decode_utf8(text, at);
    const std::string_view bytes = c == 0xFFFD ? kReplacement : text.substr(at, size);
    at += size;
    if (is_space(c)) {
      blank_pending = !out.empty();
    } else if (!is_invisible(c)) {
      if (blank_pending) {
        out.push_back(' ');
        ++characters;
        blank_pending = false;
      }
      out.append(bytes);
      ++characters;
    }
  }
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// `#12` is an issue and `C#` a language; any other `#` could begin a tag.
bool is_harmless_hash(std::string_view text, std::size_t at) {
  if (at > 0 && (is_digit(text[at - 1]) || is_letter(text[at - 1]))) {
    return true;
  }
  std::size_t end = at + 1;
  while (end < text.size() && is_digit(text[end])) {
    ++end;
  }
  // Only what ends a number for certain and keeps its own form: `#1＄` would be a tag.
  const std::string_view rest = text.substr(end);
  const bool ends = rest.empty() || rest.starts_with(kEllipsis) ||
                    std::string_view(" .,;!?)}'\"`").find(rest[0]) != std::string_view::npos ||
                    (rest[0] == ':' && !rest.starts_with("://"));
  return end > at + 1 && ends;
}

/// The look-alike of the character at `at`, if it needs one.
std::optional<std::string_view> look_alike(std::string_view text, std::size_t at) {
  const bool doubled = at > 0 && text[at - 1] == text[at];
  switch (text[at]) {
    case '|':
      return "¦";
    case '[':
      return "［";
    case ']':
      return "］";
    case '`':
      return "'";
    case '<':
      return "‹";
    case '$':
      return "＄";
    case '^':
      return "ˆ";
    case '*':
      return "∗";
    case '%':  // a pair begins a comment, marks, strikes out
      return doubled ? std::optional<std::string_view>("％") : std::nullopt;
    case '=':
      return doubled ? std::optional<std::string_view>("＝") : std::nullopt;
    case '~':
      return doubled ? std::optional<std::string_view>("～") : std::nullopt;
    case ':':  // a bare address becomes a link
      return text.substr(at).starts_with("://") ? std::optional<std::string_view>("∶")
                                                : std::nullopt;
    case '#':
      return is_harmless_hash(text, at) ? std::nullopt : std::optional<std::string_view>("＃");
    default:
      return std::nullopt;
  }
}

/// Letters, digits and signs that stand for themselves wherever they are, with single blanks
/// between: most of what notes say.
bool is_plain_already(std::string_view text) {
  static constexpr auto kHarmless = [] {
    std::array<bool, 256> harmless{};
    for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789-_.,;/()!?+&'\"{}\\@")) {
      harmless[static_cast<unsigned char>(c)] = true;
    }
    return harmless;
  }();
  char before = ' ';
  for (const char c : text) {
    if (!kHarmless[static_cast<unsigned char>(c)] && (c != ' ' || before == ' ')) {
      return false;
    }
    before = c;
  }
  return before != ' ';
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t most_characters) {
  if (text.size() <= most_characters && is_plain_already(text)) {
    return std::string(text);
  }
  // One character more than may stay, so that it is known whether anything is left out.
  const std::string line = one_line(text, most_characters + 1);
  std::string out;
  out.reserve(line.size());
  std::size_t characters = 0;
  std::size_t end_before_ellipsis = 0;
  for (std::size_t at = 0; at < line.size(); ++characters) {
    if (characters + 1 == most_characters) {
      end_before_ellipsis = out.size();
    }
    const std::size_t size = base::decode_utf8(line, at).size;
    out.append(look_alike(line, at).value_or(std::string_view(line).substr(at, size)));
    at += size;
  }
  if (characters > most_characters) {
    out.resize(end_before_ellipsis);
    out.append(kEllipsis);
  }
  return out;
}

std::string visible_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, size] = base::decode_utf8(text, at);
    const std::string_view bytes = c == 0xFFFD ? kReplacement : text.substr(at, size);
    at += size;
    if (c == '\r') {
      const bool pair = at < text.size() && text[at] == '\n';
      out.append(pair ? "" : "\n");
    } else if (c == '\n' || c == '\t') {
      out.append(bytes);
    } else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029) {
      out.push_back(' ');
    } else if (!is_invisible(c)) {
      out.append(bytes);
    }
  }
  return out;
}

bool is_linkable(std::string_view path) {
  const lineage::LinkTarget target = lineage::read_wikilink(path);
  return target.form == lineage::LinkForm::memory_path && target.path == path &&
         path.find('#') == std::string_view::npos && plain_text(path, path.size()) == path;
}

}  // namespace daybook::projection

// SPDX-License-Identifier: MIT
#include "redact/emails.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostLocal = 64;
constexpr std::size_t kMostDomain = 253;
constexpr CharClass kLabel = kAlnum | kHyphen | kOther;

bool is_local(char c) {
  return is(c, kWord | kHyphen | kDot | kPercent | kOther) || c == '+' || c == '\'';
}

/// Characters of an escape behind its backslash, before an address: `n`, `u003c`.
std::size_t escape_size(std::string_view text) {
  constexpr std::size_t kUnicode = 5;
  const auto is_hex = [](char c) { return is(c, kDigit | kHexLetter); };
  if (text.size() > kUnicode && text.front() == 'u' &&
      std::all_of(text.begin() + 1, text.begin() + kUnicode, is_hex)) {
    return kUnicode;
  }
  return std::string_view("nrtbf").find(text.front()) != std::string_view::npos ? 1 : 0;
}

/// The first byte of a character of three bytes or more: of a script that puts no blank before an
/// address, or an arrow; not an accented letter of a name.
bool begins_wide(char c) { return static_cast<unsigned char>(c) >= 0xE0U; }

/// Of a local part that may stand directly behind other text: without that text, unless there is
/// nothing else.
std::size_t size_without_script(std::string_view local) {
  std::size_t size = 0;
  while (size < local.size()) {
    const char c = local[local.size() - 1 - size];
    if (begins_wide(c)) {
      break;
    }
    ++size;
  }
  while (size > 0 && size < local.size() && base::continues_character(local[local.size() - size])) {
    --size;  // the rest of the wide character
  }
  return size > 0 ? size : local.size();
}

/// `:hunter2` behind an address, as in lists of logins; not a path on another machine. 0: none.
std::size_t password_size(const Cursor& cursor, std::size_t before) {
  constexpr std::size_t kMost = 128;
  constexpr std::size_t kLeast = 6;
  const char* const begin = cursor.at + before;
  const char* p = begin;
  bool letter = false;
  bool digit = false;
  while (p < cursor.end && !is(*p, kBlank | kQuote) &&
         std::string_view("\n\\,;)]}<>").find(*p) == std::string_view::npos) {
    if (*p == '/' || *p == '~' || static_cast<std::size_t>(p - begin) >= kMost) {
      return 0;
    }
    letter = letter || is(*p, kLetter);
    digit = digit || is(*p, kDigit);
    ++p;
  }
  const auto size = static_cast<std::size_t>(p - begin);
  return letter && digit && size >= kLeast ? size : 0;
}

/// Size of the local part that ends at the cursor; 0: none, or too long to be one.
std::size_t local_size(const Cursor& cursor) {
  const std::string_view left = cursor.left(kMostLocal + 3);
  std::size_t size = 0;
  while (size < left.size() && is_local(left[left.size() - 1 - size])) {
    ++size;
  }
  const bool escape = size > 0 && size < left.size() && left[left.size() - 1 - size] == '\\';
  if (escape) {
    size -= escape_size(left.substr(left.size() - size));
  }
  size = std::min(size, size_without_script(left.substr(left.size() - size)));
  while (size > 0 && (left[left.size() - size] == '.' || left[left.size() - size] == '\'' ||
                      left[left.size() - size] == '-')) {
    --size;
  }
  return size > kMostLocal || (size > 0 && cursor.before() == '.') ? 0 : size;
}

/// Extensions and units that follow a dot, but are no domain's end.
bool is_no_domain(std::string_view last) {
  constexpr std::array<std::string_view, 21> kNames{
      "avif",   "png",   "svg",   "jpg", "jpeg", "gif", "webp", "ico", "service", "socket", "timer",
      "target", "mount", "slice", "js",  "ts",   "jsx", "tsx",  "css", "json",    "tgz"};
  return std::any_of(kNames.begin(), kNames.end(), [last](std::string_view name) {
    return equals_folded(last, name);
  });
}

/// Size of the domain behind the `@`; 0: none.
std::size_t domain_size(const Cursor& cursor) {
  const char* const begin = cursor.at + 1;
  const char* p = begin;
  const char* end = begin;  // behind the last label that fits
  std::size_t labels = 0;
  std::string_view last;
  while (p - begin <= static_cast<std::ptrdiff_t>(kMostDomain)) {
    const char* const label = run_end(p, cursor.end, kLabel, kMostLocal);
    if (label == p || label - p >= static_cast<std::ptrdiff_t>(kMostLocal) || *p == '-' ||
        label[-1] == '-') {
      break;
    }
    ++labels;
    last = between(p, label);
    end = label;
    // Text may follow without a blank: `alice@example.com是`.
    const auto* const wide = std::find_if(last.begin(), last.end(), begins_wide);
    if (wide != last.end() && is(last.front(), kLetter)) {
      last = last.substr(0, static_cast<std::size_t>(wide - last.begin()));
      end = last.data() + last.size();
      break;
    }
    if (cursor.peek_at(label) != '.') {
      break;
    }
    p = label + 1;
  }
  const bool letters = std::all_of(
      last.begin(), last.end(), [](char c) { return is(c, kLetter | kOther | kHyphen); });
  // 5.0.0-beta.15, 10.0.0-beta.next, 2x.avif; but 163.com is a domain.
  const char* const number = run_end(begin, cursor.end, kDigit, 8);
  const char behind = cursor.peek_at(number + 1);
  const bool version =
      number > begin && ((cursor.peek_at(number) == '.' &&
                          (number == begin + 1 ? is(behind, kAlnum) : is(behind, kDigit))) ||
                         (cursor.peek_at(number) == 'x' && behind == '.'));
  if (labels < 2 || last.size() < 2 || !letters || version || is_no_domain(last)) {
    return 0;
  }
  return static_cast<std::size_t>(end - begin);
}

}  // namespace

Hit match_email(const Cursor& cursor) {
  const std::size_t local = local_size(cursor);
  if (local == 0) {
    return {};
  }
  const std::size_t domain = domain_size(cursor);
  if (domain == 0) {
    return {};
  }
  const std::string_view left = cursor.left(local + 3);
  const std::string_view before = left.substr(0, left.size() - local);
  const char next = cursor.peek(1 + domain);
  const char after = cursor.peek(2 + domain);
  const bool remote =
      next == ':' && !is(after, kBlank | kQuote) && after != '\n' && after != '\\' && after != ')';
  const std::size_t password = remote ? password_size(cursor, 2 + domain) : 0;
  const bool login = before.ends_with("//");  // https://user@host
  const bool call = next == '(';              // q@k.transpose(0)
  if (left.substr(left.size() - local) == "git" || (remote && password == 0) || login || call ||
      next == '@' || next == '_') {
    return {};
  }
  Hit hit;
  hit.erase = local;
  hit.consume = 1 + domain + (password > 0 ? 1 + password : 0);
  hit.marker = kEmailMarker;
  hit.shape = "email";
  hit.pii = true;
  return hit;
}

}  // namespace daybook::redact

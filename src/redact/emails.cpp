// SPDX-License-Identifier: MIT
#include "redact/emails.hpp"

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

/// Size of the local part that ends at the cursor; 0: none, or too long to be one.
std::size_t local_size(const Cursor& cursor) {
  const std::string_view left = cursor.left(kMostLocal + 3);
  std::size_t size = 0;
  while (size < left.size() && is_local(left[left.size() - 1 - size])) {
    ++size;
  }
  const bool escape = size > 0 && size < left.size() && left[left.size() - 1 - size] == '\\';
  if (escape &&
      std::string_view("nrtbf").find(left[left.size() - size]) != std::string_view::npos) {
    --size;  // the letter of an escape
  }
  while (size > 0 && (left[left.size() - size] == '.' || left[left.size() - size] == '\'' ||
                      left[left.size() - size] == '-')) {
    --size;
  }
  return size > kMostLocal || (size > 0 && cursor.before() == '.') ? 0 : size;
}

/// Extensions and units that follow a dot, but are no domain's end.
bool is_no_domain(std::string_view last) {
  constexpr std::array<std::string_view, 20> kNames{
      "png",    "svg",   "jpg",   "jpeg", "gif", "webp", "ico", "service", "socket", "timer",
      "target", "mount", "slice", "js",   "ts",  "jsx",  "tsx", "css",     "json",   "tgz"};
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
    if (cursor.peek_at(label) != '.') {
      break;
    }
    p = label + 1;
  }
  const bool letters = std::all_of(
      last.begin(), last.end(), [](char c) { return is(c, kLetter | kOther | kHyphen); });
  const bool version = is(cursor.peek_at(begin), kDigit) && cursor.peek_at(begin + 1) == '.' &&
                       is(cursor.peek_at(begin + 2), kAlnum);
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
  const bool login = before.ends_with("//");  // https://user@host
  if (left.substr(left.size() - local) == "git" || remote || login || next == '@' || next == '_') {
    return {};
  }
  Hit hit;
  hit.erase = local;
  hit.consume = 1 + domain;
  hit.marker = kEmailMarker;
  hit.shape = "email";
  hit.pii = true;
  return hit;
}

}  // namespace daybook::redact

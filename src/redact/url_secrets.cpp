// SPDX-License-Identifier: MIT
#include "redact/url_secrets.hpp"

#include "redact/key_values.hpp"
#include "redact/secret_values.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostLogin = 1024;
constexpr std::size_t kMostOdd = 128;  // characters of a password that should have been escaped

/// Length of `://`, whose slashes a string may escape; 0: it is not here.
std::size_t slashes_size(const Cursor& cursor) {
  const char* p = cursor.at + 1;
  for (int slash = 0; slash < 2; ++slash) {
    const char* const escapes = p;
    while (p < cursor.end && *p == '\\' && p - escapes < 8) {
      ++p;
    }
    if (cursor.peek_at(p) != '/') {
      return 0;
    }
    ++p;
  }
  return static_cast<std::size_t>(p - cursor.at);
}

/// The `name:password@` of an address.
struct Login {
  const char* colon = nullptr;
  const char* at_sign = nullptr;  // nullptr: there is none
  const char* end = nullptr;      // of what was looked at
};

Login read_login(const char* begin, const char* end) {
  const char* const last =
      end - begin > static_cast<std::ptrdiff_t>(kMostLogin) ? begin + kMostLogin : end;
  Login login;
  const char* p = begin;
  for (; p < last && !is(*p, kBlank | kQuote) &&
         std::string_view("/?#<>\n\\()[]{},|").find(*p) == std::string_view::npos;
       ++p) {
    if (*p == '@') {
      login.at_sign = p;
    } else if (*p == ':' && login.colon == nullptr) {
      login.colon = p;
    }
  }
  login.end = p;
  return login;
}

/// A password with characters in it that an address should escape: `app:p#w0rd@db`. Not a port and
/// what follows it.
const char* odd_password_end(const Login& login, const char* end) {
  constexpr std::string_view kOdd = "#?[](){},|'";
  if (login.colon == nullptr || login.end == end) {
    return nullptr;
  }
  const std::string_view start = between(login.colon + 1, login.end);
  const bool port = !start.empty() &&
                    std::all_of(start.begin(), start.end(), [](char c) { return is(c, kDigit); });
  if (port || kOdd.find(*login.end) == std::string_view::npos ||
      is_placeholder(between(login.colon + 1, end).substr(0, 2), false)) {
    return nullptr;
  }
  const char* const last =
      end - login.end > static_cast<std::ptrdiff_t>(kMostOdd) ? login.end + kMostOdd : end;
  for (const char* p = login.end; p < last; ++p) {
    const char next = p + 1 < end ? p[1] : '\n';
    if (*p == '@') {
      return is(next, kAlnum) || next == '[' ? p : nullptr;
    }
    // A quote before a letter is part of it, one before a comma ends a string.
    const bool inside = *p == '\'' ? is(next, kAlnum)
                                   : !is(*p, kBlank | kQuote) && *p != '\n' && *p != '/' &&
                                         *p != '\\' && *p != '<' && *p != '>';
    if (!inside) {
      return nullptr;
    }
  }
  return nullptr;
}

bool ends_query_value(char c) {
  return is(c, kBlank | kQuote) ||
         std::string_view("&<>)]}\\#\n|").find(c) != std::string_view::npos;
}

}  // namespace

Hit match_query(const Cursor& cursor) {
  const char* name = cursor.left_end;
  while (name > cursor.left_begin && is(name[-1], kTokenDot) && cursor.left_end - name < 64) {
    --name;
  }
  if (name == cursor.left_begin || name == cursor.left_end) {
    return {};
  }
  const std::string_view before = between(cursor.left_begin, name);
  const std::string_view run = between(name, cursor.left_end);
  // As JSON escapes them: \u0026 is an ampersand, \u003f a question mark.
  if (before.back() == '\\' &&
      (run.starts_with("u0026") || equals_folded(run.substr(0, 5), "u003f"))) {
    name += 5;
  } else if (before.back() != '?' && before.back() != '&' && !before.ends_with("&amp;")) {
    return {};
  }
  const KeyKind kind = query_name(between(name, cursor.left_end));
  if (kind == KeyKind::none) {
    return {};
  }
  const char* const begin = cursor.at + 1;
  const char* end = begin;
  while (end < cursor.end && end - begin < static_cast<std::ptrdiff_t>(kMostUnquoted) &&
         !ends_query_value(*end)) {
    ++end;
  }
  const std::string_view value = between(begin, end);
  cursor.looked_at(end - begin);
  const bool doubtful =
      kind == KeyKind::weak && !(value.size() >= 10 && (looks_random(value) || value.size() >= 24));
  if (is_placeholder(value, false) || doubtful || value.front() == ':') {
    return {};
  }
  while (end < cursor.end && !ends_query_value(*end)) {
    ++end;
  }
  return value_hit(cursor, {1, static_cast<std::size_t>(end - begin), false}, "url-query");
}

Hit match_url_login(const Cursor& cursor) {
  const std::size_t slashes = slashes_size(cursor);
  if (slashes == 0 || !is(cursor.before(), kAlnum)) {
    return {};
  }
  const char* const begin = cursor.at + slashes;
  Login login = read_login(begin, cursor.end);
  cursor.looked_at(login.end - cursor.at);
  if (login.at_sign == nullptr) {
    login.at_sign = odd_password_end(login, cursor.end);
  }
  if (login.at_sign == nullptr) {
    return {};
  }
  const bool named = login.colon != nullptr && login.colon < login.at_sign;
  const char* const name_end = named ? login.colon : login.at_sign;
  const std::string_view name = between(begin, name_end);
  // An error tracker's address names its project by 32 hexadecimal digits, random-looking or not.
  const bool project = name.size() == 32 && std::all_of(name.begin(), name.end(), [](char c) {
                         return is(c, kDigit | kHexLetter);
                       });
  if (project || (name.size() >= 16 && looks_random(name))) {
    return value_hit(
        cursor, {slashes, static_cast<std::size_t>(login.at_sign - begin), false}, "url-password");
  }
  const std::string_view password =
      named ? between(name_end + 1, login.at_sign) : name.substr(0, 0);
  if (is_placeholder(password, true)) {
    return {};
  }
  const auto keep = static_cast<std::size_t>(name_end + 1 - cursor.at);
  return value_hit(cursor, {keep, password.size(), false}, "url-password");
}

}  // namespace daybook::redact

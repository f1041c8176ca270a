// SPDX-License-Identifier: MIT
#include "redact/commands.hpp"

#include "redact/key_values.hpp"
#include "redact/secret_values.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostCommand = 256;  // characters before an option
constexpr std::size_t kMostIndent = 64;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is(text.back(), kBlank)) {
    text.remove_suffix(1);
  }
  return text;
}

/// What stands before the cursor of its own command.
std::string_view command_before(const Cursor& cursor) {
  const std::string_view left = cursor.left(kMostCommand);
  const std::size_t start = left.find_last_of("\n|;&");
  return start == std::string_view::npos ? left : left.substr(start + 1);
}

/// Where the text behind a word begins, of a program that may have a path; npos: it is not there.
std::size_t behind_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (token_may_follow(text.substr(0, at)) && end < text.size() && is(text[end], kBlank)) {
      return end;
    }
  }
  return std::string_view::npos;
}

bool runs_mysql(std::string_view command) {
  constexpr std::array<std::string_view, 5> kPrograms{
      "mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump"};
  return std::any_of(kPrograms.begin(), kPrograms.end(), [command](std::string_view program) {
    return behind_word(command, program) != std::string_view::npos;
  });
}

bool logs_in(std::string_view command) {
  for (const std::string_view program : {"docker", "podman", "helm", "buildah"}) {
    const std::size_t behind = behind_word(command, program);
    if (behind != std::string_view::npos &&
        behind_word(command.substr(behind), "login") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// `3306:3306`: ports that a container shows.
bool are_ports(std::string_view value) {
  return value.find(':') != std::string_view::npos &&
         std::all_of(
             value.begin(), value.end(), [](char c) { return is(c, kDigit | kDot) || c == ':'; });
}

/// The password that stands `keep` characters behind the cursor; its size is 0 if there is none.
Place password_place(const Cursor& cursor, std::size_t keep) {
  const Value value = read_value(cursor.at + keep, cursor.end);
  const std::string_view text(cursor.at + keep + value.before, value.size);
  cursor.looked_at(static_cast<std::ptrdiff_t>(keep + value.before + value.size));
  if (is_placeholder(text, value.quoted) || text.front() == '-' || are_ports(text) ||
      follows_in_prose(text)) {
    return {};
  }
  return whole_place(cursor, value, text.data());
}

Hit password_behind(const Cursor& cursor, std::size_t keep) {
  const Place place = password_place(cursor, keep);
  return place.size > 0 ? value_hit(cursor, place, "password") : Hit{};
}

/// `login name ` stands before the cursor.
bool behind_login(const Cursor& cursor) {
  std::string_view left = without_blanks(cursor.left(kMostCommand));
  while (!left.empty() && !is(left.back(), kBlank) && left.back() != '\n') {
    left.remove_suffix(1);
  }
  left = without_blanks(left);
  constexpr std::string_view kLogin = "login";
  return left.ends_with(kLogin) && token_may_follow(left.substr(0, left.size() - kLogin.size()));
}

/// Nothing but blanks stands before the cursor on its line.
bool begins_line(const Cursor& cursor) {
  std::size_t blanks = 0;
  while (blanks < kMostIndent && is(cursor.before(blanks), kBlank)) {
    ++blanks;
  }
  return cursor.before(blanks) == '\n';
}

}  // namespace

Hit match_password_option(const Cursor& cursor) {
  if (!is(cursor.before(), kBlank) || cursor.peek(2) == '\n') {
    return {};
  }
  const std::string_view command = command_before(cursor);
  cursor.looked_at(static_cast<std::ptrdiff_t>(command.size()));
  const std::string_view program = without_blanks(command);
  constexpr std::string_view kSshpass = "sshpass";
  const bool sshpass = program.ends_with(kSshpass) &&
                       token_may_follow(program.substr(0, program.size() - kSshpass.size()));
  const bool takes_one = is(cursor.peek(2), kBlank) ? logs_in(command) : runs_mysql(command);
  return sshpass || takes_one ? password_behind(cursor, 2) : Hit{};
}

Hit match_netrc(const Cursor& cursor) {
  constexpr std::string_view kPassword = "password";
  if (!cursor.starts_with(kPassword) || !is(cursor.peek(kPassword.size()), kBlank) ||
      !token_may_begin(cursor)) {
    return {};
  }
  // Judged before it is followed to its end, which may be far.
  const Place place = password_place(cursor, kPassword.size());
  if (place.size == 0) {
    return {};
  }
  const char* const value = cursor.at + place.keep;
  const char* const end = value + place.size;
  if (behind_login(cursor)) {
    // "the login form password field" is a sentence, unless a machine is named.
    const bool word = std::all_of(value, end, [](char c) { return is(c, kLower); });
    return !word || behind_word(command_before(cursor), "machine") != std::string_view::npos
               ? value_hit(cursor, place, "password")
               : Hit{};
  }
  // A line of its own: "password reset" is none.
  const bool telling =
      std::any_of(value, end, [](char c) { return is(c, kDigit); }) && end - value >= 6;
  return begins_line(cursor) && telling && cursor.peek_at(end) == '\n'
             ? value_hit(cursor, place, "password")
             : Hit{};
}

Hit match_env_line(const Cursor& cursor) {
  constexpr std::size_t kMostName = 64;
  if (!cursor.starts_with("ENV ") || !token_may_begin(cursor)) {
    return {};
  }
  const char* const begin = cursor.at + 4;
  const char* const name = run_end(begin, cursor.end, kWord, kMostName);
  if (!is(cursor.peek_at(name), kBlank)) {
    return {};
  }
  const KeyKind kind = key_before(begin, name).kind;
  if (kind != KeyKind::password && kind != KeyKind::secret && kind != KeyKind::login) {
    return {};
  }
  Value value = read_value(name, cursor.end);
  value.after_blank = false;  // it is how the two are parted here
  const std::string_view text(name + value.before, value.size);
  cursor.looked_at(text.data() - cursor.at + static_cast<std::ptrdiff_t>(text.size()));
  if (follows_in_prose(text) || text.starts_with('=') ||
      !is_secret_value(text, value, kind, Manner::environment)) {
    return {};
  }
  return value_hit(cursor,
                   whole_place(cursor, value, text.data()),
                   kind == KeyKind::password ? "password" : "sensitive-value");
}

}  // namespace daybook::redact

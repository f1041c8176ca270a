// SPDX-License-Identifier: MIT
#include "redact/matcher.hpp"

#include "redact/code_calls.hpp"
#include "redact/commands.hpp"
#include "redact/emails.hpp"
#include "redact/key_values.hpp"
#include "redact/private_keys.hpp"
#include "redact/url_secrets.hpp"

#include <algorithm>

namespace daybook::redact {
namespace {

// Most places are a separator behind no key at all. What answers there hands its answer on without
// making one of its own.

Hit match_equals(const Cursor& cursor) {
  if (cursor.peek(1) == '=') {
    if (const Hit hit = match_storage_key(cursor); hit) {
      return hit;
    }
  }
  return match_key_value(cursor);
}

Hit match_colon(const Cursor& cursor) {
  if (cursor.peek(1) == '/' || cursor.peek(1) == '\\') {
    if (const Hit hit = match_url_login(cursor); hit || cursor.starts_with("://")) {
      return hit;
    }
  }
  if (is(cursor.before(), kDigit)) {
    if (const Hit hit = match_telegram(cursor); hit) {
      return hit;
    }
  }
  return match_key_value(cursor);
}

Hit match_hyphen(const Cursor& cursor) {
  if (cursor.peek(1) == 'p') {
    return match_password_option(cursor);
  }
  if (cursor.before() != '-') {
    if (const Hit hit = match_private_key(cursor); hit) {
      return hit;
    }
  }
  return match_option_value(cursor);
}

}  // namespace

Hit Matcher::match_tokens(const Cursor& cursor) const {
  for (const PrefixToken* token : candidates_.tokens_of(cursor.peek(0), cursor.peek(1))) {
    if (const Hit hit = match_prefix_token(cursor, *token); hit) {
      return hit;
    }
  }
  return {};
}

Hit Matcher::match(const Cursor& cursor) const {
  Hit hit;
  switch (*cursor.at) {
    case '=':
      return match_equals(cursor);
    case ':':
      return match_colon(cursor);
    case '@':
      return pii_ ? match_email(cursor) : hit;
    case '>':
      return is(cursor.before(), kAlnum) ? match_element(cursor) : hit;
    case '-':
      return match_hyphen(cursor);
    case '$':
      return match_password_hash(cursor);
    case '(':
      return match_call(cursor);
    case '#':
      return match_define(cursor);
    case 'e':
      return match_jwt(cursor);
    case 'B':
    case 'b':
      return match_bearer(cursor);
    case 'Q':
      return match_azure_client_secret(cursor);
    case 'M':
    case 'N':
    case 'O':
      hit = match_discord(cursor);
      break;
    case 'E':
      hit = match_env_line(cursor);
      break;
    case 'p':
      hit = match_netrc(cursor);
      hit = hit ? hit : match_sql_password(cursor);
      break;
    case 'P':
      hit = match_sql_password(cursor);
      break;
    case 'I':
    case 'i':
      hit = match_identified(cursor);
      break;
    case 'S':
      hit = match_sendgrid(cursor);
      break;
    default:
      break;
  }
  return hit ? hit : match_tokens(cursor);
}

bool Matcher::breaks_off(const Cursor& cursor) const {
  const auto& tokens = candidates_.tokens_of(cursor.peek(0), cursor.peek(1));
  return std::any_of(tokens.begin(), tokens.end(), [&cursor](const PrefixToken* token) {
    return redact::breaks_off(cursor, *token);
  });
}

}  // namespace daybook::redact

// SPDX-License-Identifier: MIT
//
// Tokens that begin as no word does: `ghp_…`, `AKIA…`, `xoxb-…`. One table of beginnings; each says
// how long the rest is at least, so that "task-force" and "hf_hub_download" stay. Pure.
#pragma once

#include "redact/cursor.hpp"

#include <cstdint>
#include <span>

namespace daybook::redact {

enum class Body : std::uint8_t {
  any,     ///< the beginning says enough
  random,  ///< must look random as well
  hex,
  digit_first,
};

struct PrefixToken {
  std::string_view prefix;  ///< four characters at least, or its first two are rare
  std::string_view shape;
  CharClass body = kToken;
  std::uint16_t least = 20;  ///< characters behind the prefix
  std::uint16_t most = 0;    ///< more, and it is something else; 0: no limit
  Body look = Body::any;
};

std::span<const PrefixToken> prefix_tokens();

/// A token that begins at the cursor.
Hit match_prefix_token(const Cursor& cursor, const PrefixToken& token);

/// The line ends within a token's beginning, or too few characters behind it to tell: what the next
/// line begins with may be the rest.
bool breaks_off(const Cursor& cursor, const PrefixToken& token);

Hit match_jwt(const Cursor& cursor);
Hit match_discord(const Cursor& cursor);
Hit match_sendgrid(const Cursor& cursor);
/// At the `Q~` in the middle of a client secret of Azure.
Hit match_azure_client_secret(const Cursor& cursor);
/// At the `==` that ends the key of a storage account of Azure.
Hit match_storage_key(const Cursor& cursor);
/// At the colon of a bot's token.
Hit match_telegram(const Cursor& cursor);
/// At the first `$` of what crypt() makes of a password: `$6$salt$hash`.
Hit match_password_hash(const Cursor& cursor);
Hit match_bearer(const Cursor& cursor);

}  // namespace daybook::redact

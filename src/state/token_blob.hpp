// SPDX-License-Identifier: MIT
//
// Values of lineage <-> what a column holds: a token as its ten bytes, digests and lists as one
// blob. Pure.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/store/database.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::state {

/// Ten bytes that order as the tokens do.
using TokenBytes = std::array<std::uint8_t, 10>;
TokenBytes to_bytes(const lineage::SessionToken& token);
/// Ten bytes, else the empty token.
lineage::SessionToken token_from_blob(std::string_view blob);

/// 32 bytes, else all zero.
base::Digest digest_from_blob(std::string_view blob);

/// Any strings, whatever they hold; read back to the first that is cut short.
std::string pack_texts(const std::vector<std::string>& texts);
std::vector<std::string> unpack_texts(std::string_view packed);

}  // namespace daybook::state

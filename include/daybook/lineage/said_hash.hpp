// SPDX-License-Identifier: MIT
//
// What a note of something learned says, as a hash that tells it again under any id and name,
// however short it is. It is never equal to a body hash, so that a tombstone may list both: a short
// text of a session is not taken for one that was forgotten. It follows from the body hash, which
// the index keeps. Pure; any thread.
#pragma once

#include "daybook/base/sha256.hpp"

#include <string_view>
#include <vector>

namespace daybook::lineage {

base::Digest said_hash(const base::Digest& body_hash);

/// From the first line's text on: blanks and blank lines before it say nothing.
std::string_view without_blanks_before(std::string_view body);

/// Of a body, and of what it says where no blank line or one stands before it, as notes are written
/// by this program and by people.
std::vector<base::Digest> said_hashes(std::string_view body);

}  // namespace daybook::lineage

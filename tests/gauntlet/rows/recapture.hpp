// SPDX-License-Identifier: MIT
//
// Ways in which the text of a removed session comes back by a capture and not by a file: the
// program itself is run, as harnesses run it. In: a vault from which a session was removed. Throws
// when the program fails. One thread.
#pragma once

#include "support/indexed_vault.hpp"

#include <string>

namespace daybook::gauntlet {

/// The session ends once more, and is compacted, with that text.
void capture_again(const support::IndexedVault& vault,
                   const std::string& session_key,
                   const std::string& session_id,
                   const std::string& text);

/// A hook tells of its end.
void hook_again(const support::IndexedVault& vault,
                const std::string& session_id,
                const std::string& text);

/// Another session, whose id is not stored as it is because it holds an address, is captured with
/// that text; its hook leaves more in the spool; and then it is removed.
void remove_what_is_spooled(const support::IndexedVault& vault, const std::string& text);

}  // namespace daybook::gauntlet

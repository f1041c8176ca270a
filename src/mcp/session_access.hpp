// SPDX-License-Identifier: MIT
//
// What a client calls a session -> its row and its notes, of the agent that the server speaks for
// and of no other: what is another's is not there, whichever way it is named. Text comes from the
// files, never from the index, and only when the file still is what the index says. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/service/session_view.hpp"
#include "mcp/memory.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::mcp {

/// A token, key or id, or the path of one of its files, never the beginning of one: an agent that
/// repeats itself must not come to another session by it. not_found when there is none, or it was
/// removed; usage when it means several, with their tokens.
Result<index::SessionRow> find_session(const Memory& memory,
                                       const state::StateFolder& folder,
                                       index::Reader& reader,
                                       service::KnownRemovals& removals,
                                       const std::string& text);

struct NotePart {
  const service::FileView* file = nullptr;
  std::string state;       ///< `valid`, or why the text is withheld
  std::string text;        ///< of the body; as printable_lines()
  std::size_t size = 0;    ///< of the whole body in bytes, as far as it is read
  std::size_t offset = 0;  ///< where the part begins
  std::size_t next = 0;    ///< where the rest begins; 0: there is none
  bool is_withheld = false;
};

/// So many bytes of a note from an offset on, cut between characters. usage when the offset is
/// behind the end.
Result<NotePart> read_part(const Memory& memory,
                           const service::FileView& file,
                           std::size_t offset,
                           std::size_t most);

/// A session's fields as every tool names them.
Json session_json(const index::SessionRow& session);

}  // namespace daybook::mcp

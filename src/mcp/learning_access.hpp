// SPDX-License-Identifier: MIT
//
// What the tools that remember, list, open and forget learnings share: the desk to work at, a note
// as data and as a line, and the one that an id or path means. Only of the agent that the server
// speaks for. One thread.
#pragma once

#include "daybook/learn/learn.hpp"
#include "mcp/tool.hpp"

#include <optional>
#include <string>

namespace daybook::mcp {

/// All must outlive it.
learn::Desk desk_of(const Call& call,
                    const state::StateFolder& folder,
                    const parse::Config& config);

/// The learning of that id, or at that path, whatever its status, unless nobody but a person may
/// see it. The number in a path means nothing: the note there may say another one.
Result<std::optional<learn::Note>> find_learning(const learn::Desk& desk,
                                                 const std::string& agent,
                                                 const std::string& text);

Json learning_json(const learn::Note& note);
Json learning_schema();
/// `[semantic:general] (2026-03-28T22:34:06.000Z) content (id=5)`: what follows the last ` (id=` is
/// ours, whatever the content says.
std::string learning_line(const lineage::Learning& learning);

}  // namespace daybook::mcp

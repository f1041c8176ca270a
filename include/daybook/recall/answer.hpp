// SPDX-License-Identifier: MIT
//
// What recall and context found -> the parts of answers that the commands and the MCP server tell
// alike: as words, and as JSON with the names that the documentation gives them. Text of notes is
// in them as it stands there; who shows it makes it harmless. Pure.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/recall/context.hpp"
#include "daybook/recall/recall.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::recall {

lineage::MemoryType type_of(const Recalled& result);
std::string category_of(const Recalled& result);
/// When the session was, or when it was learned.
lineage::Timestamp time_of(const Recalled& result);
/// As a note in the vault would name it.
std::string wikilink(const Recalled& result);
/// `[Type: semantic | Category: build | Score: 0.912 | TIME]`
std::string head_line(const Recalled& result);

/// What somebody should know of how the question was answered, each without its full stop.
std::vector<std::string> remarks(const RecallReport& report);
std::vector<std::string> remarks(const Context& context);

base::Json to_json(const Why& why);
/// `mode`, `mode_reason` and `query_cut`, behind what is there.
void put_mode(base::Json& answer, std::optional<ModeReason> reason, bool query_cut);
/// Of a context all but how old it is.
base::Json to_json(const Context& context);

}  // namespace daybook::recall

// SPDX-License-Identifier: MIT
//
// What recall and memory_search share: which sessions are looked at, how old the answer is, what it
// lacks, and that what was found is counted. One thread.
#pragma once

#include "daybook/service/search.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/telemetry.hpp"
#include "mcp/tool.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daybook::mcp {

inline constexpr int kLongestQuery = 2000;

/// project, since, until, kinds and check_fresh, behind what is there.
void add_scope_schema(Json& properties);

/// Of the agent of the memory, always.
Result<service::SearchScope> scope_of(const Call& call);

/// Why nothing can be, or was, found; empty: something was.
struct Reason {
  std::string name;   ///< stable; empty: something was found
  std::string words;  ///< with what to do next
};

/// `fresh` of an answer: looked at if check_fresh asks for it; false when the answer is known to
/// lack something; nothing: nobody has looked.
Result<std::optional<bool>> asked_freshness(const Call& call,
                                            const state::StateFolder& folder,
                                            bool known_stale);

/// The work that is done when the answer is out: each of the sessions counts as found, once.
std::function<void()> counted_as_found(const Call& call,
                                       const state::StateFolder& folder,
                                       std::vector<state::TelemetrySubject> sessions);

/// Remarks as sentences, each a paragraph behind the answer's text.
std::string as_paragraphs(const std::vector<std::string>& remarks);

/// What an answer is known to lack, in sentences.
std::string shortcomings(const std::vector<std::string>& changed,
                         std::uint64_t months_behind,
                         std::size_t unreadable);

}  // namespace daybook::mcp

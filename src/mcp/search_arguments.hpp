// SPDX-License-Identifier: MIT
//
// What recall and memory_search take alike: which sessions are looked at. Pure.
#pragma once

#include "daybook/index/snippet.hpp"
#include "daybook/service/search.hpp"
#include "mcp/tool.hpp"

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

/// What an answer is known to lack, in sentences.
std::string shortcomings(const std::vector<std::string>& changed,
                         std::uint64_t months_behind,
                         std::size_t unreadable);

}  // namespace daybook::mcp

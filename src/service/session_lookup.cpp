// SPDX-License-Identifier: MIT
#include "daybook/service/session_lookup.hpp"

#include "daybook/lineage/artifact.hpp"
#include "daybook/service/session_remains.hpp"
#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace daybook::service {
namespace {

using lineage::SessionToken;
using lineage::Tombstone;

/// Not worth waiting for: the index knows nearly always as much.
constexpr int kBusyTimeoutMs = 200;

/// The sessions that this device knows as removed, of which the rows may be gone. None when it
/// cannot be asked: whatever is removed leaves the index with the next pass anyhow.
std::vector<Tombstone> removed_sessions(const state::StateFolder& folder) {
  if (!folder.has_state()) {
    return {};
  }
  auto state = state::StateDb::open(folder, kBusyTimeoutMs);
  if (!state) {
    return {};
  }
  auto all = state->tombstones().all();
  if (!all) {
    return {};
  }
  std::erase_if(*all, [](const Tombstone& tombstone) {
    return tombstone.lifted_at || tombstone.scope != lineage::TombstoneScope::session;
  });
  return std::move(*all);
}

bool names(const Tombstone& tombstone, const SessionToken& token) {
  return tombstone.token == token ||
         std::find(tombstone.also_tokens.begin(), tombstone.also_tokens.end(), token) !=
             tombstone.also_tokens.end();
}

/// A tombstone holds no key and no id; both can be tried against its token.
bool is_meant(const Tombstone& tombstone, const std::string& text, const std::string& agent) {
  if (!agent.empty() && tombstone.agent_id != agent) {
    return false;
  }
  const auto token = SessionToken::parse(text);
  return (token && names(tombstone, *token)) ||
         names(tombstone, SessionToken::derive(tombstone.agent_id, text));
}

Result<std::vector<index::SessionRow>> by_file(index::Reader& reader,
                                               KnownRemovals& removals,
                                               const std::string& text,
                                               const std::string& agent) {
  std::optional<SessionToken> session;
  TRY_ASSIGN(const auto file, reader.file_at(text));
  if (file) {
    session = removals.removes_file(text) ? std::nullopt : file->session;
  } else if (const auto token = SessionToken::parse(text)) {
    TRY_ASSIGN(const auto files, reader.files_of_session(*token));
    const auto known = std::find_if(files.begin(), files.end(), [](const index::FileRow& row) {
      return row.session.has_value();
    });
    session = known == files.end() ? std::nullopt : known->session;
  }
  if (!session) {
    return std::vector<index::SessionRow>();
  }
  return reader.find_sessions(session->to_string(), agent);
}

/// `ID:agent-…` begins with its session's id.
void drop_sub_agents(std::vector<index::SessionRow>& found) {
  const auto is_part = [&found](const index::SessionRow& row) {
    return std::any_of(found.begin(), found.end(), [&row](const index::SessionRow& other) {
      return !other.session_id.empty() && row.agent_id == other.agent_id &&
             row.session_id.starts_with(other.session_id + ":");
    });
  };
  std::vector<index::SessionRow> kept;
  std::copy_if(found.begin(), found.end(), std::back_inserter(kept), [&](const auto& row) {
    return !is_part(row);
  });
  found = std::move(kept);
}

/// What was removed leaves `found`, and is told.
Result<void> take_removed(index::Reader& reader,
                          const std::vector<Tombstone>& known,
                          KnownRemovals& removals,
                          SessionLookup& lookup) {
  for (index::SessionRow& session : std::exchange(lookup.found, {})) {
    const SessionToken token = session.token;
    const auto tombstone =
        std::find_if(known.begin(), known.end(), [&token](const Tombstone& candidate) {
          return names(candidate, token);
        });
    if (tombstone != known.end()) {
      lookup.removed = {tombstone->token, tombstone->removed_at};
      continue;
    }
    TRY_ASSIGN(auto remains, what_remains(reader, removals, std::move(session)));
    if (remains) {
      lookup.found.push_back(std::move(*remains));
    } else {
      lookup.removed = {token, std::nullopt};
    }
  }
  return {};
}

}  // namespace

Result<SessionLookup> look_up_session(index::Reader& reader,
                                      const state::StateFolder& folder,
                                      KnownRemovals& removals,
                                      const std::string& text,
                                      const std::string& agent,
                                      Naming naming) {
  SessionLookup lookup;
  const std::vector<Tombstone> known = removed_sessions(folder);
  TRY_ASSIGN(lookup.found, by_file(reader, removals, text, agent));
  if (lookup.found.empty()) {
    TRY_ASSIGN(lookup.found, reader.find_sessions(text, agent));
  }
  const auto meant = std::find_if(known.begin(), known.end(), [&](const Tombstone& tombstone) {
    return is_meant(tombstone, text, agent);
  });
  if (lookup.found.empty() && meant != known.end()) {
    lookup.removed = {meant->token, meant->removed_at};  // no other that begins as its name did
    return lookup;
  }
  if (lookup.found.empty() && naming == Naming::beginning) {
    TRY_ASSIGN(lookup.found, reader.find_sessions_beginning(text, agent));
  }
  drop_sub_agents(lookup.found);
  TRY(take_removed(reader, known, removals, lookup));
  return lookup;
}

}  // namespace daybook::service

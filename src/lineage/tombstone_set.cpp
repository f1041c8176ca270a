// SPDX-License-Identifier: MIT
#include "daybook/lineage/tombstone_set.hpp"

#include "daybook/base/path.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/said_hash.hpp"

#include <algorithm>

namespace daybook::lineage {

void TombstoneSet::add(const Tombstone& tombstone) {
  if (tombstone.lifted_at) {
    return;
  }
  if (is_of_learning(tombstone.scope)) {
    Learnings& learnings = tombstone.scope == TombstoneScope::learning ? forgotten_ : revoked_;
    learnings.tokens.insert(tombstone.token);
    if (tombstone.learning_id) {
      learnings.ids.insert(*tombstone.learning_id);
    }
  }
  if (tombstone.scope == TombstoneScope::revocation) {
    return;
  }
  const bool whole_session = tombstone.scope == TombstoneScope::session;
  if (whole_session) {
    tokens_.insert(tombstone.token);
    tokens_.insert(tombstone.also_tokens.begin(), tombstone.also_tokens.end());
  }
  auto& paths = tombstone.scope == TombstoneScope::paths ? paths_ : session_paths_;
  paths.insert(tombstone.removed_paths.begin(), tombstone.removed_paths.end());
  for (const base::Digest& body : tombstone.removed_sha256) {
    bodies_[body].insert(tombstone.agent_id);
  }
}

void TombstoneSet::add_token(SessionToken token) { tokens_.insert(token); }

bool TombstoneSet::Learnings::contains(std::uint64_t id, std::string_view agent_id) const {
  return !tokens.empty() && tokens.contains(learning_token(learning_owner(agent_id), id));
}

void TombstoneSet::Learnings::add_facts(std::string_view word,
                                        std::vector<std::string>& facts) const {
  for (const SessionToken& token : tokens) {
    facts.push_back(std::string(word).append(" ").append(token.to_string()));
  }
  for (const std::uint64_t id : ids) {
    facts.push_back(std::string(word).append("-id ").append(std::to_string(id)));
  }
}

bool TombstoneSet::removes_learning(std::uint64_t id, std::string_view agent_id) const {
  return forgotten_.contains(id, agent_id) ||
         // A tombstone that cannot be read counts by the token in its name.
         (!tokens_.empty() && tokens_.contains(learning_token(learning_owner(agent_id), id)));
}

bool TombstoneSet::removes_body(const base::Digest& body, std::string_view agent_id) const {
  const auto listed = bodies_.find(body);
  if (listed == bodies_.end()) {
    return false;
  }
  return !is_valid_agent_id(agent_id) || listed->second.contains(agent_id);
}

bool TombstoneSet::means(const Traces& traces) const {
  return traces.kind != Kind::tombstone &&
         (removes_any(traces.sessions) || (!traces.path.empty() && removes_path(traces.path)) ||
          (traces.learning_id && removes_learning(*traces.learning_id, traces.agent_id)) ||
          removes_text(traces));
}

bool TombstoneSet::removes_any(std::span<const SessionToken> sessions) const {
  return std::any_of(sessions.begin(), sessions.end(), [this](const SessionToken& token) {
    return removes_session(token);
  });
}

bool TombstoneSet::removes_text(const Traces& traces) const {
  if (!lists_bodies() || traces.kind == Kind::tombstone) {
    return false;
  }
  const auto is_listed = [&](const base::Digest& hash) {
    return removes_body(hash, traces.agent_id);
  };
  const bool is_short = traces.body_size && *traces.body_size < kLeastNamedBody;
  if (traces.body && !is_short && is_listed(*traces.body)) {
    return true;
  }
  return traces.learning_id && (std::any_of(traces.said.begin(), traces.said.end(), is_listed) ||
                                (traces.body && is_listed(said_hash(*traces.body))));
}

bool TombstoneSet::was_removed(std::string_view workspace_path) const {
  if (empty() && session_paths_.empty()) {
    return false;
  }
  if (paths_.contains(workspace_path) || session_paths_.contains(workspace_path)) {
    return true;
  }
  const NameReading reading = read_artifact_name(base::file_name_of(workspace_path));
  return reading.form == NameForm::artifact && reading.name.kind != Kind::tombstone &&
         removes_session(reading.name.token);
}

std::vector<std::string> TombstoneSet::facts() const {
  std::vector<std::string> facts;
  for (const SessionToken& token : tokens_) {
    facts.push_back(std::string("token ").append(token.to_string()));
  }
  for (const auto& [body, agents] : bodies_) {
    for (const std::string& agent : agents) {
      facts.push_back(std::string("body ").append(base::to_hex(body)).append(" ").append(agent));
    }
  }
  for (const std::string& path : paths_) {
    facts.push_back(std::string("path ").append(path));
  }
  for (const std::string& path : session_paths_) {
    facts.push_back(std::string("link ").append(path));
  }
  forgotten_.add_facts("forgotten", facts);
  revoked_.add_facts("revoked", facts);
  std::sort(facts.begin(), facts.end());
  return facts;
}

}  // namespace daybook::lineage

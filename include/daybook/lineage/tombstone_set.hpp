// SPDX-License-Identifier: MIT
//
// The removals in force, and whether a file falls under one of them: by its session's token, by the
// id of what was learned, by the hash of its body (a renamed copy), or by its path; and what was
// revoked. What a removal means is decided here alone, for files, rows and texts alike: what one
// caller forgot, another would tell. Built once, then only read; any thread.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/session_token.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::lineage {

/// What is known of a file, or of a text that is to become one. What is left out tells nothing. The
/// caller keeps what is pointed at.
struct Traces {
  std::optional<Kind> kind;                  ///< no removal means a tombstone
  std::span<const SessionToken> sessions;    ///< in its name, and of the session that it speaks of
  std::string_view path;                     ///< workspace-relative
  std::string_view agent_id;                 ///< as it says; may be empty or not valid
  std::optional<std::uint64_t> learning_id;  ///< that it goes by, if it is something learned
  std::optional<base::Digest> body;
  std::span<const base::Digest> said;      ///< of what was learned: said_hashes() of its body
  std::optional<std::uint64_t> body_size;  ///< normalised; not known: not taken for a short one
};

class TombstoneSet {
 public:
  /// A lifted tombstone removes nothing.
  void add(const Tombstone& tombstone);
  /// A tombstone that cannot be read is honoured by the token in its name.
  void add_token(SessionToken token);

  bool empty() const {
    return tokens_.empty() && bodies_.empty() && paths_.empty() && forgotten_.empty() &&
           revoked_.empty();
  }
  bool lists_bodies() const { return !bodies_.empty(); }

  bool removes_session(SessionToken token) const { return tokens_.contains(token); }
  bool removes_path(std::string_view workspace_path) const {
    return paths_.contains(workspace_path);
  }
  /// The files that were removed one by one, of sessions that stay.
  const std::set<std::string, std::less<>>& removed_paths() const { return paths_; }
  /// Ids are those of one agent: small numbers in names of files are common, and what one agent has
  /// forgotten must not take another's note with it. A note without a valid agent_id is the default
  /// agent's. What was revoked is not removed: only a note that says anything but `revoked` is
  /// wrong.
  bool removes_learning(std::uint64_t id, std::string_view agent_id) const;
  bool revokes_learning(std::uint64_t id, std::string_view agent_id) const {
    return revoked_.contains(id, agent_id);
  }
  /// Bodies are matched within one agent; a file without a valid agent_id matches any.
  bool removes_body(const base::Digest& body, std::string_view agent_id) const;

  /// Whether a removal means it, by any of its traces.
  bool means(const Traces& traces) const;
  // The questions of means(), for who has to ask them one by one:
  bool removes_any(std::span<const SessionToken> sessions) const;
  /// By what it says: a copy under any name, or what was forgotten under any id. Bodies below
  /// kLeastNamedBody are shared by chance and prove nothing, but among what was learned: there the
  /// said_hash() tells, however short they are, and whatever blanks stand before them if `said` is
  /// given.
  bool removes_text(const Traces& traces) const;

  /// All that it would say, as sorted texts of one fact each, so that two sets can be compared:
  /// `token T`, `body HEX AGENT`, `path P`, `link P`, and of what was learned `forgotten T`,
  /// `forgotten-id N`, `revoked T`, `revoked-id N`.
  std::vector<std::string> facts() const;

  /// Whether a link to this path leads to something removed, in either scope.
  bool was_removed(std::string_view workspace_path) const;

 private:
  /// By token within the agent. The numbers only tell which notes may be concerned.
  struct Learnings {
    std::set<SessionToken> tokens;
    std::set<std::uint64_t> ids;

    bool empty() const { return tokens.empty(); }
    bool contains(std::uint64_t id, std::string_view agent_id) const;
    void add_facts(std::string_view word, std::vector<std::string>& facts) const;
  };

  std::set<SessionToken> tokens_;
  std::map<base::Digest, std::set<std::string, std::less<>>> bodies_;  // -> agents
  std::set<std::string, std::less<>> paths_;                           // scope: paths
  std::set<std::string, std::less<>> session_paths_;  // what session tombstones say they removed
  Learnings forgotten_;
  Learnings revoked_;
};

}  // namespace daybook::lineage

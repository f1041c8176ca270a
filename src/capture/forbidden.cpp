// SPDX-License-Identifier: MIT
#include "capture/forbidden.hpp"

#include "daybook/base/safety.hpp"
#include "daybook/state/flows.hpp"

namespace daybook::capture {
namespace {

/// Whether somebody wrote that text: a summary that was made here of a few facts may equal that of
/// another session.
bool is_spoken(const SpoolRecord& record) {
  return record.text_given || record.kind == state::kCompactionFlow;
}

bool removes_text(const lineage::TombstoneSet& removals, const SpoolRecord& record) {
  const std::string& agent = record.session.agent_id;
  return (is_spoken(record) && removals.removes_body(record.text_sha256, agent)) ||
         (record.transcript_sha256 && removals.removes_body(*record.transcript_sha256, agent));
}

}  // namespace

std::vector<lineage::SessionToken> tokens_of(const lineage::SessionFields& session) {
  std::vector<lineage::SessionToken> tokens{lineage::SessionToken::derive(
      session.agent_id, lineage::session_identity(session.session_key, session.session_id))};
  const auto other = lineage::SessionToken::derive(session.agent_id, session.session_id);
  if (other != tokens.front()) {
    tokens.push_back(other);
  }
  return tokens;
}

std::optional<lineage::SessionToken> forbidden_by(const lineage::TombstoneSet& removals,
                                                  const SpoolRecord& record) {
  if (!base::keeps(base::Safety::tombstone_in_capture)) {
    return std::nullopt;
  }
  for (const lineage::SessionToken& token : tokens_of(record.session)) {
    if (removals.removes_session(token)) {
      return token;
    }
  }
  if (!record.parent_session_id.empty()) {
    const auto parent =
        lineage::SessionToken::derive(record.session.agent_id, record.parent_session_id);
    if (removals.removes_session(parent)) {
      return parent;
    }
  }
  return removes_text(removals, record) ? std::optional(record.token()) : std::nullopt;
}

}  // namespace daybook::capture

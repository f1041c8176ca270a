// SPDX-License-Identifier: MIT
#include "capture/capture_request.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/harness/session_list.hpp"
#include "daybook/lineage/session_token.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daybook::capture {
namespace {

struct Limited {
  const char* name;
  const std::string* text;
  std::size_t most;
};

Error too_long(const Limited& field) {
  return {ErrorKind::usage,
          std::string("'").append(field.name).append("' is longer than ") +
              std::to_string(field.most) + " bytes",
          {},
          "Give a shorter one; long text belongs into the transcript or the summary."};
}

const std::string& first_of(const std::string& given, const std::string& else_this) {
  return given.empty() ? else_this : given;
}

}  // namespace

Result<void> check_request(const CapturedSession& session) {
  if (!lineage::is_valid_agent_id(session.agent_id)) {
    return Error{ErrorKind::usage,
                 base::quoted(session.agent_id) + " cannot be an agent_id",
                 {},
                 "Use 1 to 64 letters, digits, '.', '_' or '-'."};
  }
  for (const Limited& field :
       std::array<Limited, 7>{{{"session_id", &session.session_id, kLongestId},
                               {"session_key", &session.session_key, kLongestId},
                               {"project", &session.project, kLongestProject},
                               {"harness", &session.harness, kLongestId},
                               {"source_node_id", &session.source_node_id, kLongestId},
                               {"parent_session_id", &session.parent_session_id, kLongestId},
                               {"idempotency_key", &session.idempotency_key, kLongestKey}}}) {
    if (field.text->size() > field.most) {
      return too_long(field);
    }
  }
  const std::string& key = session.idempotency_key;
  if (std::any_of(key.begin(), key.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      })) {
    return Error{ErrorKind::usage,
                 "'idempotency_key' holds a control character",
                 {},
                 "Use printable text, such as a UUID."};
  }
  if (session.started_at && session.ended_at && *session.ended_at < *session.started_at) {
    return Error{ErrorKind::usage,
                 "'ended_at' lies before 'started_at'",
                 {},
                 "Check the times; both are UTC, such as 2026-03-28T22:34:06.792Z."};
  }
  return {};
}

Error no_session_id() {
  return {ErrorKind::usage,
          "there is no session_id, and the transcript does not say one",
          {},
          "Give --session-id, or \"session_id\" in the JSON."};
}

void settle_identity(const KeptFile& kept, harness::SessionOutline& outline) {
  std::string& id = outline.session_id;
  std::string& parent = outline.parent_session_id;
  const bool sub_agent = !parent.empty() && id.starts_with(parent + ":");
  if (!kept.likely_parent_id.empty() && !sub_agent) {
    // It lies among the sub-agents of a session, whose id is all that its lines carry.
    id = kept.likely_id;
    parent = kept.likely_parent_id;
  } else if (id != kept.likely_id && outline.harness == to_string(harness::Format::claude_code) &&
             harness::is_certain_id(harness::Format::claude_code, kept.likely_id)) {
    // Lines of another session: what it goes on from, unless that one came after it.
    parent = parent == kept.likely_id ? std::string() : sub_agent ? parent : id;
    id = kept.likely_id;
  } else if (id.empty()) {
    id = kept.likely_id;
  }
}

void fill_session(const CapturedSession& given,
                  const harness::SessionOutline& outline,
                  const CapturePlace& place,
                  SpoolRecord& record,
                  IntakeCounts& counts) {
  const redact::Policy& policy = place.policy;
  lineage::SessionFields& session = record.session;
  session.agent_id = given.agent_id;
  session.session_id = take_id(first_of(given.session_id, outline.session_id), policy, counts);
  session.session_key = take_id(given.session_key, policy, counts);
  session.project = take_field(first_of(given.project, outline.project), policy, counts);
  session.harness = take_field(first_of(given.harness, outline.harness), policy, counts);
  session.captured_at = given.captured_at.value_or(place.now);
  record.source_node_id = take_id(given.source_node_id, policy, counts);
  record.parent_session_id =
      take_id(first_of(given.parent_session_id, outline.parent_session_id), policy, counts);
  if (record.parent_session_id == session.session_id) {
    record.parent_session_id.clear();  // its lines went on into another session's
  }
  record.started_at = given.started_at ? given.started_at : outline.started_at;
  record.ended_at = given.ended_at ? given.ended_at : outline.ended_at;
  if (record.started_at && record.ended_at && *record.ended_at < *record.started_at) {
    record.started_at.reset();  // of two clocks that disagree, the end counts
  }
}

}  // namespace daybook::capture

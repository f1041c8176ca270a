// SPDX-License-Identifier: MIT
#include "canon/session_fields.hpp"

namespace daybook::canon {

FieldValue text_or_null(const std::string& text) {
  return text.empty() ? FieldValue() : FieldValue(text);
}

std::vector<FieldChange> session_fields(lineage::Kind kind, const lineage::SessionFields& session) {
  return {
      {"kind", std::string(to_string(kind))},
      {"agent_id", session.agent_id},
      {"session_id", session.session_id},
      {"session_key", text_or_null(session.session_key)},
      {"project", text_or_null(session.project)},
      {"harness", text_or_null(session.harness)},
      {"captured_at", to_string(session.captured_at)},
  };
}

}  // namespace daybook::canon

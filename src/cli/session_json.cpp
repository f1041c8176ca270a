// SPDX-License-Identifier: MIT
#include "cli/session_json.hpp"

#include <utility>

namespace daybook::cli {

Json session_json(const index::SessionRow& session) {
  using lineage::Kind;
  Json paths;
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest}) {
    paths[lineage::to_string(kind)] = text_or_null(session.path(kind));
  }
  return Json::object({{"agent_id", session.agent_id},
                       {"session_token", session.token.to_string()},
                       {"session_id", session.session_id},
                       {"session_key", text_or_null(session.session_key)},
                       {"project", text_or_null(session.project)},
                       {"harness", text_or_null(session.harness)},
                       {"membership_ts", lineage::to_string(session.membership)},
                       {"started_at", time_or_null(session.started_at)},
                       {"memory_sentence", session.sentence},
                       {"changed_since_sealed", session.changed_since_sealed},
                       {"paths", std::move(paths)}});
}

}  // namespace daybook::cli

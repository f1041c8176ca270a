// SPDX-License-Identifier: MIT
//
// A session's row as JSON, with the field names that every command and the documentation share.
#pragma once

#include "daybook/index/rows.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <optional>
#include <string>

namespace daybook::cli {

/// Json is nlohmann's, which only the sources may name.
template <typename Json>
Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

template <typename Json>
Json time_or_null(const std::optional<lineage::Timestamp>& time) {
  return time ? Json(lineage::to_string(*time)) : Json(nullptr);
}

template <typename Json>
Json session_json(const index::SessionRow& session) {
  using lineage::Kind;
  Json paths;
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest}) {
    paths[std::string(lineage::to_string(kind))] = text_or_null<Json>(session.path(kind));
  }
  return {{"agent_id", session.agent_id},
          {"session_token", session.token.to_string()},
          {"session_id", session.session_id},
          {"session_key", text_or_null<Json>(session.session_key)},
          {"project", text_or_null<Json>(session.project)},
          {"harness", text_or_null<Json>(session.harness)},
          {"membership_ts", lineage::to_string(session.membership)},
          {"started_at", time_or_null<Json>(session.started_at)},
          {"memory_sentence", session.sentence},
          {"changed_since_sealed", session.changed_since_sealed},
          {"paths", paths}};
}

}  // namespace daybook::cli

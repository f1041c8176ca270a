// SPDX-License-Identifier: MIT
#include "cli/run_memory_json.hpp"

#include "cli/session_json.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <utility>

namespace daybook::cli {

Json to_json(const state::RunMemoryPolicy& policy) {
  return Json::object({{"enabled", policy.enabled},
                       {"retention_ms", policy.retention_ms},
                       {"max_tracked_per_session", policy.max_tracked_per_session},
                       {"max_prompt_entries", policy.max_prompt_entries},
                       {"redact_pii", policy.redact_pii},
                       {"search_visibility", state::to_string(policy.search_visibility)}});
}

Json to_json(const std::optional<state::RunMaintenance>& maintenance) {
  if (!maintenance) {
    return nullptr;
  }
  Json diagnostics = Json::array();
  for (const state::RunMaintenance::Finding& finding : maintenance->findings) {
    diagnostics.push_back(Json::object({{"action", finding.action},
                                        {"reason", finding.reason},
                                        {"path", text_or_null(finding.path)},
                                        {"session", text_or_null(finding.session)},
                                        {"message", finding.message}}));
  }
  return Json::object({{"source", maintenance->source},
                       {"checked_at", lineage::to_string(maintenance->checked_at)},
                       {"index_rebuilt", maintenance->index_rebuilt},
                       {"pruned_ttl_count", maintenance->pruned_ttl},
                       {"pruned_overflow_count", maintenance->pruned_overflow},
                       {"pruned_orphan_count", maintenance->pruned_orphans},
                       {"scan_error_count", maintenance->scan_errors},
                       {"prune_error_count", maintenance->prune_errors},
                       {"diagnostics", std::move(diagnostics)}});
}

Json to_json(const service::RunMemoryStatus& status) {
  const service::RunMetrics& metrics = status.metrics;
  return Json::object(
      {{"policy", to_json(status.policy)},
       {"indexed_session_count", status.counts.sessions},
       {"indexed_record_count", status.counts.runs},
       {"stale_indexed_record_count", status.counts.stale},
       {"metrics",
        Json::object({{"stored_total", metrics.stored},
                      {"injected_total", metrics.injected},
                      {"skipped_unreadable_total", metrics.skipped_unreadable},
                      {"pruned_ttl_total", metrics.pruned_ttl},
                      {"pruned_overflow_total", metrics.pruned_overflow},
                      {"pruned_orphan_total", metrics.pruned_orphan},
                      {"redacted_fields_total", metrics.redacted_fields},
                      {"ranked_candidates_total", metrics.ranked_candidates},
                      {"prompt_limit_omitted_total", metrics.prompt_limit_omitted}})},
       {"maintenance", to_json(status.maintenance)}});
}

}  // namespace daybook::cli

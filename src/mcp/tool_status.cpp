// SPDX-License-Identifier: MIT
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/status.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/version.hpp"
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/schema_words.hpp"

#include <algorithm>

namespace daybook::mcp {
namespace {

using service::StatusReport;

/// 2100 and some years: no session lies behind it.
constexpr std::int64_t kLastDay = 100'000;

/// Among what is not as it should be: daybook.yaml itself.
constexpr const char* kConfiguration = "configuration";

Result<std::uint64_t> sessions_of(index::Reader& reader, const std::string& agent) {
  TRY_ASSIGN(const auto counts, reader.count_days(agent, {-kLastDay, kLastDay}));
  std::uint64_t sum = 0;
  for (const auto& count : counts.counts) {
    sum += count.sessions;
  }
  return sum;
}

Json projection_json(const StatusReport& report, const std::string& agent) {
  const auto own = std::find_if(
      report.projections.begin(), report.projections.end(), [&agent](const auto& projection) {
        return projection.agent_id == agent;
      });
  if (own == report.projections.end()) {
    return nullptr;
  }
  return Json::object({{"path", own->path},
                       {"bytes", own->bytes},
                       {"lines", own->lines},
                       {"rows", own->rows},
                       {"clipped", own->clipped},
                       {"published", own->published}});
}

Json empty_answer(const Memory& memory) {
  Json answer =
      Json::object({{"version", kVersion},
                    {"workspace", memory.workspace()},
                    {"agent_id", memory.agent()},
                    {"read_only", !memory.may_write()},
                    {"indexed", false},
                    {"service_running", false},
                    {"changes", nullptr},
                    {"sessions", 0},
                    {"memories", 0},
                    {"memories_to_approve", 0},
                    {"diagnostics", Json::object({{"error", 0}, {"warning", 0}, {"info", 0}})},
                    {"memory_md", nullptr},
                    {"months_behind", 0},
                    {"pipeline_holder", nullptr},
                    {"degraded", Json::array()},
                    {"configuration", nullptr}});
  put_freshness(answer, false, {}, 0);
  return answer;
}

std::string words_of(const Json& status, const StatusReport& report) {
  const bool fresh = report.fresh();
  std::string text =
      "Agent " + status.text_at("agent_id") + " of " + status.text_at("workspace") + ": " +
      status.find("sessions")->compact() + " sessions and " + status.find("memories")->compact() +
      " memories, " +
      (fresh ? "the index is as the files are." : "the index is not as the files are.");
  if (!fresh) {
    text += *status.find("service_running")->truth()
                ? " The running service is bringing it up to date."
                : " 'daybook reindex' brings it up to date.";
  }
  if (const std::string* wrong = status.find("configuration")->text()) {
    text += " daybook.yaml cannot be used, and the tools that need it refuse to work: " + *wrong;
    return text;
  }
  if (!report.degraded.empty()) {
    text += " Not as it should be:";
    for (const std::string& reason : report.degraded) {
      text += " " + reason;
    }
    text += ". 'daybook status' says what to do.";
  }
  return text;
}

Result<ToolAnswer> tell_status(const Call& call) {
  ToolAnswer answer;
  answer.structured = empty_answer(call.memory);
  const auto folder = call.memory.folder();
  if (!folder && folder.error().kind != ErrorKind::not_found) {
    return folder.error();
  }
  if (!folder) {
    answer.text =
        "This vault was never indexed. The user can index it with 'daybook reindex'; "
        "until then the other tools have nothing to look at.";
    return answer;
  }
  const auto config = call.memory.config();
  if (!config && !is_about_config(config.error())) {
    return config.error();
  }
  TRY(call.step("looking at the files"));
  StatusReport report = service::look_at_status(
      call.memory.disk(), *folder, config ? *config : parse::Config{}, call.memory.now());
  if (!config) {  // which keeps the other tools from working: this one says so
    report.degraded.emplace_back(kConfiguration);
    answer.structured["configuration"] = config.error().in_words();
  }
  TRY(call.go_on());
  Json& status = answer.structured;
  status["service_running"] = state::service_holder(*folder).has_value();
  if (auto reader = call.memory.reader(*folder)) {
    status["indexed"] = true;
    TRY_ASSIGN(status["sessions"], sessions_of(*reader, call.memory.agent()));
    TRY_ASSIGN(const auto learnings, reader->count_learnings(call.memory.agent()));
    status["memories"] = learnings.of(lineage::LearningStatus::active);
    status["memories_to_approve"] = learnings.of(lineage::LearningStatus::provisional);
    TRY_ASSIGN(const auto counts, reader->count_diagnostics(call.memory.agent()));
    status["diagnostics"] = Json::object(
        {{"error", counts.errors}, {"warning", counts.warnings}, {"info", counts.infos}});
  }
  status["changes"] = service::changes_json(report.freshness);
  status["memory_md"] = projection_json(report, call.memory.agent());
  status["months_behind"] = report.months_behind;
  status["pipeline_holder"] = text_or_null(report.pipeline_holder.value_or(""));
  status["degraded"] = Json(report.degraded);
  put_freshness(
      status, report.fresh(), report.last_sweep.value_or(lineage::Timestamp{}), report.generation);
  answer.text = words_of(status, report);
  return answer;
}

Json output_schema() {
  Json properties = Json::object({{"version", typed("string")},
                                  {"workspace", typed("string")},
                                  {"agent_id", typed("string")},
                                  {"read_only", typed("boolean")},
                                  {"indexed", typed("boolean")},
                                  {"service_running", typed("boolean")},
                                  {"changes", nullable("object")},
                                  {"sessions", typed("integer")},
                                  {"memories", typed("integer")},
                                  {"memories_to_approve", typed("integer")},
                                  {"diagnostics",
                                   answer_schema(Json::object({{"error", typed("integer")},
                                                               {"warning", typed("integer")},
                                                               {"info", typed("integer")}}))},
                                  {"memory_md", nullable("object")},
                                  {"months_behind", typed("integer")},
                                  {"pipeline_holder", nullable("string")},
                                  {"degraded", list_of(typed("string"))},
                                  {"configuration", nullable("string")}});
  add_freshness_schema(properties);
  return answer_schema(std::move(properties));
}

}  // namespace

Tool memory_status_tool() {
  return {"memory_status",
          "Look at the memory",
          "Says how the memory is: how many sessions there are, whether the index is as the files "
          "are, whether the service runs, what is wrong. Looks at the time and size of every file.",
          Effect::reads,
          true,
          object_schema(Json::object()),
          output_schema(),
          tell_status};
}

}  // namespace daybook::mcp

// SPDX-License-Identifier: MIT
#include "daybook/base/printable.hpp"
#include "daybook/service/capture_tools.hpp"
#include "daybook/service/search.hpp"
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/finding.hpp"
#include "mcp/schema_words.hpp"

#include <utility>
#include <vector>

namespace daybook::mcp {
namespace {

using service::SearchReport;
using service::SearchResult;

constexpr std::int64_t kUsualResults = 10;
constexpr std::int64_t kMostResults = 100;

Json to_json(const SearchResult& result) {
  return Json::object({{"path", result.path},
                       {"session_token", result.token.to_string()},
                       {"project", text_or_null(result.project)},
                       {"kind", lineage::to_string(result.kind)},
                       {"score", result.score},
                       {"snippet", result.snippet.text},
                       {"membership_ts", lineage::to_string(result.membership)}});
}

std::string block(const SearchResult& result) {
  std::string text = lineage::to_string(result.membership);
  text.append("  ").append(lineage::to_string(result.kind)).append("  ");
  text.append(base::printable(result.path)).append("\n");
  return text.append(base::printable(result.snippet.text));
}

Reason reason_of(const SearchReport& report) {
  if (report.no_terms) {
    return {"no-terms", "There is nothing to look for: the query holds no word."};
  }
  if (report.results.empty()) {
    return {"nothing-found",
            "Nothing was found: all words must occur in a note. Leave words out, write 'word*' "
            "for beginnings or 'a OR b', or ask recall in plain words."};
  }
  return {};
}

ToolAnswer answer_of(const std::string& query, const SearchReport& report) {
  const Reason reason = reason_of(report);
  ToolAnswer answer;
  Json results = Json::array();
  for (const SearchResult& result : report.results) {
    results.push_back(to_json(result));
    answer.text.append(answer.text.empty() ? "" : "\n\n").append(block(result));
  }
  answer.text += reason.words;
  answer.text += shortcomings(report.changed, report.months_behind, report.unreadable.size());
  answer.structured = Json::object({{"query", query},
                                    {"reason", text_or_null(reason.name)},
                                    {"older_left_out", report.older_left_out},
                                    {"changed", report.changed},
                                    {"results", std::move(results)}});
  return answer;
}

Result<ToolAnswer> search_memory(const Call& call) {
  service::SearchRequest request;
  TRY_ASSIGN(static_cast<service::SearchScope&>(request), scope_of(call));
  request.query = text_argument(call.arguments, "query");
  request.limit = static_cast<std::size_t>(number_argument(call.arguments, "limit", kUsualResults));
  TRY_ASSIGN(const auto folder, call.memory.folder());
  TRY_ASSIGN(const auto config, call.memory.config());
  TRY_ASSIGN(const auto redaction,
             service::redaction_policy(call.memory.disk(), folder.workspace(), config));
  request.redaction = &redaction;
  TRY(call.go_on());
  TRY_ASSIGN(const auto report, service::search(call.memory.disk(), folder, request));
  TRY_ASSIGN(const auto fresh, asked_freshness(call, folder, report.known_stale()));
  std::vector<state::TelemetrySubject> found;
  for (const SearchResult& result : report.results) {
    found.push_back({result.token, result.agent_id});
  }
  ToolAnswer answer = answer_of(request.query, report);
  put_freshness(answer.structured, fresh, report.last_sweep, report.generation);
  answer.afterwards = counted_as_found(call, folder, std::move(found));
  return answer;
}

Json output_schema() {
  Json result = Json::object({{"path", typed("string")},
                              {"session_token", typed("string")},
                              {"project", nullable("string")},
                              {"kind", typed("string")},
                              {"score", typed("number")},
                              {"snippet", typed("string")},
                              {"membership_ts", typed("string")}});
  Json properties = Json::object({{"query", typed("string")},
                                  {"reason", nullable("string")},
                                  {"older_left_out", typed("boolean")},
                                  {"changed", list_of(typed("string"))},
                                  {"results", list_of(answer_schema(std::move(result)))}});
  add_freshness_schema(properties);
  return answer_schema(std::move(properties));
}

}  // namespace

Tool memory_search_tool() {
  Json input = Json::object(
      {{"query",
        text_schema("Words that must all occur. \"in quotes\" side by side, word* beginning so, "
                    "a OR b either, -word without it",
                    kLongestQuery,
                    1)},
       {"limit", integer_schema("At most so many notes (10)", 1, kMostResults)}});
  add_scope_schema(input);
  return {"memory_search",
          "Search the memory",
          "Finds notes of sessions that hold exact words, best matches first. What was remembered "
          "is not among them: use recall or list_memories for that, and recall for a question in "
          "plain words.",
          Effect::reads,
          true,
          object_schema(std::move(input), {"query"}),
          output_schema(),
          search_memory};
}

}  // namespace daybook::mcp

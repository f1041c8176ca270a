// SPDX-License-Identifier: MIT
#include "daybook/recall/answer.hpp"

#include "daybook/service/answer_json.hpp"

#include <cstdio>
#include <span>
#include <string_view>

namespace daybook::recall {

using base::Json;

namespace {

std::vector<std::string> remarks_on(const std::string& mode_note, bool query_cut) {
  std::vector<std::string> remarks;
  if (!mode_note.empty()) {
    remarks.push_back(mode_note);
  }
  if (query_cut) {
    remarks.emplace_back("the question holds more than is looked for; the rest of it is left out");
  }
  return remarks;
}

Json to_json(std::span<const NamedMemory> memories) {
  Json list = Json::array();
  for (const NamedMemory& memory : memories) {
    list.push_back(Json::object({{"section", memory.section}, {"id", memory.id}}));
  }
  return list;
}

}  // namespace

lineage::MemoryType type_of(const Recalled& result) {
  return result.learning ? lineage::memory_type_of(result.learning->learning.kind)
                         : lineage::MemoryType::episodic;
}

std::string category_of(const Recalled& result) {
  return result.learning ? result.learning->learning.category : "session";
}

lineage::Timestamp time_of(const Recalled& result) {
  return result.learning ? result.learning->learning.created_at : result.session.membership;
}

std::string wikilink(const Recalled& result) {
  const std::string_view label =
      result.learning ? to_string(result.learning->learning.kind) : to_string(*result.note.kind);
  return "[[" + result.note.path() + "|" + std::string(label) + "]]";
}

std::string head_line(const Recalled& result) {
  char score[32];
  std::snprintf(score, sizeof score, "%.3f", result.score);
  std::string head("[Type: ");
  head.append(to_string(type_of(result))).append(" | Category: ").append(category_of(result));
  head.append(" | Score: ").append(score).append(" | ");
  return head.append(lineage::to_string(time_of(result))).append("]");
}

std::vector<std::string> remarks(const RecallReport& report) {
  return remarks_on(report.mode_note, report.question_cut);
}

std::vector<std::string> remarks(const Context& context) {
  return remarks_on(context.mode_note, context.query_cut);
}

Json to_json(const Why& why) {
  return Json::object({{"terms", why.terms},
                       {"text_place", why.text_place},
                       {"text_score", why.text_score},
                       {"vector_place", why.vector_place},
                       {"vector_score", why.vector_score}});
}

void put_mode(Json& answer, std::optional<ModeReason> reason, bool query_cut) {
  answer["mode"] = reason ? Json(mode_name(*reason)) : Json(nullptr);
  answer["mode_reason"] =
      reason ? service::text_or_null(std::string(to_string(*reason))) : Json(nullptr);
  answer["query_cut"] = query_cut;
}

Json to_json(const Context& context) {
  Json json = Json::object(
      {{"context", context.prompt.text},
       {"tokens", context.prompt.tokens},
       {"budget_tokens", context.budget_tokens},
       {"model_window", context.model_window ? Json(*context.model_window) : Json(nullptr)},
       {"packed", !context.prompt.text.empty()},
       {"session_known", context.session_known}});
  put_mode(json, context.mode_reason, context.query_cut);
  json["kept"] = to_json(context.prompt.kept);
  json["omitted"] = to_json(listed_omissions(context));
  json["omitted_total"] = context.omitted.size();
  return json;
}

}  // namespace daybook::recall

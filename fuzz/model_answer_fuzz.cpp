// SPDX-License-Identifier: MIT
//
// What a model, or whoever answers in its place, sends. A body that is no whole answer is refused
// with a reason; what was said comes out as it was said. An answer is then taken or refused, never
// both: a sentence that is taken is one plain line that the gate lets pass, a summary holds no
// link, and neither holds anything that a second sanitising would take out.
#include "capture/answer_judge.hpp"
#include "capture/prompt.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "model/chat.hpp"
#include "require.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace capture = daybook::capture;
namespace model = daybook::model;
using daybook::fuzz::require;
using nlohmann::json;

constexpr std::string_view kText =
    "The tide gauge in src/tide/harmonics.cpp lost its `fit()` (#12).";

bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
  });
}

void require_one(const capture::Verdict& verdict) {
  require(verdict.text.empty() != verdict.refusal.empty(), "an answer is taken or refused");
  require(daybook::base::is_valid_utf8(verdict.text), "what is taken is UTF-8");
  require(!has_controls(verdict.text), "what is taken holds no control characters");
  require(verdict.text.empty() ||
              daybook::redact::sanitize(verdict.text, {}) == std::string(verdict.text).append("\n"),
          "what is taken is sanitised");
}

void try_sentence(std::string_view answer) {
  const auto question = capture::ask_for_sentence("tides", kText);
  const daybook::lineage::SentenceContext context{"/home/dev/tides", kText};
  const auto verdict = capture::judge_sentence(answer, question, context, {});
  require_one(verdict);
  if (!verdict.text.empty()) {
    require(verdict.text.find('\n') == std::string::npos, "a sentence is one line");
    require(daybook::lineage::sentence_flaws(verdict.text, context).empty(),
            "a sentence that is taken passes the gate");
    require(verdict.text.find(question.mark) == std::string::npos, "a sentence repeats no mark");
  }
}

void try_summary(std::string_view answer) {
  const auto verdict = capture::judge_summary(answer, capture::ask_for_summary(kText), {});
  require_one(verdict);
  daybook::parse::find_wikilinks(verdict.text, [](const daybook::parse::Wikilink&) {
    require(false, "a summary holds no link");
  });
}

void try_body(std::string_view body) {
  const auto answer = model::chat_answer(body);
  if (!answer) {
    require(answer.error().kind == daybook::ErrorKind::damaged, "a body that is none is damaged");
    require(!answer.error().message.empty(), "a refusal says why");
    return;
  }
  require(daybook::base::is_valid_utf8(*answer), "an answer is UTF-8");
  try_sentence(*answer);
}

/// Text -> request and answer -> the same text.
void try_text(const std::string& text) {
  const json request = json::parse(model::chat_request(text, {text, text}), nullptr, false);
  require(request.is_object(), "a request is JSON whatever the prompt");
  if (!daybook::base::is_valid_utf8(text)) {
    return;
  }
  require(request.at("messages").at(1).at("content") == text, "a prompt is handed on as it is");
  const json body{{"choices", {{{"message", {{"content", text}}}, {"finish_reason", "stop"}}}}};
  const auto answer = model::chat_answer(body.dump());
  require(answer && *answer == text, "an answer is handed on as it is");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try_body(text);
  try_text(text);
  try_sentence(text);
  try_summary(text);
  return 0;
}

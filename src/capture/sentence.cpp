// SPDX-License-Identifier: MIT
#include "daybook/capture/sentence.hpp"

#include "capture/answer_judge.hpp"
#include "capture/plain_sentence.hpp"
#include "capture/prompt.hpp"
#include "capture/refusal_log.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/lineage/fallback_sentence.hpp"

namespace daybook::capture {
namespace {

std::string_view basename_of(std::string_view path) {
  while (path.ends_with('/') || path.ends_with('\\')) {
    path.remove_suffix(1);
  }
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string why_none(const Error& error) {
  return error.hint.empty() ? error.message : error.message + ". " + error.hint;
}

Verdict sentence_by(model::Model& model,
                    const SentenceFacts& facts,
                    const std::string& project,
                    const redact::Policy& policy) {
  const bool has_body = !trimmed(facts.body).empty();
  const Question question = ask_for_sentence(
      basename_of(project), sanitised_excerpt(has_body ? facts.body : facts.session_text, policy));
  const auto answer = model.answer(question.prompt);
  if (!answer) {
    return {{}, why_none(answer.error())};
  }
  const lineage::SentenceContext context{
      project, facts.session_text.empty() ? facts.body : facts.session_text};
  return judge_sentence(*answer, question, context, policy);
}

std::string fallback(const SentenceFacts& facts,
                     const std::string& project,
                     const redact::Policy& policy) {
  const std::string body = sanitised_beginning(facts.body, policy);
  return lineage::fallback_sentence({facts.kind, project, body, facts.body_bytes});
}

}  // namespace

Sentence make_sentence(model::Model* model,
                       const SentenceFacts& facts,
                       const redact::Policy& policy,
                       lineage::Timestamp now) {
  const std::string project(trimmed(redact::sanitize(facts.project, policy)));
  Sentence made;
  made.sentence.version = kSentenceVersion;
  made.sentence.generated_at = now;
  if (model != nullptr) {
    const base::Stopwatch watch;
    Verdict verdict = sentence_by(*model, facts, project, policy);
    if (verdict.refusal.empty()) {
      made.sentence.text = std::move(verdict.text);
      made.sentence.quality = lineage::SentenceQuality::ok;
      return made;
    }
    log_refusal("the model's sentence was not taken", verdict.refusal, watch.seconds());
    made.refusal = std::move(verdict.refusal);
  }
  made.sentence.text = fallback(facts, project, policy);
  made.sentence.quality = lineage::SentenceQuality::fallback;
  return made;
}

ModelSummary make_summary(model::Model& model,
                          std::string_view session_text,
                          const redact::Policy& policy) {
  const base::Stopwatch watch;
  const Question question = ask_for_summary(sanitised_excerpt(session_text, policy));
  const auto answer = model.answer(question.prompt);
  Verdict verdict =
      answer ? judge_summary(*answer, question, policy) : Verdict{{}, why_none(answer.error())};
  if (verdict.refusal.empty()) {
    return {std::move(verdict.text), {}};
  }
  log_refusal("the model's summary was not taken", verdict.refusal, watch.seconds());
  return {std::nullopt, std::move(verdict.refusal)};
}

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
#include "daybook/recall/asked_question.hpp"

#include "daybook/recall/recall.hpp"
#include "recall/vector_question.hpp"

#include <utility>

namespace daybook::recall {

std::string_view to_string(ModeReason reason) {
  switch (reason) {
    case ModeReason::none:
      return "";
    case ModeReason::not_configured:
      return "not-configured";
    case ModeReason::asked_for:
      return "asked-for";
    case ModeReason::no_vectors:
      return "no-vectors";
    case ModeReason::other_model:
      return "other-model";
    case ModeReason::endpoint:
      break;
  }
  return "endpoint";
}

std::string_view mode_name(ModeReason reason) {
  return reason == ModeReason::none ? "hybrid" : "lexical";
}

Result<AskedQuestion> prepare_question(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       const RecallRequest& request) {
  AskedQuestion question;
  TRY_ASSIGN(question.words, index::Question::parse(request.query));
  if (question.words.is_empty()) {
    return question;
  }
  if (request.config == nullptr) {
    question.mode_reason = ModeReason::asked_for;
    return question;
  }
  VectorQuestion meant =
      vector_of_question(disk, folder, *request.config, request.query, request.cancelled);
  question.vector = std::move(meant.vector);
  question.identity = std::move(meant.identity);
  question.mode_reason = meant.reason;
  question.mode_note = std::move(meant.note);
  return question;
}

}  // namespace daybook::recall

// SPDX-License-Identifier: MIT
//
// A model's answer -> the sentence or summary in it, or the reason why it is refused: a few stable
// words that hold nothing of the answer. Strict, because MEMORY.md is read by agents: a refusal
// costs a plainer sentence, a mistake could forge a row or give an order. Linear time. Pure.
#pragma once

#include "capture/prompt.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <string>
#include <string_view>

namespace daybook::capture {

struct Verdict {
  std::string text;     ///< sanitised; only if nothing is refused
  std::string refusal;  ///< `several-lines`, `markup`, `no-anchor`, …; empty: taken
};

/// Marks of a list before the sentence and quotes around it are taken off; nothing else is mended.
Verdict judge_sentence(std::string_view answer,
                       const Question& question,
                       const lineage::SentenceContext& context,
                       const redact::Policy& policy);

/// A code fence around the whole is taken off.
Verdict judge_summary(std::string_view answer,
                      const Question& question,
                      const redact::Policy& policy);

}  // namespace daybook::capture

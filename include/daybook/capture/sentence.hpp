// SPDX-License-Identifier: MIT
//
// What a session has left -> its memory_sentence, and a summary where none was given: by a model if
// there is one, else deterministic. A model's answer is text from outside and never trusted: it is
// judged, sanitised and judged again, and refused for any doubt; then the fallback stands, the
// reason is logged without a word of the text, and returned. Only sanitised text is sent: it is
// sanitised here once more as a whole, and only then cut. One thread a model; writes nothing; takes
// as long as the model may.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/model/model.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::capture {

inline constexpr std::string_view kSentenceVersion = "memory_sentence_v1";

struct SentenceFacts {
  lineage::Kind kind = lineage::Kind::summary;  ///< of the artifact that `body` is taken from
  std::string_view project;                     ///< path or name; may be empty
  std::string_view body;                        ///< sanitised summary or compaction
  std::uint64_t body_bytes = 0;                 ///< size of the whole body
  /// Sanitised; where components must be named to count as an anchor. Empty: the body.
  std::string_view session_text;
};

struct Sentence {
  lineage::MemorySentence sentence;  ///< always passes the gate
  /// Why the model's answer was not taken; empty if it was, or there is no model. Holds no text of
  /// the session and none of the answer.
  std::string refusal;
};

/// `model` may be null. It is shown the body or, where that is blank, the session's text.
Sentence make_sentence(model::Model* model,
                       const SentenceFacts& facts,
                       const redact::Policy& policy,
                       lineage::Timestamp now);

struct ModelSummary {
  std::optional<std::string> text;  ///< markdown, sanitised, without links into the vault
  std::string refusal;              ///< why there is none
};

ModelSummary make_summary(model::Model& model,
                          std::string_view session_text,
                          const redact::Policy& policy);

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
//
// What a session's files say of themselves -> the sentence that stands in for a missing or refused
// memory_sentence: the project's basename, the first heading or sentence of the body without its
// markup, the first sentence below `## Outcome`, how the run ended unless it completed, and the
// body's size. The same facts always give the same sentence; it is valid UTF-8 on
// one line, at most 400 characters, and passes the gate (sentence_gate) whatever the facts are,
// because it names the file that it was made from. Pure; any thread; cannot fail.
#pragma once

#include "daybook/lineage/kind.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::lineage {

struct FallbackFacts {
  Kind kind = Kind::summary;     ///< of the artifact that the body was taken from
  std::string_view project;      ///< path or name; may be empty
  std::string_view body;         ///< raw or normalised; only its beginning, cut anywhere
  std::uint64_t body_bytes = 0;  ///< size of the whole body
};

/// No more of a body than this is looked at: callers need not hand over more.
inline constexpr std::size_t kFallbackBodyBytes = 8 * 1024;

std::string fallback_sentence(const FallbackFacts& facts);

}  // namespace daybook::lineage

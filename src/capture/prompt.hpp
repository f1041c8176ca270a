// SPDX-License-Identifier: MIT
//
// Text of a session -> what a model is asked. The text is sanitised whole, then cut to its
// beginning and end, and stands between two lines that nobody who wrote it could know, so that it
// can neither end itself nor begin anything else. The same text always gives the same prompt. Pure.
#pragma once

#include "daybook/model/model.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <string>
#include <string_view>

namespace daybook::capture {

/// Of the beginning, and as much of the end.
inline constexpr std::size_t kExcerptBytes = std::size_t{6} * 1024;

/// Sanitised, then cut between characters; a line in the middle says how much is left out.
std::string sanitised_excerpt(std::string_view text, const redact::Policy& policy);

/// Sanitised; only the beginning, as much of it as a fallback sentence looks at.
std::string sanitised_beginning(std::string_view text, const redact::Policy& policy);

struct Question {
  model::Prompt prompt;
  std::string mark;  ///< the line around the text
};

/// Both take sanitised text.
Question ask_for_sentence(std::string_view project_name, std::string_view excerpt);
Question ask_for_summary(std::string_view excerpt);

}  // namespace daybook::capture

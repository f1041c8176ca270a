// SPDX-License-Identifier: MIT
//
// A transcript that is plain text, in pieces -> the same text as valid UTF-8, and a guess at what
// was asked and answered: by lines such as `User:`, `**Human:**`, `## Assistant · 12:30`, else the
// first and the last paragraph. Memory is bounded by the outline's limits.
#pragma once

#include "harness/outline_builder.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::harness {

class TextOutline {
 public:
  explicit TextOutline(SessionOutline& outline) : outline_(outline) {}

  void feed(std::string_view piece, std::string& out);
  void finish(std::string& out);

 private:
  enum class Role : std::uint8_t { none, user, assistant };

  void pass_on(std::string_view text);
  void end_line();
  void speak(Role role, std::string_view rest);
  void keep(std::string_view line);
  void end_segment();

  SessionOutline& outline_;
  std::string cut_;   // the beginning of a character, from the last piece
  std::string line_;  // at most kOutlineTextBytes of it
  std::string segment_;
  std::string first_paragraph_;
  std::string last_paragraph_;
  std::string paragraph_;
  Role role_ = Role::none;
  bool roles_ = false;
};

}  // namespace daybook::harness

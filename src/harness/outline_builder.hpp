// SPDX-License-Identifier: MIT
//
// Facts about a session, as they turn up -> its outline, within its bounds. Views are JSON strings
// as written; what is kept is decoded and valid UTF-8. One builder belongs to one rendering.
#pragma once

#include "daybook/harness/session_file.hpp"
#include "harness/json_view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::harness {

class OutlineBuilder {
 public:
  explicit OutlineBuilder(SessionOutline& outline) : outline_(outline) {}

  /// Sets a field that has nothing yet.
  static void set_once(std::string& field, const JsonView& text);
  /// Sets it to the newest that is not empty.
  static void set_newest(std::string& field, const JsonView& text);

  /// The line's own time, if it has one; also counted into the session's beginning and end.
  std::optional<lineage::Timestamp> time(const JsonView& text);

  /// What a person wrote. The first counts; an interruption before it is over.
  void asked(std::string_view text);
  /// A command of the harness, which stands in when nothing else was asked.
  void commanded(std::string_view text);
  void answered(std::string_view text);
  /// The assistant did something else than answer: what stood in its way is over.
  void went_on();
  void failed(std::string_view error);
  void interrupted();
  void compacted(std::string_view summary);
  void touched_file(std::string_view path);
  /// A shell's command line: its program's name is kept.
  void touched_command(std::string_view command);

  /// Once, at the end.
  void finish();

 private:
  void touch(std::string name);

  SessionOutline& outline_;
  std::string command_;
};

/// The program that a command line runs: without assignments, `sudo`, a `cd` before it, its folder.
/// Empty if that is no plain word.
std::string main_word(std::string_view command);

}  // namespace daybook::harness

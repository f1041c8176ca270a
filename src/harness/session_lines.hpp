// SPDX-License-Identifier: MIT
//
// The lines of a session file, one by one -> calls of the turn writer and notes for the outline.
// One reader a harness. A reader belongs to one rendering.
#pragma once

#include "harness/claude_line.hpp"
#include "harness/json_view.hpp"
#include "harness/outline_builder.hpp"
#include "harness/turn_writer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::harness {

/// What became of a line.
enum class LineFate : std::uint8_t { shown, skipped, unknown, broken };

/// What the readers of both harnesses share.
struct SessionPens {
  SessionOutline& outline;
  OutlineBuilder notes;
  TurnWriter turns;
  CleanText clean;      // of what is cut; may be empty
  std::string scratch;  // a message's text, decoded

  SessionPens(SessionOutline& session, CleanText cleaning)
      : outline(session), notes(session), turns(session), clean(std::move(cleaning)) {}

  /// The text of a JSON string, decoded and valid; good until the next call.
  const std::string& text_of(const JsonView& view);
};

class ClaudeLines {
 public:
  explicit ClaudeLines(SessionPens& pens) : pens_(pens) {}
  LineFate read(std::string_view line);
  /// Once, behind the last line.
  void finish();

 private:
  LineFate user(const ClaudeLine& line);
  LineFate assistant(const ClaudeLine& line);
  LineFate system(const ClaudeLine& line);
  LineFate attachment(const ClaudeLine& line);
  /// True if something was shown.
  bool user_text(const ClaudeLine& line, const JsonView& text);
  bool user_block(const ClaudeLine& line, const ClaudeBlock& parts);
  bool assistant_block(const ClaudeLine& line, const ClaudeBlock& parts);
  void called(const JsonView& name, const JsonView& id, const JsonView& input);
  /// What a person said by way of a tool; before its call is written.
  std::string said_in_result(const ClaudeBlock& block);
  void identify(const ClaudeLine& line);
  void entitle(const ClaudeLine& line);
  /// A sub-agent's lines in the file of its parent are not what the session asked or answered.
  bool is_aside(const ClaudeLine& line) const { return line.sidechain && !sub_agent_; }

  SessionPens& pens_;
  std::vector<ClaudeBlock> blocks_;  // of the line that is read
  bool sub_agent_ = false;           // the file is one sub-agent's
  std::string some_session_id_;
  std::string model_title_;
  std::string summary_title_;
  std::string own_title_;
};

class CodexLines {
 public:
  explicit CodexLines(SessionPens& pens) : pens_(pens) {}
  LineFate read(std::string_view line);

 private:
  struct Item;
  LineFate item(const JsonView& payload, std::optional<lineage::Timestamp> time);
  LineFate message(const Item& item, std::optional<lineage::Timestamp> time);
  LineFate event(const JsonView& payload);
  void session(const JsonView& payload);
  void call(const Item& item, std::optional<lineage::Timestamp> time);
  void result(const Item& item);

  SessionPens& pens_;
};

}  // namespace daybook::harness

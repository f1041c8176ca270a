// SPDX-License-Identifier: MIT
//
// What was said and done, in the order of the file -> markdown blocks: headings, quotes, one list
// item a tool call. A call waits for its result, so that both are one item; at most kMostWaiting
// do, and whatever is said next writes them out without it. One writer belongs to one rendering.
#pragma once

#include "daybook/harness/session_file.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::harness {

enum class Speaker : std::uint8_t { nobody, user, assistant, sub_user, sub_assistant, compaction };
enum class Outcome : std::uint8_t { done, failed };

struct ToolCall {
  std::string id;  ///< as written; only compared
  std::string name;
  std::string argument;  ///< may be empty
  std::uint64_t input_bytes = 0;
};

class TurnWriter {
 public:
  static constexpr std::size_t kMostWaiting = 64;

  explicit TurnWriter(SessionOutline& outline) : outline_(outline) {}

  /// Where everything goes until the next call.
  void write_to(std::string& out) { out_ = &out; }

  /// Who speaks from here on. The heading is written with the first words. An assistant goes on
  /// under the heading it has; each message of anybody else gets its own.
  void speaker(Speaker speaker, std::optional<lineage::Timestamp> time);

  /// Valid UTF-8 of any length; blank text is nothing.
  void say(std::string_view text);
  /// A short remark of ours, such as `[image, 34 KB]`; no text from outside.
  void remark(std::string_view words);
  /// A remark that belongs to no turn.
  void aside(std::string_view words);
  void call(ToolCall call);
  void result(std::string_view id, std::uint64_t bytes, Outcome outcome);
  /// The tool of a call that has no result yet; empty if there is no such call. Good until the next
  /// call of any of these.
  std::string_view waiting_tool(std::string_view id) const;
  /// Calls that still wait are written without a result.
  void flush_calls();

 private:
  enum class Block : std::uint8_t { none, list, other };
  struct Waiting {
    ToolCall call;
    bool written = false;  // without its result
  };

  void heading();
  void block(Block kind);
  void write_call(const ToolCall& call, std::string_view result);

  SessionOutline& outline_;
  std::string* out_ = nullptr;
  std::deque<Waiting> waiting_;
  Speaker current_ = Speaker::nobody;
  Speaker wanted_ = Speaker::nobody;
  std::optional<lineage::Timestamp> wanted_time_;
  bool fresh_ = false;  // the wanted speaker has not spoken yet
  Block last_ = Block::none;
};

}  // namespace daybook::harness

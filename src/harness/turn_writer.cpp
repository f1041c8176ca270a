// SPDX-License-Identifier: MIT
#include "harness/turn_writer.hpp"

#include "harness/quoted_text.hpp"

#include <algorithm>
#include <utility>

namespace daybook::harness {
namespace {

std::string_view title_of(Speaker speaker) {
  switch (speaker) {
    case Speaker::user:
      return "User";
    case Speaker::assistant:
      return "Assistant";
    case Speaker::sub_user:
      return "User (sub-agent)";
    case Speaker::sub_assistant:
      return "Assistant (sub-agent)";
    case Speaker::compaction:
      return "Compaction summary";
    case Speaker::nobody:
      break;
  }
  return "Note";
}

bool goes_on(Speaker speaker) {
  return speaker == Speaker::assistant || speaker == Speaker::sub_assistant;
}

}  // namespace

void TurnWriter::speaker(Speaker speaker, std::optional<lineage::Timestamp> time) {
  wanted_ = speaker;
  wanted_time_ = time;
  fresh_ = true;
}

void TurnWriter::heading() {
  if (wanted_ == current_ && (!fresh_ || goes_on(current_))) {
    fresh_ = false;
    return;
  }
  flush_calls();
  block(Block::other);
  *out_ += "## ";
  *out_ += title_of(wanted_);
  if (wanted_time_) {
    std::string time = to_string(*wanted_time_).substr(0, 19);
    std::replace(time.begin(), time.end(), 'T', ' ');
    *out_ += " · " + time;
  }
  *out_ += '\n';
  outline_.turns += wanted_ == Speaker::compaction ? 0U : 1U;
  current_ = wanted_;
  fresh_ = false;
}

// Blocks have one blank line between them; items of one list have none.
void TurnWriter::block(Block kind) {
  if (last_ == Block::other || (last_ == Block::list && kind != Block::list)) {
    *out_ += '\n';
  }
  last_ = kind;
}

void TurnWriter::say(std::string_view text) {
  if (trimmed(text).empty()) {
    return;
  }
  heading();
  flush_calls();
  block(Block::other);
  append_quote(text, *out_);
}

void TurnWriter::remark(std::string_view words) {
  heading();
  flush_calls();
  block(Block::other);
  out_->append("> ").append(words).append("\n");
}

void TurnWriter::aside(std::string_view words) {
  flush_calls();
  block(Block::other);
  out_->append("*").append(words).append("*\n");
}

void TurnWriter::call(ToolCall call) {
  heading();
  ++outline_.tool_calls;
  call.id.resize(std::min<std::size_t>(call.id.size(), 128));
  if (waiting_.size() == kMostWaiting) {
    if (!waiting_.front().written) {
      write_call(waiting_.front().call, "no result");
    }
    waiting_.pop_front();
  }
  waiting_.push_back({std::move(call), false});
}

void TurnWriter::result(std::string_view id, std::uint64_t bytes, Outcome outcome) {
  std::string words = "result " + size_text(bytes);
  if (outcome == Outcome::failed) {
    ++outline_.failed_tool_calls;
    words += ", failed";
  }
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
    return waiting.call.id == id.substr(0, 128);
  });
  if (found == waiting_.end()) {
    block(Block::list);
    out_->append("- *a call that is not in this file* (").append(words).append(")\n");
  } else if (found->written) {
    block(Block::list);
    out_->append("- **").append(found->call.name).append("**, above (").append(words).append(")\n");
    waiting_.erase(found);
  } else {
    write_call(found->call, words);
    waiting_.erase(found);
  }
}

std::string_view TurnWriter::waiting_tool(std::string_view id) const {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
    return waiting.call.id == id.substr(0, 128);
  });
  return found == waiting_.end() ? std::string_view() : std::string_view(found->call.name);
}

void TurnWriter::flush_calls() {
  for (Waiting& waiting : waiting_) {
    if (!waiting.written) {
      write_call(waiting.call, "no result");
      waiting.written = true;
    }
  }
}

void TurnWriter::write_call(const ToolCall& call, std::string_view result) {
  block(Block::list);
  out_->append("- **").append(call.name).append("**");
  if (!call.argument.empty()) {
    out_->append(" ").append(code_span(call.argument));
  }
  out_->append(" (input ").append(size_text(call.input_bytes)).append(", ").append(result);
  out_->append(")\n");
}

}  // namespace daybook::harness

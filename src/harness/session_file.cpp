// SPDX-License-Identifier: MIT
#include "daybook/harness/session_file.hpp"

#include "harness/line_splitter.hpp"
#include "harness/quoted_text.hpp"
#include "harness/session_lines.hpp"
#include "harness/text_outline.hpp"

#include <algorithm>
#include <array>

namespace daybook::harness {
namespace {

/// The members of an object whose end may be missing: the beginning is cut anywhere.
Format format_of_line(std::string_view line) {
  std::string_view type;
  bool payload = false;
  bool claude = false;
  bool codex_meta = false;
  bool id = false;
  bool timestamp = false;
  each_member({JsonKind::object, line}, [&](std::string_view key, const JsonView& value) {
    type = key == "type" && value.is_string() ? value.raw : type;
    payload = payload || key == "payload";
    claude = claude || key == "sessionId" || key == "leafUuid" || key == "messageId" ||
             key == "parentUuid" || key == "isSidechain";
    codex_meta = codex_meta || key == "instructions" || key == "record_type";
    id = id || key == "id";
    timestamp = timestamp || key == "timestamp";
  });
  static constexpr std::array<std::string_view, 5> kCodexTypes{
      "session_meta", "response_item", "event_msg", "turn_context", "compacted"};
  static constexpr std::array<std::string_view, 6> kItemTypes{"message",
                                                              "function_call",
                                                              "function_call_output",
                                                              "reasoning",
                                                              "local_shell_call",
                                                              "custom_tool_call"};
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), type) != names.end();
  };
  if (claude) {
    return Format::claude_code;
  }
  const bool codex = among(kCodexTypes) || payload || among(kItemTypes) ||
                     (codex_meta && (id || timestamp)) || (codex_meta && type.empty());
  return codex ? Format::codex : Format::text;
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::claude_code:
      return "claude-code";
    case Format::codex:
      return "codex";
    case Format::text:
      break;
  }
  return "";
}

// A broken or unknown line in front decides nothing: the first that can be told does.
Format recognise(std::string_view beginning) {
  beginning = beginning.substr(0, kRecognisedBytes);
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    const std::string_view line = trimmed(beginning.substr(0, end));
    if (line.starts_with('{')) {
      const Format format = format_of_line(line);
      if (format != Format::text) {
        return format;
      }
    }
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
  }
  return Format::text;
}

const std::string& SessionPens::text_of(const JsonView& view) {
  if (scratch.capacity() > std::size_t{1024} * 1024) {
    std::string().swap(scratch);  // one long message must not cost its memory for ever
  }
  scratch.clear();
  if (view.is_string()) {
    append_decoded(view.raw, scratch);
    repair_utf8(scratch);
  }
  return scratch;
}

class TranscriptRenderer::Work {
 public:
  Work(Format format, CleanText clean) : format_(format), pens_(outline_, std::move(clean)) {
    outline_.harness = std::string(to_string(format));
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() = default;

  void feed(std::string_view piece, std::string& out) {
    if (format_ == Format::text) {
      text_.feed(piece, out);
      return;
    }
    pens_.turns.write_to(out);
    splitter_.feed(piece, *this);
  }

  void finish(std::string& out) {
    if (format_ == Format::text) {
      text_.finish(out);
      return;
    }
    pens_.turns.write_to(out);
    splitter_.finish(*this);
    pens_.turns.flush_calls();
    if (format_ == Format::claude_code) {
      claude_.finish();
    }
    pens_.notes.finish();
  }

  /// One line without its end.
  void line(std::string_view text) {
    const std::string_view line = trimmed(text);
    if (line.empty()) {
      return;
    }
    ++outline_.lines;
    const LineFate fate = format_ == Format::claude_code ? claude_.read(line) : codex_.read(line);
    outline_.skipped_lines += fate == LineFate::skipped ? 1U : 0U;
    outline_.unknown_lines += fate == LineFate::unknown ? 1U : 0U;
    outline_.broken_lines += fate == LineFate::broken ? 1U : 0U;
  }

  void huge_line(std::uint64_t bytes) {
    ++outline_.lines;
    ++outline_.huge_lines;
    pens_.turns.aside("A line of " + size_text(bytes) + " was left out.");
  }

  const SessionOutline& outline() const { return outline_; }

 private:
  Format format_;
  SessionOutline outline_;
  SessionPens pens_;
  ClaudeLines claude_{pens_};
  CodexLines codex_{pens_};
  TextOutline text_{outline_};
  LineSplitter splitter_;
};

TranscriptRenderer::TranscriptRenderer(Format format, CleanText clean)
    : work_(std::make_unique<Work>(format, std::move(clean))) {}
TranscriptRenderer::TranscriptRenderer(TranscriptRenderer&&) noexcept = default;
TranscriptRenderer& TranscriptRenderer::operator=(TranscriptRenderer&&) noexcept = default;
TranscriptRenderer::~TranscriptRenderer() = default;

void TranscriptRenderer::feed(std::string_view piece, std::string& out) { work_->feed(piece, out); }
void TranscriptRenderer::finish(std::string& out) { work_->finish(out); }
const SessionOutline& TranscriptRenderer::outline() const { return work_->outline(); }

}  // namespace daybook::harness

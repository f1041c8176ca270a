// SPDX-License-Identifier: MIT
//
// Session files: whatever the bytes, and however they are cut, the markdown is the same, valid
// UTF-8, and no line of it is a heading of level two but ours. The first byte chooses format and
// pieces.
#include "daybook/base/utf8.hpp"
#include "daybook/harness/run_record.hpp"
#include "daybook/harness/session_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

namespace harness = daybook::harness;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

struct Rendered {
  std::string markdown;
  harness::SessionOutline outline;
};

Rendered render(harness::Format format, std::string_view text, std::size_t piece) {
  harness::TranscriptRenderer renderer(format);
  Rendered rendered;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    renderer.feed(text.substr(at, piece), rendered.markdown);
  }
  renderer.finish(rendered.markdown);
  rendered.outline = renderer.outline();
  return rendered;
}

bool is_ours(std::string_view line) {
  if (line.empty() || line.starts_with(">") || line.starts_with("- **") ||
      line.starts_with("- *a call ") || line.starts_with("*Interrupted") ||
      line.starts_with("*The context") || line.starts_with("*A line of ")) {
    return true;
  }
  return line.starts_with("## User") || line.starts_with("## Assistant") ||
         line.starts_with("## Compaction summary");
}

/// Also by those readers who end a line at other characters than LF.
void require_shape(std::string_view markdown) {
  require(markdown.find_first_of("\r\v\f") == std::string_view::npos);
  require(markdown.find("\u2028") == std::string_view::npos);
  require(markdown.find("\u0085") == std::string_view::npos);
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    require(end != std::string_view::npos);
    require(is_ours(markdown.substr(0, end)));
    markdown.remove_prefix(end + 1);
  }
}

void require_plain(std::string_view summary) {
  bool in_quote = false;
  for (const char c : summary) {
    in_quote = c == '>' || (in_quote && c != '\n');
    require(!in_quote || (c != '[' && c != '`' && c != '<'));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto format = static_cast<harness::Format>(data[0] % 3);
  harness::recognise(text);
  const Rendered whole = render(format, text, text.size() + 1);
  const Rendered cut = render(format, text, 1 + data[0] / 3U);
  require(whole.markdown == cut.markdown);
  require(whole.outline.request == cut.outline.request);
  require(whole.outline.last_outcome == cut.outline.last_outcome);
  require(whole.outline.session_id == cut.outline.session_id);
  require(whole.outline.broken_lines == cut.outline.broken_lines);
  require(daybook::base::is_valid_utf8(whole.markdown));
  if (format != harness::Format::text) {
    require_shape(whole.markdown);
  }
  const harness::SessionOutline& outline = whole.outline;
  for (const std::string* field : {&outline.session_id,
                                   &outline.project,
                                   &outline.title,
                                   &outline.request,
                                   &outline.last_outcome,
                                   &outline.error}) {
    require(daybook::base::is_valid_utf8(*field));
  }
  const std::string summary = harness::extractive_summary({harness::status_of(outline),
                                                           outline.request,
                                                           outline.last_outcome,
                                                           outline.error,
                                                           nullptr,
                                                           outline.turns,
                                                           outline.tool_calls});
  require(daybook::base::is_valid_utf8(summary));
  require_plain(summary);
  const auto record = harness::run_record(
      harness::status_of(outline), outline.request, outline.last_outcome, outline.error);
  require(!record.summary.empty() && record.summary.size() <= 4 * 480 + 3);
  return 0;
}

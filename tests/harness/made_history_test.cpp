// SPDX-License-Identifier: MIT
#include "support/made_history.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/harness/session_list.hpp"
#include "harness/rendering.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

using namespace daybook;
using namespace daybook::harness;

namespace {

std::vector<SessionFile> listed(const support::TempFolder& folder, Format format) {
  const std::string home = folder.at(format == Format::codex ? "codex" : "claude");
  return list_sessions(base::real_disk(), format, home).value().files;
}

}  // namespace

TEST_CASE("A made history is read as it was meant, whatever is planted in it") {
  const support::TempFolder folder;
  support::HistoryPlan plan;
  plan.files = 120;
  plan.huge_bytes = 300'000;
  const std::vector<support::MadeSession> made =
      support::make_history(folder.path().string(), plan);
  REQUIRE(made.size() == 120);
  CHECK(listed(folder, Format::claude_code).size() + listed(folder, Format::codex).size() == 120);

  for (const support::MadeSession& session : made) {
    CAPTURE(session.path);
    const std::string text = folder.read(session.path);
    const Format format = recognise(std::string_view(text).substr(0, kRecognisedBytes));
    REQUIRE(to_string(format) == session.harness);
    const Rendered rendered = render(format, text);
    const SessionOutline& outline = rendered.outline;
    CHECK(outline.session_id == session.session_id);
    CHECK(outline.parent_session_id == session.parent_session_id);
    CHECK(outline.project == session.project);
    CHECK(outline.request == session.request);
    CHECK(outline.lines == session.lines);
    CHECK(outline.broken_lines == session.broken_lines);
    CHECK(outline.unknown_lines == session.unknown_lines);
    CHECK(outline.tool_calls == session.tool_calls);
    CHECK_FALSE(outline.last_outcome.empty());
    CHECK(misshapen_line(rendered.markdown).empty());
    CHECK(base::is_valid_utf8(rendered.markdown));
    CHECK(rendered.markdown.size() < 200'000);
  }
}

TEST_CASE("The same seed makes the same history") {
  const support::TempFolder first;
  const support::TempFolder second;
  support::HistoryPlan plan;
  plan.files = 12;
  const auto made = support::make_history(first.path().string(), plan);
  support::make_history(second.path().string(), plan);
  for (const support::MadeSession& session : made) {
    CHECK(first.read(session.path) == second.read(session.path));
  }
}

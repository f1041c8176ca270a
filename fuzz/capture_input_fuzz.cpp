// SPDX-License-Identifier: MIT
//
// The JSON of `daybook capture` on standard input: refused with a reason, or taken with every text
// as UTF-8; and what the command line has said already stays.
//
// The input: a byte for the kind of capture, then the JSON.
#include "cli/capture_input.hpp"
#include "daybook/base/utf8.hpp"
#include "require.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace cli = daybook::cli;
using daybook::fuzz::require;

void require_texts(const cli::CaptureInput& input) {
  const auto& session = input.session;
  for (const std::string* text : {&session.agent_id,
                                  &session.session_id,
                                  &session.session_key,
                                  &session.project,
                                  &session.harness,
                                  &session.parent_session_id,
                                  &session.idempotency_key,
                                  &input.transcript,
                                  &input.transcript_path,
                                  &input.text,
                                  &input.error}) {
    require(daybook::base::is_valid_utf8(*text), "a text is UTF-8");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto kind = data[0] % 2 == 0 ? cli::CaptureKind::session_end : cli::CaptureKind::compaction;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  cli::CaptureInput input;
  const auto read = cli::read_capture_json(text, kind, input);
  if (!read) {
    require(read.error().kind == daybook::ErrorKind::usage, "a refusal is the caller's matter");
    require(!read.error().message.empty(), "a refusal says why");
    require(daybook::base::is_valid_utf8(read.error().message), "a refusal can be printed");
  }
  require_texts(input);

  cli::CaptureInput given;
  given.session.agent_id = "given";
  given.session.project = "/given";
  (void)cli::read_capture_json(text, kind, given);
  require(given.session.agent_id == "given" && given.session.project == "/given",
          "the command line comes first");
  return 0;
}

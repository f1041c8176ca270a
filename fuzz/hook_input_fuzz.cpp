// SPDX-License-Identifier: MIT
//
// A hook's input, and the settings file that names the hook: no crash; texts are valid UTF-8; hooks
// that were put in are put in once, and taken out leave the bytes from before.
#include "daybook/base/utf8.hpp"
#include "daybook/harness/hook_input.hpp"
#include "daybook/harness/hook_settings.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Such a file counts as none, and which blanks it had is forgotten.
bool is_blank(std::string_view text) {
  text.remove_prefix(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void try_settings(std::string_view text) {
  namespace harness = daybook::harness;
  constexpr std::string_view kCommand = "/usr/bin/daybook hook claude-code";
  const auto clean = harness::without_hooks(text);
  const auto with = harness::with_hooks(text, kCommand);
  require(clean.ok() || !with.ok() || is_blank(text));
  if (!with.ok()) {
    return;
  }
  const auto again = harness::with_hooks(*with, kCommand);
  require(again.ok() && *again == *with);
  const auto without = harness::without_hooks(*with);
  require(without.ok());
  // Settings that had hooks of ours before are cleaned of those, too.
  if (*clean == text && !is_blank(text)) {
    require(*without == text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto input = daybook::harness::read_hook_input(text);
  if (input.ok()) {
    require(!input->event_name.empty());
    for (const std::string* field : {&input->event_name,
                                     &input->session_id,
                                     &input->transcript_path,
                                     &input->cwd,
                                     &input->compact_summary}) {
      require(daybook::base::is_valid_utf8(*field));
    }
  } else {
    require(!input.error().message.empty());
  }
  try_settings(text);
  return 0;
}

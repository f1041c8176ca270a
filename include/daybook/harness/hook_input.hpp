// SPDX-License-Identifier: MIT
//
// What Claude Code writes to a hook's standard input -> its fields. Unknown fields and events are
// let be, since newer versions add some; text that is no JSON object, too large or nested too
// deeply is an Error that says where. No state, no static initialisation: a hook has milliseconds.
// Pure.
#pragma once

#include "daybook/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::harness {

enum class HookEvent : std::uint8_t {
  session_start,
  pre_compact,
  post_compact,
  session_end,
  other
};

struct HookInput {
  HookEvent event = HookEvent::other;
  std::string event_name;  ///< as written: `SessionEnd`
  std::string session_id;
  std::string transcript_path;
  std::string cwd;
  std::string reason;   ///< SessionEnd: clear, logout, prompt_input_exit, …
  std::string trigger;  ///< PreCompact, PostCompact: manual or auto
  std::string source;   ///< SessionStart: startup, resume, clear, compact
  std::string compact_summary;
  std::string custom_instructions;
};

inline constexpr std::size_t kMostHookInput = std::size_t{8} * 1024 * 1024;

/// ErrorKind::usage. Every text is valid UTF-8 and raw: from outside.
Result<HookInput> read_hook_input(std::string_view json);

}  // namespace daybook::harness

// SPDX-License-Identifier: MIT
#include "daybook/harness/hook_input.hpp"

#include "harness/json_place.hpp"
#include "harness/json_view.hpp"
#include "harness/quoted_text.hpp"

#include <array>
#include <utility>

namespace daybook::harness {
namespace {

HookEvent event_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, HookEvent>, 4> kEvents{{
      {"SessionStart", HookEvent::session_start},
      {"PreCompact", HookEvent::pre_compact},
      {"PostCompact", HookEvent::post_compact},
      {"SessionEnd", HookEvent::session_end},
  }};
  for (const auto& [word, event] : kEvents) {
    if (word == name) {
      return event;
    }
  }
  return HookEvent::other;
}

Error refusal(const std::string& why) {
  return {ErrorKind::usage,
          "reading the hook's input: " + why,
          "",
          "the harness writes one JSON object to a hook's standard input"};
}

}  // namespace

Result<HookInput> read_hook_input(std::string_view json) {
  static constexpr std::array<std::pair<std::string_view, std::string HookInput::*>, 9> kTexts{{
      {"hook_event_name", &HookInput::event_name},
      {"session_id", &HookInput::session_id},
      {"transcript_path", &HookInput::transcript_path},
      {"cwd", &HookInput::cwd},
      {"reason", &HookInput::reason},
      {"trigger", &HookInput::trigger},
      {"source", &HookInput::source},
      {"compact_summary", &HookInput::compact_summary},
      {"custom_instructions", &HookInput::custom_instructions},
  }};
  if (json.size() > kMostHookInput) {
    return refusal("it has more than " + size_text(kMostHookInput));
  }
  if (trimmed(json).empty()) {
    return refusal("it is empty");
  }
  std::size_t failed_at = 0;
  const JsonView object = read_json(json, &failed_at);
  if (object.kind == JsonKind::none) {
    return refusal("no JSON at " + place_text(json, failed_at));
  }
  if (!object.is_object()) {
    return refusal("it is JSON, but no object");
  }
  HookInput input;
  std::string_view wrong;
  each_member(object, [&](std::string_view key, const JsonView& value) {
    for (const auto& [name, field] : kTexts) {
      if (!key_is(key, name)) {
        continue;
      }
      if (value.is_string()) {
        input.*field = decoded(value.raw);
        repair_utf8(input.*field);
      } else if (value.kind != JsonKind::null && wrong.empty()) {
        wrong = name;
      }
    }
  });
  if (!wrong.empty()) {
    return refusal("`" + std::string(wrong) + "` is no text");
  }
  if (input.event_name.empty()) {
    return refusal("`hook_event_name` is missing");
  }
  input.event = event_of(input.event_name);
  return input;
}

}  // namespace daybook::harness

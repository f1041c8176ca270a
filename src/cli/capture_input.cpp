// SPDX-License-Identifier: MIT
#include "cli/capture_input.hpp"

#include "daybook/base/nearest.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <functional>
#include <map>
#include <unistd.h>

namespace daybook::cli {
namespace {

using nlohmann::json;

constexpr int kDeepest = 16;

Error wrong(std::string message, std::string hint) {
  return {ErrorKind::usage, std::move(message), "standard input", std::move(hint)};
}

/// What was given in the place of something else may be anything, and messages are kept in logs.
std::string shown(const std::string& given) {
  std::string clean = redact::sanitize(given, {});
  if (clean.ends_with('\n')) {
    clean.pop_back();
  }
  return base::quoted(clean);
}

using Take = std::function<Result<void>(const std::string&)>;

Take into_text(std::string& place) {
  return [&place](const std::string& text) -> Result<void> {
    if (place.empty()) {
      place = text;
    }
    return {};
  };
}

Take into_time(const char* name, std::optional<lineage::Timestamp>& place) {
  return [name, &place](const std::string& text) -> Result<void> {
    if (!place) {
      TRY_ASSIGN(place, read_time(name, text));
    }
    return {};
  };
}

std::map<std::string, Take> takers(CaptureKind kind, CaptureInput& into) {
  capture::CapturedSession& session = into.session;
  std::map<std::string, Take> all{
      {"agent_id", into_text(session.agent_id)},
      {"session_id", into_text(session.session_id)},
      {"session_key", into_text(session.session_key)},
      {"project", into_text(session.project)},
      {"harness", into_text(session.harness)},
      {"source_node_id", into_text(session.source_node_id)},
      {"parent_session_id", into_text(session.parent_session_id)},
      {"idempotency_key", into_text(session.idempotency_key)},
      {"started_at", into_time("started_at", session.started_at)},
      {"ended_at", into_time("ended_at", session.ended_at)},
      {"captured_at", into_time("captured_at", session.captured_at)},
  };
  if (kind == CaptureKind::compaction) {
    all.emplace("text", into_text(into.text));
    return all;
  }
  all.emplace("transcript", into_text(into.transcript));
  all.emplace("transcript_path", into_text(into.transcript_path));
  all.emplace("transcript_format", into_text(into.transcript_format));
  all.emplace("status", into_text(into.status));
  all.emplace("error", into_text(into.error));
  all.emplace("summary", [&into](const std::string& text) -> Result<void> {
    if (!into.summary) {
      into.summary = text;
    }
    return {};
  });
  return all;
}

Result<void> take_members(const json& object, CaptureKind kind, CaptureInput& into) {
  const auto known = takers(kind, into);
  for (const auto& [name, value] : object.items()) {
    const auto taker = known.find(name);
    if (taker == known.end()) {
      std::vector<std::string> names;
      names.reserve(known.size());
      for (const auto& [each, unused] : known) {
        names.push_back(each);
      }
      const std::string meant = base::nearest(name, names);
      return wrong("there is no field " + shown(name),
                   meant.empty() ? "'daybook help capture' and docs/CAPTURE.md list the fields."
                                 : "Did you mean " + base::quoted(meant) + "?");
    }
    if (value.is_null()) {
      continue;
    }
    if (!value.is_string()) {
      return wrong("the field " + base::quoted(name) + " must be a text or null",
                   "Put it in quotes.");
    }
    TRY(taker->second(value.get_ref<const std::string&>()));
  }
  return {};
}

/// Depth is checked on the way, so that brackets alone cannot use up the stack.
json parse_bounded(std::string_view text) {
  return json::parse(text, [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) {
      throw std::invalid_argument("it is nested too deeply");
    }
    return true;
  });
}

}  // namespace

Result<void> read_capture_json(std::string_view text, CaptureKind kind, CaptureInput& into) {
  try {
    const json object = parse_bounded(text);
    if (!object.is_object()) {
      return wrong("the input is no JSON object", "Begin with '{'.");
    }
    return take_members(object, kind, into);
  } catch (const std::exception& problem) {
    // What the parser says may quote the input, which may hold anything.
    static_cast<void>(problem);
    return wrong(text.find_first_not_of(" \t\r\n") == std::string_view::npos
                     ? "there is nothing on standard input"
                     : "the input is no JSON that can be read, or is nested too deeply",
                 "Give one object such as {\"session_id\": \"…\", \"transcript\": \"…\"}, or use "
                 "--session-id and --transcript FILE.");
  }
}

Result<void> stream_standard_input(const canon::TakePiece& take) {
  std::array<char, 64 * 1024> buffer{};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count == 0) {
      return {};
    }
    if (count < 0 && errno != EINTR) {
      return base::system_error("cannot read the input", "standard input", errno);
    }
    TRY(take({buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))}));
  }
}

Result<std::string> read_standard_input() {
  std::string text;
  TRY(stream_standard_input([&text](std::string_view piece) -> Result<void> {
    text.append(piece);
    if (text.size() > kLargestInput) {
      return wrong("there is more than 32 MiB on standard input",
                   "Put the transcript into a file and name it with --transcript or "
                   "\"transcript_path\".");
    }
    return {};
  }));
  return text;
}

Result<lineage::Timestamp> read_time(const std::string& name, const std::string& text) {
  const auto time = lineage::parse_timestamp(text);
  if (!time) {
    return Error{ErrorKind::usage,
                 name + " is no time: " + shown(text),
                 {},
                 "Use RFC 3339, such as 2026-03-28T22:34:06.792Z."};
  }
  return *time;
}

Result<std::optional<harness::Format>> read_format(const std::string& name) {
  using harness::Format;
  if (name.empty() || name == "auto") {
    return std::optional<Format>();
  }
  for (const Format format : {Format::claude_code, Format::codex}) {
    if (name == harness::to_string(format)) {
      return std::optional(format);
    }
  }
  if (name == "text") {
    return std::optional(Format::text);
  }
  return Error{ErrorKind::usage,
               "there is no transcript format " + shown(name),
               {},
               "Use auto, text, claude-code or codex."};
}

Result<std::optional<lineage::RunStatus>> read_run_status(const std::string& name) {
  if (name.empty()) {
    return std::optional<lineage::RunStatus>();
  }
  const auto status = lineage::run_status_from_string(name);
  if (!status) {
    return Error{ErrorKind::usage,
                 "there is no status " + shown(name),
                 {},
                 "Use completed, failed, interrupted or cancelled."};
  }
  return std::optional(*status);
}

}  // namespace daybook::cli

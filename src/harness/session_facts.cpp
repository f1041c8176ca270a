// SPDX-License-Identifier: MIT
//
// What is known of a harness and of its session files without opening them.
#include "daybook/base/file_stream.hpp"
#include "daybook/harness/session_list.hpp"
#include "harness/json_view.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace daybook::harness {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDefaultDays = 30;
constexpr std::uint64_t kMostSettings = std::uint64_t{4} * 1024 * 1024;

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<std::string> home_folder(Format harness, const Environment& environment) {
  if (harness == Format::text) {
    return Error{
        ErrorKind::usage, "plain text has no harness, and so no folder of its own", "", ""};
  }
  const bool claude = harness == Format::claude_code;
  const auto own = environment(claude ? "CLAUDE_CONFIG_DIR" : "CODEX_HOME");
  if (own && !own->empty()) {
    return *own;
  }
  const auto home = environment("HOME");
  if (!home || home->empty()) {
    return Error{
        ErrorKind::usage,
        "looking for the sessions of " + std::string(to_string(harness)) + ": HOME is not set",
        "",
        "name the folder on the command line"};
  }
  return *home + (claude ? "/.claude" : "/.codex");
}

std::string likely_session_id(Format harness, const SessionFile& file) {
  constexpr std::size_t kUuid = 36;
  if (harness == Format::codex) {  // rollout-2026-03-28T22-34-06-<id>
    return file.name.size() > kUuid ? file.name.substr(file.name.size() - kUuid) : file.name;
  }
  return file.parent_id.empty() ? file.name : file.parent_id + ":" + file.name;
}

bool is_internal_agent(const SessionFile& file) {
  return file.name.starts_with("agent-acompact-") ||
         file.name.starts_with("agent-aprompt_suggestion-");
}

bool is_certain_id(Format harness, std::string_view likely_id) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return harness == Format::claude_code &&
         std::equal(likely_id.begin(),
                    likely_id.end(),
                    kShape.begin(),
                    kShape.end(),
                    [](char c, char shape) {
                      return shape == '-' ? c == '-'
                                          : std::isxdigit(static_cast<unsigned char>(c)) != 0;
                    });
}

Result<std::int64_t> cleanup_days(base::Disk& disk, const std::string& home) {
  // Dotfiles are often links to where they are kept.
  std::error_code problem;
  const fs::path path = fs::canonical(fs::path(home) / "settings.json", problem);
  if (problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory) {
    return kDefaultDays;
  }
  auto text = problem
                  ? Result<std::string>(base::system_error(
                        "cannot read the settings", home + "/settings.json", problem.value()))
                  : base::read_file(
                        disk, path.parent_path().string(), path.filename().string(), kMostSettings);
  if (!text) {
    const bool absent =
        text.error().kind == ErrorKind::not_found || text.error().kind == ErrorKind::damaged;
    text.error().path = home + "/settings.json";
    return absent ? Result<std::int64_t>(kDefaultDays) : Result<std::int64_t>(text.error());
  }
  const JsonView days = member(read_json(*text), "cleanupPeriodDays");
  std::int64_t number = 0;
  const char* const end = days.raw.data() + days.raw.size();
  const auto [stopped, error] = std::from_chars(days.raw.data(), end, number);
  const bool said = days.kind == JsonKind::number && error == std::errc() && number >= 0;
  return said ? std::min<std::int64_t>(number, 100'000) : kDefaultDays;
}

std::int64_t days_left(const SessionFile& file, std::int64_t cleanup_days, std::int64_t now_ms) {
  constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
  const std::int64_t due_ms = file.mtime_ns / 1'000'000 + cleanup_days * kDay;
  return due_ms <= now_ms ? 0 : (due_ms - now_ms) / kDay;
}

}  // namespace daybook::harness

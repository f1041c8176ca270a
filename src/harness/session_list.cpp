// SPDX-License-Identifier: MIT
#include "daybook/harness/session_list.hpp"

#include "daybook/base/file_stream.hpp"
#include "harness/json_view.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

namespace daybook::harness {
namespace {

using base::EntryType;
using base::Folder;

constexpr std::int64_t kDefaultDays = 30;
constexpr std::uint64_t kMostSettings = std::uint64_t{4} * 1024 * 1024;
constexpr std::string_view kEnding = ".jsonl";

/// Names of one type in a folder, sorted. File systems that do not tell types are asked one by one.
Result<std::vector<std::string>> names_of(Folder& folder, EntryType wanted) {
  std::vector<std::string> names;
  std::vector<std::string> unsure;
  TRY(folder.list([&](std::string_view name, EntryType type) {
    if (type == wanted) {
      names.emplace_back(name);
    } else if (type == EntryType::other) {
      unsure.emplace_back(name);
    }
  }));
  for (std::string& name : unsure) {
    const auto stat = folder.stat(name);
    if (stat && stat->type == wanted) {
      names.push_back(std::move(name));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Null if it is not there, or no folder.
Result<std::unique_ptr<Folder>> open_if_there(Folder& folder, const std::string& name) {
  auto opened = folder.open_folder(name);
  if (!opened && (opened.error().kind == ErrorKind::not_found ||
                  opened.error().kind == ErrorKind::not_regular)) {
    return std::unique_ptr<Folder>();
  }
  return opened;
}

class Lister {
 public:
  /// Files `<prefix>*.jsonl` directly in a folder.
  Result<void> files(Folder& folder,
                     const std::string& path,
                     std::string_view prefix,
                     const std::string& parent_id) {
    TRY_ASSIGN(const auto names, names_of(folder, EntryType::file));
    for (const std::string& name : names) {
      if (!name.starts_with(prefix) || !name.ends_with(kEnding) || name.size() == kEnding.size()) {
        continue;
      }
      const auto stat = folder.stat(name);
      if (!stat && stat.error().kind == ErrorKind::not_found) {
        continue;  // purged meanwhile
      }
      if (!stat) {
        return stat.error();
      }
      if (stat->type == EntryType::file) {
        found.push_back({path + name,
                         name.substr(0, name.size() - kEnding.size()),
                         parent_id,
                         stat->size,
                         stat->mtime_ns});
      }
    }
    return {};
  }

  Result<void> claude_project(Folder& folder, const std::string& path) {
    TRY(files(folder, path, "", ""));
    TRY_ASSIGN(const auto sessions, names_of(folder, EntryType::folder));
    for (const std::string& session : sessions) {
      TRY_ASSIGN(const auto own, open_if_there(folder, session));
      if (own == nullptr) {
        continue;
      }
      TRY_ASSIGN(const auto agents, open_if_there(*own, "subagents"));
      if (agents != nullptr) {
        TRY(files(*agents, path + session + "/subagents/", "", session));
      }
    }
    return {};
  }

  /// Year, month and day; each a folder of digits.
  Result<void> codex_days(Folder& folder, const std::string& path, int depth) {
    if (depth == 3) {
      return files(folder, path, "rollout-", "");
    }
    TRY_ASSIGN(const auto names, names_of(folder, EntryType::folder));
    for (const std::string& name : names) {
      if (name.find_first_not_of("0123456789") != std::string::npos) {
        continue;
      }
      TRY_ASSIGN(const auto inner, open_if_there(folder, name));
      if (inner != nullptr) {
        TRY(codex_days(*inner, path + name + "/", depth + 1));
      }
    }
    return {};
  }

  std::vector<SessionFile> found;
};

Result<void> list_claude(Folder& projects, Lister& lister) {
  TRY_ASSIGN(const auto names, names_of(projects, EntryType::folder));
  for (const std::string& name : names) {
    TRY_ASSIGN(const auto project, open_if_there(projects, name));
    if (project != nullptr) {
      TRY(lister.claude_project(*project, "projects/" + name + "/"));
    }
  }
  return {};
}

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

Result<std::vector<SessionFile>> list_sessions(base::Disk& disk,
                                               Format harness,
                                               const std::string& home) {
  Lister lister;
  auto root = disk.open_root(home);
  if (!root && root.error().kind == ErrorKind::not_found) {
    return lister.found;
  }
  if (!root) {
    return std::move(root).error().in_context("listing sessions");
  }
  const bool claude = harness == Format::claude_code;
  TRY_ASSIGN(const auto folder, open_if_there(**root, claude ? "projects" : "sessions"));
  if (folder != nullptr && harness != Format::text) {
    TRY(claude ? list_claude(*folder, lister) : lister.codex_days(*folder, "sessions/", 0));
  }
  std::sort(lister.found.begin(), lister.found.end(), [](const auto& a, const auto& b) {
    return a.path < b.path;
  });
  return std::move(lister.found);
}

Result<std::int64_t> cleanup_days(base::Disk& disk, const std::string& home) {
  const auto text = base::read_file(disk, home, "settings.json", kMostSettings);
  if (!text) {
    const bool absent =
        text.error().kind == ErrorKind::not_found || text.error().kind == ErrorKind::damaged;
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

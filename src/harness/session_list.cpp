// SPDX-License-Identifier: MIT
#include "daybook/harness/session_list.hpp"

#include "daybook/base/file_stream.hpp"
#include "harness/json_view.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace daybook::harness {
namespace {

using base::EntryType;
using base::Folder;

constexpr std::int64_t kDefaultDays = 30;
constexpr std::uint64_t kMostSettings = std::uint64_t{4} * 1024 * 1024;
constexpr std::string_view kEnding = ".jsonl";
constexpr int kDeepest = 5;

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

  /// Whatever is named `*.jsonl`, in a folder that need not be a home.
  Result<void> anything(Folder& folder, const std::string& path, int depth) {
    TRY(files(folder, path, "", parent_by(path)));
    if (depth == kDeepest) {
      return {};
    }
    TRY_ASSIGN(const auto names, names_of(folder, EntryType::folder));
    for (const std::string& name : names) {
      TRY_ASSIGN(const auto inner, open_if_there(folder, name));
      if (inner != nullptr) {
        TRY(anything(*inner, path + name + "/", depth + 1));
      }
    }
    return {};
  }

  /// `…/<id>/subagents/` -> `<id>`.
  static std::string parent_by(const std::string& path) {
    constexpr std::string_view kAgents = "/subagents/";
    if (!path.ends_with(kAgents)) {
      return {};
    }
    const std::size_t end = path.size() - kAgents.size();
    const std::size_t slash = end == 0 ? std::string::npos : path.rfind('/', end - 1);
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    return path.substr(begin, end - begin);
  }

  void sort() {
    std::sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
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
  lister.sort();
  return std::move(lister.found);
}

namespace {

namespace fs = std::filesystem;

Result<SessionListing> one_file(base::Disk& disk, const fs::path& path) {
  // The folders above it tell whose sub-agent it is.
  const fs::path folder = path.parent_path();
  const std::string name = path.filename().string();
  TRY_ASSIGN(const auto root, disk.open_root(folder.string()));
  TRY_ASSIGN(const auto stat, root->stat(name));
  if (stat.type != EntryType::file) {
    return Error{ErrorKind::not_regular, "this is no regular file", path.string(), {}};
  }
  const std::string parent = Lister::parent_by(folder.string() + "/");
  const std::string stem =
      name.ends_with(kEnding) ? name.substr(0, name.size() - kEnding.size()) : name;
  return SessionListing{folder.string(), {{name, stem, parent, stat.size, stat.mtime_ns}}};
}

/// A folder called `subagents`, or the session's own, still knows whose it is.
void add_parent(const fs::path& folder, std::vector<SessionFile>& files) {
  const std::string above = Lister::parent_by(folder.string() + "/");
  for (SessionFile& file : files) {
    const bool directly = file.path.find('/') == std::string::npos;
    if (file.parent_id.empty() && directly) {
      file.parent_id = above;
    } else if (file.parent_id.empty() && file.path.starts_with("subagents/")) {
      file.parent_id = folder.filename().string();
    }
  }
}

/// A folder that lies in a home, as that home is listed; else nothing. What the folders above it
/// are called may be chance, so nothing that is wrong with them counts.
SessionListing listed_by_home(base::Disk& disk,
                              Format harness,
                              const fs::path& folder,
                              const char* name) {
  fs::path inner = folder;
  for (int up = 0; up < kDeepest && inner.filename() != name; ++up) {
    inner = inner.parent_path();
  }
  SessionListing listing{inner.parent_path().string(), {}};
  const auto all = inner.filename() == name
                       ? list_sessions(disk, harness, listing.root)
                       : Result<std::vector<SessionFile>>(std::vector<SessionFile>());
  const std::string prefix = folder.lexically_relative(inner.parent_path()).string() + "/";
  for (const SessionFile& file : all ? *all : std::vector<SessionFile>()) {
    if (file.path.starts_with(prefix)) {
      listing.files.push_back(file);
    }
  }
  return listing;
}

}  // namespace

Result<SessionListing> list_sessions_at(base::Disk& disk, Format harness, const std::string& path) {
  std::error_code problem;
  const fs::path real = fs::canonical(path, problem);
  if (problem) {
    return base::system_error("cannot look for sessions", path, problem.value());
  }
  if (!fs::is_directory(real, problem)) {
    return one_file(disk, real);
  }
  const char* const folder = harness == Format::codex ? "sessions" : "projects";
  if (fs::is_directory(real / folder, problem)) {
    TRY_ASSIGN(auto files, list_sessions(disk, harness, real.string()));
    return SessionListing{real.string(), std::move(files)};
  }
  SessionListing listing = listed_by_home(disk, harness, real, folder);
  if (listing.files.empty()) {
    listing.root = real.string();
    TRY_ASSIGN(const auto root, disk.open_root(listing.root));
    Lister lister;
    TRY(lister.anything(*root, "", 0));
    add_parent(real, lister.found);
    lister.sort();
    listing.files = std::move(lister.found);
  }
  return listing;
}

std::string likely_session_id(Format harness, const SessionFile& file) {
  constexpr std::size_t kUuid = 36;
  if (harness == Format::codex) {  // rollout-2026-03-28T22-34-06-<id>
    return file.name.size() > kUuid ? file.name.substr(file.name.size() - kUuid) : file.name;
  }
  return file.parent_id.empty() ? file.name : file.parent_id + ":" + file.name;
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

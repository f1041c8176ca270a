// SPDX-License-Identifier: MIT
#include "daybook/harness/session_list.hpp"

#include "daybook/base/file_stream.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>

namespace daybook::harness {
namespace {

using base::EntryType;
using base::Folder;
namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".jsonl";
constexpr const char* kArchive = "archived_sessions";
constexpr int kDeepest = 5;
constexpr int kCodexDay = 3;

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

bool is_absent(const Error& error) {
  return error.kind == ErrorKind::not_found || error.kind == ErrorKind::not_regular;
}

/// Null if it is not there, or no folder.
Result<std::unique_ptr<Folder>> open_if_there(Folder& folder, const std::string& name) {
  auto opened = folder.open_folder(name);
  if (!opened && is_absent(opened.error())) {
    return std::unique_ptr<Folder>();
  }
  return opened;
}

/// Whether a link leads to a folder that is not listed anyway: not beside it, nor by another link.
bool leads_elsewhere(const std::string& folder,
                     const std::string& name,
                     std::set<std::string>& seen) {
  std::error_code problem;
  const fs::path target = fs::canonical(fs::path(folder) / name, problem);
  const bool is_folder = !problem && fs::is_directory(target, problem);
  return is_folder && target.parent_path() != fs::canonical(folder, problem) &&
         seen.insert(target.string()).second;
}

class Lister {
 public:
  explicit Lister(base::Disk& disk) : disk_(disk) {}

  using Visit = std::function<Result<void>(Folder& folder, const std::string& path)>;

  /// The folders directly in one of a home, through links too. One that cannot be read is noted.
  Result<void> each_inside(const std::string& home, const std::string& inner, const Visit& visit) {
    const std::string whole = home + "/" + inner;
    auto folder = disk_.open_root(whole);
    if (!folder && is_absent(folder.error())) {
      return {};
    }
    if (!folder) {
      return std::move(folder).error().in_context("listing sessions");
    }
    TRY_ASSIGN(const auto names, names_of(**folder, EntryType::folder));
    for (const std::string& name : names) {
      const std::string path = std::string(inner).append("/").append(name);
      note_failure(path, [&]() -> Result<void> {
        TRY_ASSIGN(const auto opened, open_if_there(**folder, name));
        return opened == nullptr ? Result<void>() : visit(*opened, path + "/");
      });
    }
    TRY_ASSIGN(const auto links, names_of(**folder, EntryType::symlink));
    std::set<std::string> seen;
    for (const std::string& name : links) {
      if (leads_elsewhere(whole, name, seen)) {
        const std::string path = std::string(inner).append("/").append(name);
        note_failure(path, [&]() -> Result<void> {
          TRY_ASSIGN(const auto opened,
                     disk_.open_root(std::string(whole).append("/").append(name)));
          return visit(*opened, path + "/");
        });
      }
    }
    return {};
  }

  void note_failure(const std::string& path, const std::function<Result<void>()>& look) {
    if (const auto looked = look(); !looked) {
      unreadable.push_back({path, looked.error().message});
    }
  }

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
      note_failure(path + session, [&]() -> Result<void> {
        TRY_ASSIGN(const auto own, open_if_there(folder, session));
        if (own == nullptr) {
          return {};
        }
        TRY_ASSIGN(const auto agents, open_if_there(*own, "subagents"));
        return agents == nullptr ? Result<void>()
                                 : files(*agents, path + session + "/subagents/", "", session);
      });
    }
    return {};
  }

  /// A year, its months and their days; each a folder of digits.
  Result<void> codex_days(Folder& folder, const std::string& path, int depth) {
    if (!is_number(path)) {
      return {};
    }
    if (depth == kCodexDay) {
      return files(folder, path, "rollout-", "");
    }
    TRY_ASSIGN(const auto names, names_of(folder, EntryType::folder));
    for (const std::string& name : names) {
      note_failure(path + name, [&]() -> Result<void> {
        TRY_ASSIGN(const auto inner, open_if_there(folder, name));
        return inner == nullptr ? Result<void>() : codex_days(*inner, path + name + "/", depth + 1);
      });
    }
    return {};
  }

  /// Rollouts that were put away; they lie side by side.
  Result<void> flat(const std::string& home, const std::string& inner) {
    auto folder = disk_.open_root(home + "/" + inner);
    if (!folder && is_absent(folder.error())) {
      return {};
    }
    if (!folder) {
      return std::move(folder).error().in_context("listing sessions");
    }
    return files(**folder, inner + "/", "rollout-", "");
  }

  /// Whatever is named `*.jsonl`, in a folder that need not be a home.
  Result<void> anything(Folder& folder, const std::string& path, int depth) {
    TRY(files(folder, path, "", parent_by(path)));
    if (depth == kDeepest) {
      return {};
    }
    TRY_ASSIGN(const auto names, names_of(folder, EntryType::folder));
    for (const std::string& name : names) {
      note_failure(path + name, [&]() -> Result<void> {
        TRY_ASSIGN(const auto inner, open_if_there(folder, name));
        return inner == nullptr ? Result<void>() : anything(*inner, path + name + "/", depth + 1);
      });
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

  SessionListing listing(std::string root) && {
    std::sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return {std::move(root), std::move(found), std::move(unreadable)};
  }

  std::vector<SessionFile> found;
  std::vector<UnreadableFolder> unreadable;

 private:
  /// `…/2026/` -> true.
  static bool is_number(const std::string& path) {
    const std::size_t slash = path.rfind('/', path.size() - 2);
    return path.find_first_not_of("0123456789", slash + 1) == path.size() - 1;
  }

  base::Disk& disk_;
};

}  // namespace

Result<SessionListing> list_sessions(base::Disk& disk, Format harness, const std::string& home) {
  Lister lister(disk);
  if (harness == Format::claude_code) {
    TRY(lister.each_inside(home, "projects", [&](Folder& folder, const std::string& path) {
      return lister.claude_project(folder, path);
    }));
  } else if (harness == Format::codex) {
    TRY(lister.each_inside(home, "sessions", [&](Folder& folder, const std::string& path) {
      return lister.codex_days(folder, path, 1);
    }));
    TRY(lister.flat(home, kArchive));
  }
  return std::move(lister).listing(home);
}

namespace {

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
  return SessionListing{folder.string(), {{name, stem, parent, stat.size, stat.mtime_ns}}, {}};
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
  SessionListing listing{inner.parent_path().string(), {}, {}};
  if (inner.filename() != name) {
    return listing;
  }
  auto all = list_sessions(disk, harness, listing.root);
  if (!all) {
    return listing;
  }
  const std::string prefix = folder.lexically_relative(inner.parent_path()).string() + "/";
  const auto move_inside = [&prefix](auto& from, auto& to) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to), [&prefix](const auto& one) {
      return (one.path + "/").starts_with(prefix);
    });
  };
  move_inside(all->files, listing.files);
  move_inside(all->unreadable, listing.unreadable);
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
  const bool archive = harness == Format::codex && fs::is_directory(real / kArchive, problem);
  if (archive || fs::is_directory(real / folder, problem)) {
    return list_sessions(disk, harness, real.string());
  }
  SessionListing listing = listed_by_home(disk, harness, real, folder);
  if (!listing.files.empty() || !listing.unreadable.empty()) {
    return listing;
  }
  TRY_ASSIGN(const auto root, disk.open_root(real.string()));
  Lister lister(disk);
  TRY(lister.anything(*root, "", 0));
  add_parent(real, lister.found);
  return std::move(lister).listing(real.string());
}

Result<void> stream_session(base::Disk& disk,
                            const std::string& root,
                            const SessionFile& file,
                            const std::function<Result<void>(std::string_view)>& take) {
  const std::size_t slash = file.path.rfind('/');
  const bool bare = slash == std::string::npos;
  auto streamed = base::stream_file(disk,
                                    bare ? root : root + "/" + file.path.substr(0, slash),
                                    bare ? file.path : file.path.substr(slash + 1),
                                    take);
  if (!streamed && streamed.error().path == file.path.substr(slash + 1)) {
    streamed.error().path = file.path;
  }
  return streamed;
}

}  // namespace daybook::harness

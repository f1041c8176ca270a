// SPDX-License-Identifier: MIT
#include "daybook/state/state_folder.hpp"

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/version.hpp"
#include "state/process_identity.hpp"
#include "state/workspace_record.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::state {
namespace {

constexpr mode_t kPrivateFolder = 0700;
constexpr mode_t kPrivateFile = 0600;
constexpr std::size_t kDeviceLetters = 16;
constexpr std::size_t kMostRecordBytes = 64 * 1024;
constexpr std::string_view kRecordName = "workspace.json";
constexpr std::string_view kSetAside = ".set-aside-";
// Names by which a folder without its record is still known as ours.
// The record itself may appear between two looks, when another process makes it.
constexpr std::array<std::string_view, 5> kOwnNames{
    kRecordName, "state.db", "lease.db", "index.db", "pipeline.lock"};

/// The folder must be ours and no link; its mode is set through the handle that was checked.
Result<void> claim_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) {
    const int reason = errno;
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)) {
      return Error{ErrorKind::not_regular,
                   "the state folder is a symbolic link or no folder",
                   path,
                   "Name the real folder with --state-dir or DAYBOOK_STATE_DIR."};
    }
    return base::system_error("opening the state folder", path, reason);
  }
  struct stat status {};
  Result<void> outcome;
  if (::fstat(folder, &status) != 0) {
    outcome = base::system_error("looking at the state folder", path, errno);
  } else if (status.st_uid != ::geteuid()) {
    outcome = Error{ErrorKind::not_permitted,
                    "the state folder belongs to another user",
                    path,
                    "Name a folder of your own with --state-dir or DAYBOOK_STATE_DIR."};
  } else if ((status.st_mode & 07777U) != kPrivateFolder && ::fchmod(folder, kPrivateFolder) != 0) {
    outcome = base::system_error("making the state folder private", path, errno);
  }
  ::close(folder);
  return outcome;
}

/// mkdir -p; what is there already is left as it is.
Result<void> make_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    if (::mkdir(parent.c_str(), kPrivateFolder) == 0) {
      TRY(claim_folder(parent));
      continue;
    }
    const int reason = errno;
    if (::access(parent.c_str(), F_OK) != 0) {
      return base::system_error("making the folder for the state", parent, reason);
    }
  }
  return {};
}

Result<void> make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), kPrivateFolder) != 0 && errno != EEXIST) {
    return base::system_error("making the state folder", path, errno);
  }
  return {};
}

Result<std::vector<std::string>> names_in(const std::string& path) {
  std::vector<std::string> names;
  TRY_ASSIGN(const auto folder, base::real_disk().open_root(path));
  TRY(folder->list([&names](std::string_view name, base::EntryType) { names.emplace_back(name); }));
  std::sort(names.begin(), names.end());
  return names;
}

/// Nothing when there is no such file.
Result<std::string> read_record_file(const std::string& folder_path) {
  TRY_ASSIGN(const auto folder, base::real_disk().open_root(folder_path));
  TRY_ASSIGN(const auto file, folder->open_file(std::string(kRecordName)));
  std::string text(kMostRecordBytes, '\0');
  TRY_ASSIGN(const std::size_t size, file->read(text));
  text.resize(size);
  return text;
}

Error other_workspace(const std::string& path, const WorkspaceRecord& record) {
  return {ErrorKind::usage,
          std::string("this state folder belongs to the workspace ").append(record.workspace),
          path,
          "Leave out --state-dir and DAYBOOK_STATE_DIR, or name another folder. A vault that was "
          "moved gets a state of its own with 'daybook reindex'."};
}

Error newer_program(const std::string& path, const WorkspaceRecord& record) {
  return {ErrorKind::usage,
          std::string("this state folder was written by a newer daybook (")
              .append(record.program_version)
              .append(")"),
          path,
          "Upgrade daybook, or name another folder with --state-dir."};
}

Error not_ours(const std::string& path) {
  return {ErrorKind::usage,
          "this folder holds files that are not Daybook's state",
          path,
          "Name an empty or a new folder with --state-dir."};
}

/// A folder without its record may still be ours: empty, or with files that we make.
Result<void> recognise(const std::string& path) {
  TRY_ASSIGN(const auto names, names_in(path));
  const bool ours = std::all_of(names.begin(), names.end(), base::is_temporary_name) ||
                    std::any_of(names.begin(), names.end(), [](const std::string& name) {
                      return std::find(kOwnNames.begin(), kOwnNames.end(), name) != kOwnNames.end();
                    });
  return ours ? Result<void>() : not_ours(path);
}

bool is_whole(const std::optional<WorkspaceRecord>& record) {
  return record && record->device.size() == kDeviceLetters && !record->workspace_sha256.empty();
}

/// The damaged record's new name.
Result<std::string> set_record_aside(const std::string& record_path) {
  constexpr int kMost = 1000;
  for (int number = 1; number <= kMost; ++number) {
    std::string aside = record_path;
    aside.append(kSetAside).append(std::to_string(number));
    if (::access(aside.c_str(), F_OK) != 0) {
      if (::rename(record_path.c_str(), aside.c_str()) != 0) {
        return base::system_error("setting a damaged record aside", record_path, errno);
      }
      return aside;
    }
  }
  return Error{ErrorKind::io,
               "there are a thousand damaged records set aside already",
               record_path,
               "Remove the *.set-aside-* files beside it."};
}

}  // namespace

std::string default_state_path(std::string_view workspace_real_path,
                               std::string_view xdg_state_home,
                               std::string_view home) {
  constexpr std::size_t kHexDigits = 16;
  std::string path;
  if (xdg_state_home.starts_with('/')) {
    path = xdg_state_home;
  } else {
    path.append(home).append("/.local/state");
  }
  return path.append("/daybook/")
      .append(base::to_hex(base::sha256(workspace_real_path)).substr(0, kHexDigits));
}

Result<StateFolder> StateFolder::open(const std::string& path,
                                      const std::string& workspace_real_path,
                                      Create create) {
  StateFolder folder;
  folder.path_ = path;
  while (folder.path_.size() > 1 && folder.path_.back() == '/') {
    folder.path_.pop_back();
  }
  folder.workspace_ = workspace_real_path;
  if (create == Create::if_missing) {
    TRY(make_parents(folder.path_));
    TRY(make_folder(folder.path_));
  } else if (::access(folder.path_.c_str(), F_OK) != 0) {
    return Error{ErrorKind::not_found,
                 "this workspace has no state folder yet",
                 folder.path_,
                 "`daybook reindex` makes it."};
  }
  if (create == Create::look_only) {
    TRY(folder.read_record_only());
    folder.only_looked_at_ = true;
    return folder;
  }
  // First the record, then the mode: a folder that is not ours is left as it was found.
  TRY(folder.read_or_make_record(folder.file(kRecordName)));
  return folder;
}

Result<void> StateFolder::read_record_only() {
  auto text = read_record_file(path_);
  if (!text && text.error().kind != ErrorKind::not_found) {
    return std::move(text).error();
  }
  if (!text) {
    TRY(recognise(path_));
  }
  const auto record = text ? read_workspace_record(*text) : std::nullopt;
  if (record && record->schema > kStateSchema) {
    return newer_program(path_, *record);
  }
  if (!is_whole(record)) {
    return Error{ErrorKind::damaged,
                 "workspace.json is missing or damaged",
                 file(kRecordName),
                 "'daybook reindex' makes it anew, with another device id."};
  }
  if (record->workspace_sha256 != base::to_hex(base::sha256(workspace_))) {
    return other_workspace(path_, *record);
  }
  device_ = record->device;
  return {};
}

Result<void> StateFolder::read_or_make_record(const std::string& record_path) {
  struct stat status {};
  if (::lstat(path_.c_str(), &status) == 0 &&
      (S_ISLNK(status.st_mode) || !S_ISDIR(status.st_mode))) {
    return claim_folder(path_);  // says what is wrong
  }
  auto text = read_record_file(path_);
  if (!text && text.error().kind != ErrorKind::not_found) {
    return std::move(text).error();
  }
  if (!text) {
    TRY(recognise(path_));
    TRY(claim_folder(path_));
    return make_record(record_path);
  }
  const auto record = read_workspace_record(*text);
  if (record && record->schema > kStateSchema) {
    return newer_program(path_, *record);
  }
  TRY(claim_folder(path_));
  if (!is_whole(record)) {
    TRY_ASSIGN(const std::string aside, set_record_aside(record_path));
    notices_.push_back(
        std::string("workspace.json was damaged; it was set aside as ").append(aside));
    return make_record(record_path);
  }
  if (record->workspace_sha256 != base::to_hex(base::sha256(workspace_))) {
    return other_workspace(path_, *record);
  }
  device_ = record->device;
  return {};
}

Result<void> StateFolder::make_record(const std::string& record_path) {
  const WorkspaceRecord record{workspace_,
                               base::to_hex(base::sha256(workspace_)),
                               kStateSchema,
                               kVersion,
                               random_letters(kDeviceLetters)};
  const auto written =
      base::write_file_atomically(record_path, to_json(record), base::IfExists::keep, kPrivateFile);
  if (!written && written.error().kind == ErrorKind::already_exists) {
    return read_or_make_record(record_path);  // another process was quicker: its device counts
  }
  TRY(written);
  device_ = record.device;
  return {};
}

std::string StateFolder::file(std::string_view name) const {
  return std::string(path_).append("/").append(name);
}

bool StateFolder::has_state() const {
  struct stat status {};
  return ::stat(file("state.db").c_str(), &status) == 0;
}

Result<std::string> StateFolder::make_private_folder(std::string_view name) const {
  std::string path = file(name);
  TRY(make_folder(path));
  TRY(claim_folder(path));
  return path;
}

Result<std::vector<std::string>> StateFolder::set_aside_files() const {
  TRY_ASSIGN(const auto names, names_in(path_));
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (name.find(kSetAside) != std::string::npos) {
      found.push_back(file(name));
    }
  }
  return found;
}

}  // namespace daybook::state

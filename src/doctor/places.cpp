// SPDX-License-Identifier: MIT
//
// The places that Daybook works in: settings, workspace, state folder, and the room that is left.
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/config_doubts.hpp"
#include "daybook/service/workspace_config.hpp"
#include "doctor/probes.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::doctor {
namespace {

namespace fs = std::filesystem;
using enum FindingSeverity;

constexpr const char* kWorkspace = "workspace";
constexpr const char* kStateFolder = "state-folder";

constexpr std::uint64_t kMegabyte = 1024 * 1024;
/// Below it the next note or publication may fail; below the other one a rebuild may.
constexpr std::uint64_t kFewestBytes = 16 * kMegabyte;
constexpr std::uint64_t kComfortableBytes = 256 * kMegabyte;
constexpr std::uint64_t kFewestInodes = 50;
constexpr std::uint64_t kComfortableInodes = 1000;

bool may_write(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

std::string told(const Error& error) {
  return error.path.empty() ? error.message : error.path + ": " + error.message;
}

bool look_at_writing(Examination& examination) {
  const std::string& root = examination.request.workspace;
  for (const std::string& folder : {root, root + "/" + std::string(scan::kMemoryFolder)}) {
    if (!may_write(folder)) {
      examination.add(kWorkspace,
                      "workspace-not-writable",
                      error,
                      "you may not write into " + folder +
                          ", so MEMORY.md, manifests and tombstones cannot be written",
                      "Give yourself the right to write there: chmod u+w, or mount it writable.",
                      Remedy::none,
                      {folder});
      return false;
    }
  }
  return true;
}

bool look_at_owner(Examination& examination) {
  struct stat status {};
  const std::string& root = examination.request.workspace;
  if (::stat(root.c_str(), &status) == 0 && status.st_uid != examination.request.system.user) {
    examination.add(kWorkspace,
                    "workspace-of-another-user",
                    info,
                    "the workspace belongs to another user, who may change or hide any note",
                    "Nothing, if that is meant.");
    return false;
  }
  return true;
}

/// The state folder as the file system shows it, before anything opens or mends it.
bool is_a_folder_of_ours(Examination& examination, const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    return false;
  }
  if (!S_ISDIR(status.st_mode)) {
    examination.add(kStateFolder,
                    "state-folder-refused",
                    error,
                    "the state folder is a symbolic link or no folder: " + path,
                    "Name the real folder with --state-dir or DAYBOOK_STATE_DIR.");
    return false;
  }
  if (status.st_uid != examination.request.system.user) {
    examination.add(kStateFolder,
                    "state-folder-of-another-user",
                    error,
                    "the state folder belongs to another user: " + path,
                    "Give it back with chown, or name a folder of your own with --state-dir.");
    return false;
  }
  return true;
}

void look_at_modes(Examination& examination) {
  std::vector<std::string> wrong = files_with_wrong_mode(examination.request);
  if (wrong.empty()) {
    return;
  }
  examination.add(kStateFolder,
                  "state-folder-not-private",
                  warning,
                  amount(wrong.size(), "entry") +
                      " of the state folder may be read by others, or not written by you: folders "
                      "should have mode "
                      "0700, files 0600",
                  "'daybook doctor --fix' sets the modes.",
                  Remedy::tighten_modes,
                  first_few(wrong));
}

void open_state(Examination& examination) {
  const DoctorRequest& request = examination.request;
  auto folder =
      state::StateFolder::open(request.state_path, request.workspace, state::Create::look_only);
  if (folder) {
    examination.folder.emplace(std::move(folder).value());
    return;
  }
  const bool damaged = folder.error().kind == ErrorKind::damaged;
  examination.add(
      kStateFolder,
      damaged ? "workspace-record-damaged" : "state-folder-refused",
      error,
      told(folder.error()),
      folder.error().hint.empty() ? "Check that you may read it: chmod 700." : folder.error().hint,
      damaged ? Remedy::run_pass : Remedy::none);
}

/// The path, or the nearest folder above it that is there.
std::string existing(const std::string& path) {
  fs::path found = path;
  std::error_code trouble;
  while (!fs::exists(found, trouble) && found != found.parent_path()) {
    found = found.parent_path();
  }
  return found.string();
}

std::optional<dev_t> device_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(status.st_dev) : std::nullopt;
}

FindingSeverity judged(std::uint64_t free, std::uint64_t fewest, std::uint64_t comfortable) {
  return free < fewest ? error : free < comfortable ? warning : ok;
}

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes / kMegabyte) + " MB"; }

void look_at_space_of(Examination& examination, const std::string& whose, const std::string& path) {
  const std::string check = "disk-space";
  const auto space = examination.request.system.disk_space(path);
  if (!space) {
    examination.add_unknown(check, "how much room is left is not known: " + told(space.error()));
    return;
  }
  // A rebuild stands beside what it replaces, so as much again must have room.
  const std::uint64_t derived =
      examination.status ? examination.status->index_bytes + examination.status->text_bytes : 0;
  const FindingSeverity bytes = judged(
      space->free_bytes, kFewestBytes, kComfortableBytes + (whose == "workspace" ? 0 : derived));
  if (bytes != ok) {
    examination.add(check,
                    "disk-space-low",
                    bytes,
                    megabytes(space->free_bytes) + " are free on the file system of the " + whose +
                        " (" + path + ")",
                    "Free some space: a full disk keeps Daybook from writing.");
  }
  const FindingSeverity inodes =
      space->free_inodes ? judged(*space->free_inodes, kFewestInodes, kComfortableInodes) : ok;
  if (inodes != ok) {
    examination.add(check,
                    "inodes-low",
                    inodes,
                    std::to_string(*space->free_inodes) +
                        " more files can be made on the file system of the " + whose + " (" + path +
                        ")",
                    "Remove files that nobody needs: it is their number that has run out.");
  }
  if (bytes == ok && inodes == ok) {
    examination.add_ok(check, "there is room on the file system of the " + whose);
  }
}

}  // namespace

void look_at_configuration(Examination& examination) {
  auto config = service::load_config(examination.disk, examination.request.workspace);
  if (!config) {
    examination.add(
        "configuration", "configuration-wrong", error, told(config.error()), config.error().hint);
    return;
  }
  examination.config = std::move(config).value();
  const auto doubts = service::doubts_about(examination.config);
  for (const service::ConfigDoubt& doubt : doubts) {
    examination.add("configuration", "key-in-plain-text", warning, doubt.message, doubt.hint);
  }
  if (doubts.empty()) {
    examination.add_ok("configuration", "the settings can be read");
  }
}

void look_at_workspace(Examination& examination) {
  const auto root = examination.disk.open_root(examination.request.workspace);
  auto listing = root ? scan::VaultListing::list(**root) : Result<scan::VaultListing>(root.error());
  if (!listing) {
    examination.add(kWorkspace,
                    "vault-unreadable",
                    error,
                    "memory/ cannot be listed: " + listing.error().message,
                    listing.error().hint.empty() ? "Is the vault mounted?" : listing.error().hint);
    return;
  }
  examination.listing.emplace(std::move(listing).value());
  const bool writable = look_at_writing(examination);
  if (look_at_owner(examination) && writable) {
    examination.add_ok(kWorkspace, "the workspace can be read and written");
  }
}

void look_at_state_folder(Examination& examination) {
  const std::string& path = examination.request.state_path;
  struct stat status {};
  examination.has_state = ::lstat(path.c_str(), &status) == 0;
  if (!examination.has_state) {
    examination.add(kStateFolder,
                    "never-indexed",
                    info,
                    "this workspace was never indexed: there is no state folder yet",
                    "'daybook reindex' makes it.",
                    Remedy::run_pass);
    return;
  }
  const std::size_t before = examination.findings.size();
  if (!is_a_folder_of_ours(examination, path)) {
    return;
  }
  look_at_modes(examination);
  open_state(examination);
  if (examination.folder && !may_write(path)) {
    examination.add(kStateFolder,
                    "state-folder-not-writable",
                    error,
                    "you may not write into the state folder: " + path,
                    "Mount it writable, or name another folder with --state-dir.");
  }
  if (examination.findings.size() == before) {
    examination.add_ok(kStateFolder, "the state folder is yours and private");
  }
}

void look_at_disk_space(Examination& examination) {
  const std::string& workspace = examination.request.workspace;
  const std::string state = existing(examination.request.state_path);
  if (device_of(workspace) == device_of(state)) {
    look_at_space_of(examination, "state", state);  // one file system: the stricter of the two
    return;
  }
  look_at_space_of(examination, "workspace", workspace);
  look_at_space_of(examination, "state", state);
}

}  // namespace daybook::doctor

// SPDX-License-Identifier: MIT
//
// Workspace -> the folder beside the vault that holds what files cannot model: databases, locks,
// copies of what was replaced. It stands outside the vault, because vaults are synced and SQLite
// files must not be. Folders have mode 0700 and files 0600 whatever the umask. A plain value; any
// thread. Failure leaves at most an empty folder.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::state {

/// Grows when an older program could misread what stands in the folder.
inline constexpr int kStateSchema = 1;

/// `<xdg_state_home or home/.local/state>/daybook/<16 hex of the workspace's real path>`. A
/// relative xdg_state_home is ignored, as its specification asks.
std::string default_state_path(std::string_view workspace_real_path,
                               std::string_view xdg_state_home,
                               std::string_view home);

enum class Create : std::uint8_t {
  if_missing,
  never,
  look_only,  ///< nor is anything mended: modes stay, and a record that is gone or damaged is
              ///< ErrorKind::damaged. Whatever is opened in such a folder is only read
};

class StateFolder {
 public:
  /// A folder of another workspace or of a newer program is a usage error that says what to do; one
  /// that is a link or another user's is refused; a missing one is not_found unless it is made.
  static Result<StateFolder> open(const std::string& path,
                                  const std::string& workspace_real_path,
                                  Create create);

  const std::string& path() const { return path_; }
  const std::string& workspace() const { return workspace_; }
  /// Opened with Create::look_only: not a byte of its files may change.
  bool is_only_looked_at() const { return only_looked_at_; }
  /// 16 random letters, made with the folder: this device's name in manifests.
  const std::string& device() const { return device_; }
  /// The full path of a name in it.
  std::string file(std::string_view name) const;
  /// Whether there is a state.db, which only a pass makes: one that is opened before is made anew,
  /// and would not know the seals of the vault.
  bool has_state() const;
  /// What was mended while opening, one sentence each, for the user.
  const std::vector<std::string>& notices() const { return notices_; }

  /// Makes sure of a sub-folder of mode 0700 (`replaced`, `locks`, `text`, `trash`); its full path.
  Result<std::string> make_private_folder(std::string_view name) const;
  /// Full paths of damaged files that were set aside: they may hold text that is to be removed.
  Result<std::vector<std::string>> set_aside_files() const;

 private:
  StateFolder() = default;
  Result<void> read_record_only();
  Result<void> read_or_make_record(const std::string& record_path);
  Result<void> make_record(const std::string& record_path);

  std::string path_;
  std::string workspace_;
  std::string device_;
  bool only_looked_at_ = false;
  std::vector<std::string> notices_;
};

}  // namespace daybook::state

// SPDX-License-Identifier: MIT
#include "cli/settings_file.hpp"

#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/harness/session_list.hpp"
#include "daybook/host/this_program.hpp"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::cli {
namespace {

constexpr std::uint64_t kLargestSettings = 64ULL << 20U;
constexpr mode_t kUsualMode = 0600;

}  // namespace

Result<std::string> real_settings_path(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_symlink(path, none) && !std::filesystem::exists(path, none)) {
    return Error{ErrorKind::not_found,
                 "the settings file is a link that leads nowhere",
                 path,
                 "Make the file that it leads to, or remove the link."};
  }
  const auto real = std::filesystem::weakly_canonical(path, none);
  return none ? path : real.string();
}

Result<std::optional<std::string>> read_settings_file(const std::string& path) {
  const std::filesystem::path place(path);
  auto text = base::read_file(
      base::real_disk(), place.parent_path().string(), place.filename().string(), kLargestSettings);
  if (!text && text.error().kind == ErrorKind::not_found) {
    return std::optional<std::string>();
  }
  if (!text) {
    text.error().path = path;
    return std::move(text).error();
  }
  return std::optional(std::move(text).value());
}

Result<void> write_settings_file(const std::string& path, const std::string& text) {
  if (text.empty()) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
      return base::system_error("cannot remove the settings file", path, errno);
    }
    return {};
  }
  std::error_code trouble;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), trouble);
  struct stat status {};
  const mode_t mode = ::stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : kUsualMode;
  return base::write_file_atomically(path, text, base::IfExists::replace, mode);
}

Result<std::vector<std::string>> program_words(const Settings& settings) {
  TRY_ASSIGN(const std::string program, host::this_program());
  TRY_ASSIGN(const std::string workspace, open_workspace(settings));
  TRY_ASSIGN(const std::string agent, chosen_agent(settings));
  TRY_ASSIGN(const std::string state, state_path_beside(settings, workspace));
  std::vector<std::string> words{program, "--workspace", workspace};
  // The harness need not have the environment of this shell; HOME is all that it surely knows.
  const std::string home = harness::process_environment("HOME").value_or("");
  if (home.empty() || state != state::default_state_path(workspace, {}, home)) {
    words.insert(words.end(), {"--state-dir", state});
  }
  if (!agent.empty()) {
    words.insert(words.end(), {"--agent", agent});
  }
  return words;
}

}  // namespace daybook::cli

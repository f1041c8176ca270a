// SPDX-License-Identifier: MIT
#include "vault_generator.hpp"

#include "session_files.hpp"
#include "session_outline.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace daybook::bench {
namespace {

namespace fs = std::filesystem;

Result<void> make_empty_folder(const std::string& path) {
  std::error_code failure;
  fs::create_directories(path, failure);
  if (failure) {
    return base::system_error("making the folder", path, failure.value());
  }
  const bool empty = fs::is_empty(path, failure);
  if (failure) {
    return base::system_error("looking into the folder", path, failure.value());
  }
  if (!empty) {
    return Error{ErrorKind::already_exists,
                 "the folder is not empty, and a generated vault overwrites nothing",
                 path,
                 "Name another folder, or remove this one."};
  }
  return {};
}

Result<void> write_new_file(const std::string& path, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    return base::system_error("creating the file", path, errno);
  }
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      const int reason = errno;
      ::close(fd);
      return base::system_error("writing the file", path, reason);
    }
    bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
  if (::close(fd) != 0) {
    return base::system_error("closing the file", path, errno);
  }
  return {};
}

}  // namespace

Result<VaultReport> generate_vault(const VaultPlan& plan, const std::string& workspace) {
  TRY(validate(plan));
  TRY(make_empty_folder(workspace + "/memory"));

  VaultReport report;
  report.sessions = plan.sessions;
  for (std::uint32_t agent = 0; agent < plan.agents && agent < plan.sessions; ++agent) {
    report.agents.push_back(agent_name(agent));
  }
  for (std::uint32_t number = 0; number < plan.sessions; ++number) {
    const SessionOutline outline = outline_session(plan, number);
    report.compactions += outline.compaction ? 1U : 0U;
    report.resumed += outline.endings.size() > 1 ? 1U : 0U;
    report.noise += outline.noise ? 1U : 0U;
    for (const GeneratedFile& file : session_files(plan, number, outline)) {
      TRY(write_new_file(workspace + '/' + file.path, file.bytes));
      ++report.files;
      report.bytes += file.bytes.size();
    }
  }
  return report;
}

}  // namespace daybook::bench

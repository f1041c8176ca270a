// SPDX-License-Identifier: MIT
#include "daybook/host/service_file.hpp"

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/host/service_spec.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::host {
namespace {

using base::Descriptor;
Error refused(const std::string& path, const char* verb) {
  return {ErrorKind::usage,
          std::string("the file is not one that Daybook made, so it is not ") + verb,
          path,
          "Look at it; --force overrules this."};
}

/// The beginning of a regular file, more than any of ours has.
Result<std::string> read_beginning(int file, const std::string& path) {
  std::string text(65536, '\0');
  const ssize_t count = ::read(file, text.data(), text.size());
  if (count < 0) {
    return base::system_error("cannot read the service file", path, errno);
  }
  text.resize(static_cast<std::size_t>(count));
  return text;
}

}  // namespace

Result<ServiceFileState> service_file_state(const std::string& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    const Error error = base::system_error("cannot read the service file", path, errno);
    if (error.kind == ErrorKind::not_found) {
      return ServiceFileState::missing;
    }
    return error.kind == ErrorKind::not_regular ? Result(ServiceFileState::foreign) : error;
  }
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return ServiceFileState::foreign;
  }
  TRY_ASSIGN(const std::string present, read_beginning(file.get(), path));
  if (!text.empty() && present == text) {
    return ServiceFileState::current;
  }
  return is_service_file(present) ? ServiceFileState::older : ServiceFileState::foreign;
}

Result<ServiceFileState> write_service_file(const std::string& path,
                                            const std::string& text,
                                            Foreign foreign) {
  TRY_ASSIGN(const ServiceFileState before, service_file_state(path, text));
  if (before == ServiceFileState::current) {
    return before;
  }
  if (before == ServiceFileState::foreign && foreign == Foreign::refuse) {
    return refused(path, "replaced");
  }
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  if (problem) {
    return base::system_error("cannot make the folder of the service file", path, problem.value());
  }
  TRY(base::write_file_atomically(path, text, base::IfExists::replace));
  return before;
}

Result<ServiceFileState> remove_service_file(const std::string& path, Foreign foreign) {
  TRY_ASSIGN(const ServiceFileState before, service_file_state(path, {}));
  if (before == ServiceFileState::missing) {
    return before;
  }
  if (before == ServiceFileState::foreign && foreign == Foreign::refuse) {
    return refused(path, "removed");
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return base::system_error("cannot remove the service file", path, errno);
  }
  return before;
}

}  // namespace daybook::host

// SPDX-License-Identifier: MIT
#include "daybook/state/replaced_copies.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/base/durable.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace daybook::state {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReplacedFolder = "replaced";

Result<std::string> read_copy(const std::string& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    return base::system_error("reading a copy that may hold removed text", path, errno);
  }
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return base::system_error("reading a copy that may hold removed text", path, errno);
    }
    if (count == 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Result<std::vector<std::string>> replaced_copies(const StateFolder& folder) {
  const std::string place = folder.file(kReplacedFolder);
  std::vector<std::string> paths;
  std::error_code trouble;
  fs::directory_iterator entries(place, trouble);
  if (trouble == std::errc::no_such_file_or_directory) {
    return paths;
  }
  for (; !trouble && entries != fs::directory_iterator(); entries.increment(trouble)) {
    std::error_code unknown;
    if (entries->symlink_status(unknown).type() == fs::file_type::regular) {
      paths.push_back(entries->path().string());
    }
  }
  if (trouble) {
    return base::system_error("listing the copies of what was replaced", place, trouble.value());
  }
  return paths;
}

Result<void> erase_copies(const std::vector<std::string>& paths,
                          const std::function<bool(const std::string& text)>& goes) {
  for (const std::string& path : paths) {
    const auto text = read_copy(path);
    if (!text && text.error().kind == ErrorKind::not_found) {
      continue;
    }
    if (!text) {
      return text.error();
    }
    if (goes(*text)) {
      TRY(base::erase_file(path, "removing a copy that holds removed text"));
    }
  }
  return {};
}

}  // namespace daybook::state

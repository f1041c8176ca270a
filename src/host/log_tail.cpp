// SPDX-License-Identifier: MIT
#include "daybook/host/log_tail.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/base/printable.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::host {
namespace {

using base::Descriptor;
constexpr std::uint64_t kMostBytes = 16ULL << 20U;

Result<std::string> bytes_from(int file, const std::string& path, std::uint64_t from) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count =
        ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(from + bytes.size()));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return base::system_error("cannot read the log", path, errno);
    }
    if (count == 0 || bytes.size() > kMostBytes) {
      return bytes;
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Result<std::vector<std::string>> log_tail(const std::string& path,
                                          std::size_t most,
                                          std::uint64_t from) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) {
    return base::system_error("cannot open the log", path, errno);
  }
  if (!S_ISREG(facts.st_mode)) {
    return Error{ErrorKind::not_regular, "the log is no file", path, {}};
  }
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  from = std::max(std::min(from, size), size > kMostBytes ? size - kMostBytes : 0);
  TRY_ASSIGN(const std::string bytes, bytes_from(file.get(), path, from));
  std::vector<std::string> lines;
  std::string_view rest = bytes;
  while (!rest.empty() && lines.size() < most) {
    if (rest.ends_with('\n')) {
      rest.remove_suffix(1);
    }
    const std::size_t before = rest.rfind('\n');
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    lines.push_back(base::printable(rest.substr(begin)));
    rest = rest.substr(0, begin);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace daybook::host

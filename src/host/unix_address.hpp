// SPDX-License-Identifier: MIT
//
// The name of a local socket as sockets want it. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>

namespace daybook::host {

struct UnixAddress {
  sockaddr_un name{};
  socklen_t size = 0;
};

/// From `/a/path`, or from `@name` for a socket without a file, which only Linux has. Nothing when
/// the text is neither, or too long for the system.
inline std::optional<UnixAddress> unix_address(std::string_view text) {
#ifdef __linux__
  const bool is_abstract = text.starts_with('@');
#else
  const bool is_abstract = false;
#endif
  UnixAddress address;
  const bool fits = text.size() > 1 && text.size() < sizeof address.name.sun_path;
  if (!fits || (!is_abstract && !text.starts_with('/'))) {
    return std::nullopt;
  }
  address.name.sun_family = AF_UNIX;
  std::memcpy(address.name.sun_path, text.data(), text.size());
  if (is_abstract) {
    address.name.sun_path[0] = '\0';
  }
  // An abstract name ends with its last byte, a path with the zero behind it.
  const std::size_t length = text.size() + (is_abstract ? 0 : 1);
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  return address;
}

}  // namespace daybook::host

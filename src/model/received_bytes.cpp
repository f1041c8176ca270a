// SPDX-License-Identifier: MIT
#include "model/received_bytes.hpp"

#ifdef __linux__
#include <cstddef>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

namespace daybook::model {

std::uint64_t received_bytes([[maybe_unused]] int socket) {
#ifdef __linux__
  tcp_info info{};
  socklen_t size = sizeof(info);
  constexpr std::size_t kNeeded = offsetof(tcp_info, tcpi_bytes_received) + sizeof(std::uint64_t);
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && size >= kNeeded) {
    return info.tcpi_bytes_received;
  }
#endif
  return 0;
}

}  // namespace daybook::model

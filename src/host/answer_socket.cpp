// SPDX-License-Identifier: MIT
#include "daybook/host/answer_socket.hpp"

#include "daybook/base/descriptor.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace daybook::host {
namespace {

constexpr int kWaiting = 16;
constexpr mode_t kPrivate = 0600;
constexpr std::size_t kLongestAnswer = std::size_t{1} << 20U;
using base::Descriptor;

/// A socket's address has room for 107 letters; a longer path is reached through its open folder.
struct Address {
  sockaddr_un name{};
  Descriptor folder;
};

Result<Address> address_of(const std::string& path) {
  Address address;
  address.name.sun_family = AF_UNIX;
  std::string text = path;
  if (text.size() >= sizeof address.name.sun_path) {
    const std::size_t slash = path.rfind('/');
    address.folder =
        Descriptor(::open(path.substr(0, slash).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!address.folder) {
      return base::system_error("opening the folder of a socket", path, errno);
    }
    text = "/proc/self/fd/" + std::to_string(address.folder.get()) + path.substr(slash);
  }
  if (text.size() >= sizeof address.name.sun_path) {
    return Error{ErrorKind::io, "the name of the socket is too long", path, {}};
  }
  std::memcpy(address.name.sun_path, text.c_str(), text.size() + 1);
  return address;
}

const sockaddr* generic(const sockaddr_un& name) {
  return reinterpret_cast<const sockaddr*>(&name);  // NOLINT: as the sockets interface wants it
}

Descriptor make_socket() { return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

void set_timeouts(int socket, std::chrono::milliseconds most) {
  const timeval time{most.count() / 1000, (most.count() % 1000) * 1000};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

void send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0 && errno != EINTR) {
      return;  // whoever asked has gone
    }
    text.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  }
}

}  // namespace

struct AnswerSocket::Server {
  std::string path;
  std::function<std::string()> answer;
  Descriptor listening;
  Descriptor stop_reading;  // becomes readable when the server is to end
  Descriptor stop_writing;
  std::thread thread;

  void serve() const {
    std::array<pollfd, 2> waiting{{{listening.get(), POLLIN, 0}, {stop_reading.get(), POLLIN, 0}}};
    for (;;) {
      if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
        return;
      }
      if (waiting[1].revents != 0) {
        return;
      }
      const Descriptor connection(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (connection) {
        set_timeouts(connection.get(), std::chrono::seconds(1));
        send_all(connection.get(), answer());
      } else if (errno == EMFILE || errno == ENFILE) {
        ::poll(nullptr, 0, 100);  // else the waiting one would be seen again and again
      }
    }
  }
};

AnswerSocket::AnswerSocket(std::unique_ptr<Server> server) : server_(std::move(server)) {}
AnswerSocket::AnswerSocket(AnswerSocket&&) noexcept = default;
AnswerSocket& AnswerSocket::operator=(AnswerSocket&&) noexcept = default;

AnswerSocket::~AnswerSocket() {
  if (server_) {
    server_->stop_writing = Descriptor();
    server_->thread.join();
    ::unlink(server_->path.c_str());
  }
}

Result<AnswerSocket> AnswerSocket::open(const std::string& path,
                                        std::function<std::string()> answer) {
  TRY_ASSIGN(const Address address, address_of(path));
  auto server = std::make_unique<Server>();
  server->path = path;
  server->answer = std::move(answer);
  server->listening = make_socket();
  ::unlink(path.c_str());
  // Before it has a name, so that it is never open to others; Linux alone heeds it.
  static_cast<void>(::fchmod(server->listening.get(), kPrivate));
  if (!server->listening ||
      ::bind(server->listening.get(), generic(address.name), sizeof address.name) != 0 ||
      ::chmod(path.c_str(), kPrivate) != 0 || ::listen(server->listening.get(), kWaiting) != 0) {
    return base::system_error("making a socket", path, errno);
  }
  ::fcntl(server->listening.get(), F_SETFL, O_NONBLOCK);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return base::system_error("making a pipe", path, errno);
  }
  server->stop_reading = Descriptor(ends[0]);
  server->stop_writing = Descriptor(ends[1]);
  server->thread = std::thread([&serving = *server] { serving.serve(); });
  return AnswerSocket(std::move(server));
}

Result<std::string> ask_socket(const std::string& path, std::chrono::milliseconds most) {
  TRY_ASSIGN(const Address address, address_of(path));
  const Descriptor socket = make_socket();
  if (!socket) {
    return base::system_error("making a socket", path, errno);
  }
  set_timeouts(socket.get(), most);
  if (::connect(socket.get(), generic(address.name), sizeof address.name) != 0) {
    return Error{ErrorKind::not_found, "nobody answers here", path, {}};
  }
  std::string answer;
  std::array<char, 4096> buffer{};
  while (answer.size() < kLongestAnswer) {
    const ssize_t count = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return base::system_error("waiting for an answer", path, errno);
    }
    if (count == 0) {
      break;
    }
    answer.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return answer;
}

}  // namespace daybook::host

// SPDX-License-Identifier: MIT
#include "support/model_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace daybook::support {
namespace {

constexpr int kLookMs = 10;

/// Whether something is to be read within a moment: bytes, or the end.
bool is_readable(int socket) {
  pollfd waiting{socket, POLLIN, 0};
  return ::poll(&waiting, 1, kLookMs) > 0;
}

std::size_t content_length(const std::string& request) {
  const std::size_t at = request.find("Content-Length: ");
  return at == std::string::npos ? 0 : std::strtoul(request.c_str() + at + 16, nullptr, 10);
}

bool is_whole(const std::string& request) {
  constexpr char kTlsHandshake = 0x16;  // no HTTP will come
  if (request.starts_with(kTlsHandshake)) {
    return true;
  }
  const std::size_t head = request.find("\r\n\r\n");
  return head != std::string::npos && request.size() >= head + 4 + content_length(request);
}

std::string read_request(int socket, const std::atomic<bool>& ending) {
  std::string request;
  std::array<char, 4096> buffer{};
  while (!ending && !is_whole(request)) {
    if (!is_readable(socket)) {
      continue;
    }
    const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      break;
    }
    request.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return request;
}

}  // namespace

bool ModelServer::Peer::send(std::string_view bytes) const {
  while (!bytes.empty() && !ending_) {
    pollfd waiting{socket_, POLLOUT, 0};
    if (::poll(&waiting, 1, kLookMs) <= 0) {
      continue;
    }
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return !ending_;
}

void ModelServer::Peer::hang() const {
  while (!ending_ && !is_readable(socket_)) {
  }
}

bool ModelServer::Peer::drip(std::string_view bytes, std::size_t piece) const {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    if (!send(bytes.substr(0, piece)) || is_readable(socket_)) {
      return false;
    }
  }
  return true;
}

ModelServer::ModelServer(std::vector<Behaviour> behaviours) : behaviours_(std::move(behaviours)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* place = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, place, size) != 0 || ::listen(listener_, 8) != 0 ||
      ::getsockname(listener_, place, &size) != 0) {
    throw std::runtime_error("no port on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

ModelServer::~ModelServer() {
  ending_ = true;
  thread_.join();
  ::close(listener_);
}

std::string ModelServer::origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::vector<std::string> ModelServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ModelServer::serve() {
  std::size_t number = 0;
  while (!ending_) {
    if (!is_readable(listener_)) {
      continue;
    }
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) {
      answer(socket, number++);
      ::close(socket);
    }
  }
}

void ModelServer::answer(int socket, std::size_t number) {
  std::string request = read_request(socket, ending_);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  behaviours_[std::min(number, behaviours_.size() - 1)](Peer(socket, ending_));
}

ModelServer::Behaviour replies(const std::string& status,
                               const std::string& body,
                               const std::string& headers) {
  return [=](const ModelServer::Peer& peer) {
    peer.send("HTTP/1.1 " + status + "\r\n" + headers + "Content-Type: application/json\r\n" +
              "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  };
}

std::string completion(const std::string& text) {
  std::string json;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      json.append(escape.data());
    } else {
      json.push_back(c);
    }
  }
  return R"({"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":")" + json +
         R"("},"finish_reason":"stop"}]})";
}

ModelServer::Behaviour says(const std::string& text) { return replies("200 OK", completion(text)); }

}  // namespace daybook::support

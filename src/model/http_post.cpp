// SPDX-License-Identifier: MIT
#include "model/http_post.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/host/broken_pipe.hpp"
#include "model/host_addresses.hpp"
#include "model/received_bytes.hpp"

#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <sys/socket.h>
#include <thread>

namespace daybook::model {
namespace {

using Moment = std::chrono::steady_clock::time_point;

// Of headers and body together, as they come over the wire.
std::uint64_t most_received(const HttpRequest& request) {
  return request.most_answer + 3 * kMostAnswerBytes;
}

/// Ends a connection from outside when its time is up or too much has come. httplib's own limits
/// are for one read each, and it keeps headers of any length: one byte a second would never end,
/// and an endless header would fill the memory.
class Watchdog {
 public:
  Watchdog(Moment deadline, const HttpRequest& request)
      : deadline_(deadline),
        most_received_(most_received(request)),
        cancelled_(request.cancelled),
        thread_([this] { watch(); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// From now on this socket. A descriptor of our own, so that it can never be another's.
  void guard(int socket) {
    const std::lock_guard lock(mutex_);
    socket_ = base::Descriptor(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  }

  bool is_late() const { return late_; }
  bool is_flooded() const { return flooded_; }

 private:
  void watch() {
    constexpr std::chrono::milliseconds kLook{20};
    std::unique_lock lock(mutex_);
    while (!done_) {
      changed_.wait_for(lock, kLook);
      late_ = late_ || std::chrono::steady_clock::now() >= deadline_ ||
              (cancelled_ != nullptr && *cancelled_);
      flooded_ = flooded_ || (socket_ && received_bytes(socket_.get()) > most_received_);
      if (socket_ && (late_ || flooded_)) {
        ::shutdown(socket_.get(), SHUT_RDWR);
      }
    }
  }

  const Moment deadline_;
  const std::uint64_t most_received_;
  const std::atomic<bool>* const cancelled_;
  std::mutex mutex_;
  std::condition_variable changed_;
  base::Descriptor socket_;
  bool done_ = false;
  std::atomic<bool> late_ = false;
  std::atomic<bool> flooded_ = false;
  std::thread thread_;  // last: it uses all the others
};

HttpEnd end_of(httplib::Error error) {
  switch (error) {
    case httplib::Error::Success:
      return HttpEnd::answered;
    case httplib::Error::SSLConnection:
    case httplib::Error::SSLLoadingCerts:
    case httplib::Error::SSLServerVerification:
      return HttpEnd::untrusted;
    case httplib::Error::Connection:
    case httplib::Error::ConnectionTimeout:
    case httplib::Error::BindIPAddress:
      return HttpEnd::no_connection;
    default:
      return HttpEnd::broken;
  }
}

/// The certificate must still be the host's: only where to connect is said.
void prepare(httplib::Client& client,
             const HttpRequest& request,
             const std::string& address,
             std::chrono::milliseconds to_connect,
             Watchdog& watchdog) {
  client.set_hostname_addr_map({{host_of(request.origin), address}});
  client.set_connection_timeout(to_connect);
  client.set_read_timeout(request.most);
  client.set_write_timeout(request.most);
  client.set_follow_location(false);
  client.set_keep_alive(false);
  client.set_decompress(false);
  client.enable_server_certificate_verification(true);
  client.set_socket_options([&watchdog](int socket) { watchdog.guard(socket); });
}

httplib::Request vendor_request(const HttpRequest& request, std::string& body, bool& too_large) {
  httplib::Request made;
  made.method = "POST";
  made.path = request.path;
  made.body = request.body;
  made.headers = {{"Content-Type", "application/json"},
                  {"Accept", "application/json"},
                  {"Accept-Encoding", "identity"},
                  {"User-Agent", "daybook"}};
  if (!request.bearer.empty()) {
    made.headers.emplace("Authorization", "Bearer " + request.bearer);
  }
  const std::size_t most = request.most_answer;
  made.content_receiver = [&body, &too_large, most](
                              const char* bytes, std::size_t size, std::uint64_t, std::uint64_t) {
    too_large = too_large || size > most - body.size();
    if (!too_large) {
      body.append(bytes, size);
    }
    return !too_large;
  };
  return made;
}

/// One connection, to one of the host's addresses.
HttpAnswer send_to(const std::string& address,
                   const HttpRequest& request,
                   std::chrono::milliseconds to_connect,
                   Moment deadline,
                   Watchdog& watchdog) {
  HttpAnswer answer;
  bool too_large = false;
  httplib::Client client(request.origin);
  if (!client.is_valid()) {
    return answer;
  }
  prepare(client, request, address, to_connect, watchdog);
  const httplib::Result result = client.send(vendor_request(request, answer.body, too_large));
  const bool failed = result.error() != httplib::Error::Success;
  if (too_large || watchdog.is_flooded()) {
    answer.end = HttpEnd::too_large;
  } else if (watchdog.is_late() || (failed && std::chrono::steady_clock::now() >= deadline)) {
    // Also when httplib saw no failure: a body without a length just ends where it was cut.
    answer.end = HttpEnd::too_slow;
  } else {
    answer.end = end_of(result.error());
  }
  if (answer.end == HttpEnd::answered) {
    answer.status = result->status;
    answer.retry_after = result->get_header_value("Retry-After");
  }
  return answer;
}

HttpAnswer send(const HttpRequest& request) {
  HttpAnswer answer;
  const Moment deadline = std::chrono::steady_clock::now() + request.most;
  const Lookup found = look_up(host_of(request.origin), deadline, request.cancelled);
  if (found.end != LookupEnd::found) {
    answer.end = found.end == LookupEnd::too_slow ? HttpEnd::too_slow : HttpEnd::no_connection;
    return answer;
  }
  Watchdog watchdog(deadline, request);
  std::size_t left = found.addresses.size();
  for (const std::string& address : found.addresses) {
    // Each gets its share, so that one which swallows everything leaves time for the next.
    const auto to_connect = std::chrono::ceil<std::chrono::milliseconds>(
        (deadline - std::chrono::steady_clock::now()) / static_cast<std::int64_t>(left--));
    answer = send_to(
        address, request, std::max(to_connect, std::chrono::milliseconds(1)), deadline, watchdog);
    if (answer.end != HttpEnd::no_connection) {
      break;
    }
  }
  return answer;
}

}  // namespace

HttpAnswer http_post(const HttpRequest& request) {
  const host::NoBrokenPipe no_broken_pipe;  // OpenSSL writes without asking for silence
  try {
    return send(request);
  } catch (const std::exception&) {
    // What it says may hold parts of the answer.
    HttpAnswer answer;
    answer.end = HttpEnd::broken;
    return answer;
  }
}

}  // namespace daybook::model

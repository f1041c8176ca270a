// SPDX-License-Identifier: MIT
#include "model/host_addresses.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <netdb.h>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace daybook::model {
namespace {

/// Those that nobody waits for any more end by themselves; a program that asks again and again
/// must not gather threads meanwhile.
constexpr int kMostUnderWay = 16;
std::atomic<int> under_way{0};

std::vector<std::string> addresses_of(const std::string& host, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* first = nullptr;
  std::vector<std::string> found;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &first) != 0) {
    return found;
  }
  for (const addrinfo* each = first; each != nullptr; each = each->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(each->ai_addr,
                      each->ai_addrlen,
                      text.data(),
                      text.size(),
                      nullptr,
                      0,
                      NI_NUMERICHOST) == 0) {
      found.emplace_back(text.data());
    }
  }
  ::freeaddrinfo(first);
  return found;
}

/// Shared by the one who asks and the thread, which may outlive him.
struct Question {
  Question() { ++under_way; }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;
  ~Question() { --under_way; }

  std::mutex mutex;
  std::condition_variable answered;
  std::optional<std::vector<std::string>> answer;
};

}  // namespace

Lookup look_up(const std::string& host,
               std::chrono::steady_clock::time_point deadline,
               const std::atomic<bool>* cancelled,
               Resolver resolve) {
  if (auto numeric = addresses_of(host, AI_NUMERICHOST); !numeric.empty()) {
    return {LookupEnd::found, std::move(numeric)};
  }
  if (!resolve) {
    resolve = [](const std::string& name) { return addresses_of(name, 0); };
  }
  const auto question = std::make_shared<Question>();
  if (under_way > kMostUnderWay) {
    return {LookupEnd::too_slow, {}};
  }
  std::thread([question, host, resolve = std::move(resolve)] {
    auto answer = resolve(host);
    const std::lock_guard lock(question->mutex);
    question->answer = std::move(answer);
    question->answered.notify_all();
  }).detach();
  constexpr std::chrono::milliseconds kLook{20};
  std::unique_lock lock(question->mutex);
  while (!question->answer) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline || (cancelled != nullptr && *cancelled)) {
      return {LookupEnd::too_slow, {}};
    }
    question->answered.wait_until(lock, std::min(deadline, now + kLook));
  }
  const bool is_known = !question->answer->empty();
  return {is_known ? LookupEnd::found : LookupEnd::unknown, std::move(*question->answer)};
}

std::string host_of(const std::string& origin) {
  const std::size_t scheme = origin.find("://");
  const std::string rest = scheme == std::string::npos ? origin : origin.substr(scheme + 3);
  return rest.starts_with('[') ? rest.substr(1, rest.find(']') - 1)
                               : rest.substr(0, rest.find_first_of(":/"));
}

}  // namespace daybook::model

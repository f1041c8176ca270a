// SPDX-License-Identifier: MIT
#include "model/endpoint_request.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <thread>

namespace daybook::model {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{500};
constexpr milliseconds kLongestWait{10'000};

constexpr int kBadRequest = 400;
constexpr int kTooLargeRequest = 413;
constexpr int kUnprocessable = 422;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kTooManyRequests = 429;

bool is_success(int status) { return status >= 200 && status < 300; }
bool is_redirect(int status) { return status >= 300 && status < 400; }
bool is_server_trouble(int status) { return status >= 500; }

/// Whether the same request may fare better a moment later. One that was too slow is not repeated:
/// it would be as slow again, and somebody waits.
bool is_passing(const HttpAnswer& answer) {
  switch (answer.end) {
    case HttpEnd::no_connection:
    case HttpEnd::broken:
      return true;
    case HttpEnd::answered:
      return answer.status == kTooManyRequests || is_server_trouble(answer.status);
    default:
      return false;
  }
}

/// How long the server wants to be left alone, if it says so in whole seconds.
std::optional<milliseconds> asked_for(const HttpAnswer& answer) {
  constexpr std::size_t kMostDigits = 6;
  const std::string& words = answer.retry_after;
  if (words.empty() || words.size() > kMostDigits ||
      words.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return std::chrono::seconds(std::stoi(words));
}

/// What the server asks for, else twice as long each time; 10 s at most.
milliseconds wait_before(unsigned retry, const HttpAnswer& answer) {
  const milliseconds usual = kFirstWait * (1U << std::min(retry, 5U));
  return std::min(asked_for(answer).value_or(usual), kLongestWait);
}

struct Address {
  std::string origin;  // scheme, host and port
  std::string path;
};

Result<Address> address_of(const std::string& base_url,
                           const std::string& method,
                           const EndpointWords& words) {
  const std::size_t scheme = base_url.find("://");
  const std::size_t host = scheme == std::string::npos ? scheme : scheme + 3;
  const std::string name = base_url.substr(0, scheme);
  const std::size_t slash =
      std::min(base_url.find('/', std::min(host, base_url.size())), base_url.size());
  const bool understood = (name == "http" || name == "https") && slash > host &&
                          base_url.find_first_of("?#@ \t\r\n") == std::string::npos;
  if (!understood) {
    return Error{ErrorKind::usage,
                 words.section + ".base_url is not the address of an endpoint",
                 {},
                 "It looks like http://127.0.0.1:8080/v1: no key, no question mark."};
  }
  Address address{base_url.substr(0, slash), base_url.substr(slash)};
  while (address.path.ends_with('/')) {
    address.path.pop_back();
  }
  address.path.append(method);
  return address;
}

/// The key itself must not appear in any message.
Result<std::string> key_from(const std::string& variable, const EndpointWords& words) {
  if (variable.empty()) {
    return std::string();
  }
  const char* value = std::getenv(variable.c_str());  // NOLINT(concurrency-mt-unsafe): only read
  if (value == nullptr || *value == '\0') {
    return Error{
        ErrorKind::usage,
        "the key of " + words.subject + " is not there: " + variable + " is not set",
        {},
        "Set " + variable + " where daybook runs, or take " + words.section + ".api_key_env out."};
  }
  const std::string key(value);
  const bool sound = std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 127; });
  if (!sound) {
    return Error{ErrorKind::usage,
                 "the key in " + variable + " holds blanks or other characters that no key has",
                 {},
                 "Set it again, without quotes and line ends."};
  }
  return key;
}

/// What went wrong, in words.
class Failure {
 public:
  Failure(const Endpoint& endpoint, const EndpointWords& words, std::size_t most)
      : endpoint_(endpoint), words_(words), most_(most) {}

  Error failure(const HttpAnswer& answer) const {
    switch (answer.end) {
      case HttpEnd::no_connection:
        return fail("cannot be reached",
                    "Is it running? See " + words_.section + ".base_url in daybook.yaml.");
      case HttpEnd::untrusted:
        return fail("has no certificate that this machine trusts",
                    "See its certificate, or name its authority in SSL_CERT_FILE.");
      case HttpEnd::broken:
        return fail("ended the connection before its answer", "See its log.");
      case HttpEnd::too_slow:
        return fail("did not answer within " + std::to_string(endpoint_.timeout.count()) + " ms",
                    endpoint_.when_too_slow.empty()
                        ? "Set " + words_.section +
                              ".timeout_seconds higher in daybook.yaml, or choose a faster model."
                        : endpoint_.when_too_slow);
      case HttpEnd::too_large:
        return fail("sent more than " + std::to_string(most_ / 1024) + " KiB",
                    "See whether " + words_.section + ".base_url is the right one.");
      case HttpEnd::answered:
        break;
    }
    return refusal(answer.status);
  }

  /// It wants to be left alone.
  Error wish(int status, milliseconds time) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::min<milliseconds>(time, RequestPace::kLongestHold));
    return fail("answered with status " + std::to_string(status) +
                    " and wants to be left alone: it is not asked again for " +
                    std::to_string(seconds.count()) + " s",
                "It is asked too often, or its quota is used up.");
  }

  Error refusal(int status) const {
    const std::string what = "answered with status " + std::to_string(status);
    if (status == kBadRequest || status == kTooLargeRequest || status == kUnprocessable) {
      // It is about this very text, or about the model's name.
      return {ErrorKind::damaged,
              fail(what, {}).message,
              {},
              "See whether " + words_.section + ".model is known to it, and its log."};
    }
    if (status == kUnauthorized || status == kForbidden) {
      return fail(what,
                  endpoint_.api_key_env.empty()
                      ? "It wants a key: name its variable in " + words_.section + ".api_key_env."
                      : "See whether " + endpoint_.api_key_env + " holds a valid key.");
    }
    if (status == kNotFound) {
      return fail(what,
                  "See whether " + words_.section + ".base_url ends in /v1, and " + words_.section +
                      ".model is known to it.");
    }
    if (is_redirect(status)) {
      return fail(what,
                  "Redirects are not followed: write the final address in " + words_.section +
                      ".base_url.");
    }
    if (status == kTooManyRequests) {
      return fail(what, "It is asked too often, or its quota is used up: try again later.");
    }
    if (is_server_trouble(status)) {
      // Perhaps about this very text as well: some say so of one that is too long.
      return {ErrorKind::damaged, fail(what, {}).message, {}, "See its log, or try again later."};
    }
    return fail(what, "See whether " + words_.section + ".model is known to it, and its log.");
  }

  Error fail(const std::string& what, std::string hint) const {
    return {ErrorKind::io,
            words_.subject + " " + endpoint_.model + " at " + endpoint_.base_url + " " + what,
            {},
            std::move(hint)};
  }

 private:
  const Endpoint& endpoint_;
  const EndpointWords& words_;
  std::size_t most_;
};

}  // namespace

Wait patient_wait(const std::atomic<bool>* cancelled) {
  return [cancelled](milliseconds time) {
    constexpr milliseconds kPiece{50};
    for (; time.count() > 0 && (cancelled == nullptr || !*cancelled); time -= kPiece) {
      std::this_thread::sleep_for(std::min(time, kPiece));
    }
  };
}

Result<std::string> ask_endpoint(const Endpoint& endpoint,
                                 const EndpointQuestion& question,
                                 const EndpointWords& words,
                                 const Wait& wait) {
  TRY_ASSIGN(const Address address, address_of(endpoint.base_url, question.method, words));
  TRY_ASSIGN(const std::string key, key_from(endpoint.api_key_env, words));
  const HttpRequest request{address.origin,
                            address.path,
                            question.body,
                            key,
                            endpoint.timeout,
                            question.most_answer,
                            question.cancelled};
  const auto is_cancelled = [&question] {
    return question.cancelled != nullptr && *question.cancelled;
  };
  RequestPace* const pace = question.pace;
  if (auto held = pace != nullptr ? pace->held() : std::nullopt) {
    return *std::move(held);
  }
  HttpAnswer answer;
  for (unsigned retry = 0;; ++retry) {
    if (pace != nullptr) {
      pace->take(question.cancelled);
    }
    if (is_cancelled() && retry == 0) {
      return Error{
          ErrorKind::busy, words.subject + " was not asked: nobody waits any more", {}, {}};
    }
    answer = http_post(request);
    const bool passes = is_passing(answer);
    if (const auto time = asked_for(answer); pace != nullptr && passes && time > kLongestWait) {
      Error wish = Failure(endpoint, words, question.most_answer).wish(answer.status, *time);
      pace->hold(*time, wish);
      return wish;
    }
    if (!passes || retry >= endpoint.retries || is_cancelled()) {
      break;
    }
    wait(wait_before(retry, answer));
  }
  if (answer.end != HttpEnd::answered || !is_success(answer.status)) {
    return Failure(endpoint, words, question.most_answer).failure(answer);
  }
  return std::move(answer.body);
}

}  // namespace daybook::model

// SPDX-License-Identifier: MIT
//
// One HTTP request -> how it ended, and the answer if there is one. The deadline is for all of it,
// from the host's name to the last byte, however the other side divides its bytes; the answer is
// cut at a limit, its headers included.
// Certificates are verified against the system's authorities (SSL_CERT_FILE, SSL_CERT_DIR). No
// redirects, no proxies, no second try. Any thread; throws nothing; leaves no connection open.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace daybook::model {

inline constexpr std::size_t kMostAnswerBytes = std::size_t{256} * 1024;

struct HttpRequest {
  std::string origin;  ///< `https://host:port`
  std::string path;    ///< begins with a slash
  std::string body;    ///< JSON
  std::string bearer;  ///< empty: no Authorization header
  std::chrono::milliseconds most{30'000};
  std::size_t most_answer = kMostAnswerBytes;    ///< of the body, in bytes
  const std::atomic<bool>* cancelled = nullptr;  ///< ends it as if its time were up
};

enum class HttpEnd : std::uint8_t {
  answered,
  no_connection,
  untrusted,  ///< the certificate, or TLS itself
  broken,     ///< the connection ended before the answer did
  too_slow,
  too_large,
};

struct HttpAnswer {
  HttpEnd end = HttpEnd::no_connection;
  int status = 0;  ///< of `answered`
  std::string body;
  std::string retry_after;  ///< the header, as it came
};

HttpAnswer http_post(const HttpRequest& request);

}  // namespace daybook::model

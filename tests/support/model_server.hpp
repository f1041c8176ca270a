// SPDX-License-Identifier: MIT
//
// A server on 127.0.0.1 that takes HTTP requests one after the other and answers each as the test
// says, byte by byte if need be. Ended with the object, also while an answer hangs. The behaviours
// run on its thread; requests() may be asked from any.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace daybook::support {

class ModelServer {
 public:
  /// The connection, as a behaviour sees it once the request has come.
  class Peer {
   public:
    Peer(int socket, const std::atomic<bool>& ending) : socket_(socket), ending_(ending) {}
    /// False: the other side is gone, or the test ends.
    bool send(std::string_view bytes) const;
    /// Until the other side goes away or the test ends.
    void hang() const;
    /// One piece, then a short pause, and so on. False as in send().
    bool drip(std::string_view bytes, std::size_t piece = 1) const;

   private:
    int socket_;
    const std::atomic<bool>& ending_;
  };

  using Behaviour = std::function<void(const Peer&)>;

  /// Request n is answered by behaviour n, those after the last by the last.
  explicit ModelServer(std::vector<Behaviour> behaviours);
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;
  ~ModelServer();

  /// `http://127.0.0.1:PORT`
  std::string origin() const;
  /// Each whole request, headers and body.
  std::vector<std::string> requests() const;

 private:
  void serve();
  void answer(int socket, std::size_t number);

  std::vector<Behaviour> behaviours_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> ending_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

/// A whole answer with this status line (`200 OK`) and body; `headers` end in CRLF each.
ModelServer::Behaviour replies(const std::string& status,
                               const std::string& body,
                               const std::string& headers = {});

/// A chat completion with this text, which is put into JSON as it is but for quotes, backslashes
/// and control characters.
ModelServer::Behaviour says(const std::string& text);
std::string completion(const std::string& text);

}  // namespace daybook::support

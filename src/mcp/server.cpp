// SPDX-License-Identifier: MIT
#include "daybook/mcp/server.hpp"

#include "daybook/host/broken_pipe.hpp"
#include "mcp/end_signals.hpp"
#include "mcp/line_reader.hpp"
#include "mcp/memory.hpp"
#include "mcp/outlet.hpp"
#include "mcp/session.hpp"
#include "mcp/work_queue.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace daybook::mcp {
namespace {

/// So often somebody looks whether the parent is still there, and whether the index has changed.
constexpr std::chrono::milliseconds kLook{1000};
constexpr std::size_t kPiece = std::size_t{64} << 10U;

class Server {
 public:
  Server(const Memory& memory, Pipes pipes, EndSignals& signals)
      : pipes_(pipes),
        signals_(signals),
        parent_(::getppid()),
        outlet_(pipes.out, [this] { return is_over(); }),
        session_(memory, outlet_) {}

  Result<void> run() {
    std::thread worker([this] { answer_all(); });
    auto read = read_all();
    queue_.close();
    // What was asked before the end is answered, unless nobody can hear it.
    while (!queue_.wait_until_done(kLook / 5)) {
      outlet_.look();
      if (is_over() || outlet_.is_closed()) {
        queue_.cancel_all();
      }
    }
    worker.join();
    return read;
  }

 private:
  bool is_over() const { return signals_.has_come() || ::getppid() != parent_; }

  void answer_all() {
    while (!queue_.is_closed()) {
      if (auto job = queue_.take(kLook)) {
        session_.take(job->incoming, job->requests);
        queue_.done(*job);
      } else {
        session_.rest();
      }
      session_.look();
    }
  }

  Result<void> read_all() {
    std::array<char, kPiece> piece{};
    while (true) {
      // Of the output no event is asked for: that its reader is gone is told all the same.
      std::array<pollfd, 3> ready{pollfd{pipes_.in, POLLIN, 0},
                                  pollfd{signals_.descriptor(), POLLIN, 0},
                                  pollfd{pipes_.out, 0, 0}};
      const int count = ::poll(ready.data(), ready.size(), static_cast<int>(kLook.count()));
      outlet_.look();
      if (is_over() || outlet_.is_closed()) {
        queue_.cancel_all();
        return {};
      }
      if (count <= 0 || ready[0].revents == 0) {
        continue;
      }
      const ssize_t size = ::read(pipes_.in, piece.data(), piece.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) {
        continue;
      }
      if (size < 0) {
        return base::system_error("cannot read messages", "standard input", errno);
      }
      const auto take = [this](const LineReader::Line& line) { take_line(line); };
      if (size == 0) {
        lines_.finish(take);
        return {};
      }
      lines_.feed({piece.data(), static_cast<std::size_t>(size)}, take);
    }
  }

  void take_line(const LineReader::Line& line) {
    if (line.too_long) {
      outlet_.write(error_line(nullptr,
                               {rpc::kInvalidRequest,
                                "a message of more than " + std::to_string(kLongestLine >> 20U) +
                                    " MiB was skipped; send less at once",
                                nullptr}));
      return;
    }
    Job job{read_messages(line.text), {}};
    for (const Message& message : job.incoming.messages) {
      job.requests.push_back(request_of(message));
      if (message.kind == Message::Kind::notification &&
          message.method == "notifications/cancelled") {
        if (const Json* id = message.params.find("requestId")) {
          queue_.cancel(*id);
        }
      }
    }
    const Message& first = job.incoming.messages.front();
    const bool is_ping = first.kind == Message::Kind::request && first.method == "ping";
    if (is_ping && !job.incoming.is_batch) {  // also while a long call is under way
      outlet_.write(result_line(first.id, Json::object()));
      return;
    }
    // Whoever asks for more than can be kept is read on all the same, or a ping or a cancellation
    // would not be heard behind it.
    queue_.has_room() ? queue_.put(std::move(job)) : refuse(job.incoming);
  }

  void refuse(const Incoming& incoming) {
    std::string batch;
    for (const Message& message : incoming.messages) {
      const bool is_request = message.kind == Message::Kind::request;
      if (!is_request && message.kind != Message::Kind::wrong) {
        continue;
      }
      std::string line = error_line(
          message.id,
          is_request ? RpcError{rpc::kOverloaded,
                                "too many messages wait to be answered: ask again when some are",
                                nullptr}
                     : message.error);
      if (incoming.is_batch) {
        batch.append(batch.empty() ? "[" : ",").append(line);
      } else {
        outlet_.write(std::move(line));
      }
    }
    if (!batch.empty()) {
      outlet_.write(batch.append("]"));
    }
  }

  static std::shared_ptr<Request> request_of(const Message& message) {
    if (message.kind != Message::Kind::request) {
      return nullptr;
    }
    const Json* const meta = message.params.find("_meta");
    const Json* const token = meta == nullptr ? nullptr : meta->find("progressToken");
    const bool is_token =
        token != nullptr && (token->text() != nullptr || token->integer().has_value());
    return std::make_shared<Request>(message.id, is_token ? *token : Json());
  }

  Pipes pipes_;
  EndSignals& signals_;
  pid_t parent_;
  PipeOutlet outlet_;
  WorkQueue queue_;
  LineReader lines_;
  Session session_;  // of the working thread
};

}  // namespace

Result<void> serve(base::Disk& disk,
                   const base::Clock& clock,
                   const ServerPlace& place,
                   Pipes pipes) {
  TRY_ASSIGN(EndSignals signals, EndSignals::listen());
  // Of all threads, which take it over from this one: a log line to a client that has closed stderr
  // must not end the server in the middle of a call.
  const host::NoBrokenPipe no_signal;
  const Memory memory(disk, clock, place);
  return Server(memory, pipes, signals).run();
}

}  // namespace daybook::mcp

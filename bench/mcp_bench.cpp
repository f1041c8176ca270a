// SPDX-License-Identifier: MIT
// mcp_bench PROGRAM VAULT STATE NOW: how soon `PROGRAM mcp` answers initialize and tools/list from
// nothing, against a program that only starts (`PROGRAM --version`); and, beside a running service,
// how long it takes from `remember` over the note, the index and MEMORY.md to the `recall` that
// finds it. The state folder must have an index as of NOW. What is remembered is forgotten again.
// Prints rows for scripts/bench.
#include "row.hpp"
#include "watched_program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using daybook::bench::Ear;
using daybook::bench::median;
using daybook::bench::ms_since;
using daybook::bench::print;
using daybook::bench::SteadyClock;
using daybook::bench::WatchedProgram;
using daybook::bench::with_unit;

constexpr int kRuns = 5;
constexpr int kOfARun = 10;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})";

/// The server as a child, a line at a time.
class Server {
 public:
  explicit Server(const std::vector<std::string>& words) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
      return;
    }
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    arguments.reserve(copies.size() + 1);
    for (std::string& word : copies) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::execv(arguments.front(), arguments.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    output_ = ::fdopen(out[0], "r");
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    ::close(input_);
    if (output_ != nullptr) {
      std::fclose(output_);
    }
    if (child_ > 0) {
      ::waitpid(child_, nullptr, 0);
    }
    std::free(line_);  // NOLINT: getline's
  }

  void send(const std::string& message) const {
    const std::string line = message + "\n";
    static_cast<void>(::write(input_, line.data(), line.size()) < 0);
  }
  /// The answer to that request; empty: there is none.
  std::string answer(int id) {
    const std::string mark = "\"id\":" + std::to_string(id) + ",";
    while (::getline(&line_, &size_, output_) > 0) {
      std::string line(line_);
      if (line.find(mark) != std::string::npos) {
        return line;
      }
    }
    return {};
  }
  void open() {
    send(kInitialize);
    answer(1);
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  std::string call(int id, const std::string& tool, const std::string& arguments) {
    send(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" + arguments +
         "}}");
    return answer(id);
  }

 private:
  pid_t child_ = -1;
  int input_ = -1;
  std::FILE* output_ = nullptr;
  char* line_ = nullptr;
  std::size_t size_ = 0;
};

bool measure_start(const std::vector<std::string>& words) {
  std::vector<double> all;
  std::vector<double> bare;
  for (int run = 0; run <= kRuns; ++run) {
    auto begun = SteadyClock::now();
    Server server(words);
    server.send(kInitialize);
    server.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
    if (server.answer(2).find("memory_search") == std::string::npos) {
      return false;
    }
    const double took = ms_since(begun);
    begun = SteadyClock::now();
    if (std::system((words.front() + " --version >/dev/null").c_str()) != 0) {
      return false;
    }
    if (run > 0) {  // the first warms both
      all.push_back(took);
      bare.push_back(ms_since(begun));
    }
  }
  print({"MCP, start to the list of tools",
         "ms",
         "<= 150",
         all,
         with_unit(median(all), "ms"),
         with_unit(median(bare), "ms"),
         "initialize and tools/list; against a program that only starts"});
  return true;
}

std::string number_behind(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name);
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = at + name.size();
  return text.substr(begin, text.find_first_not_of("0123456789", begin) - begin);
}

/// Milliseconds of one round trip, or a negative number.
double round_trip(Server& server, int number, std::vector<std::string>& ids) {
  const std::string word = "quokka" + std::to_string(number) + "x" + std::to_string(::getpid());
  const auto begun = SteadyClock::now();
  const std::string stored = server.call(
      2 * number + 2, "remember", R"({"content":"The )" + word + R"( sleeps at noon."})");
  const std::string found = server.call(2 * number + 3, "recall", R"({"query":")" + word + R"("})");
  const double took = ms_since(begun);
  ids.push_back(number_behind(stored, "\"memory\":{\"id\":"));
  return found.find("sleeps at noon") == std::string::npos || ids.back().empty() ? -1 : took;
}

bool measure_round_trip(const std::vector<std::string>& words,
                        const std::vector<std::string>& service_words,
                        const std::string& state) {
  const Ear ear(state + "/bench.sock");
  const WatchedProgram service(service_words);
  if (!ear.hears("READY=1")) {
    return false;
  }
  Server server(words);
  server.open();
  std::vector<double> all;
  std::vector<std::string> ids;
  bool found = true;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> times;
    for (int i = 0; i < kOfARun; ++i) {
      times.push_back(round_trip(server, run * kOfARun + i, ids));
      found = found && times.back() >= 0;
    }
    all.push_back(*std::max_element(times.begin(), times.end()));
  }
  int id = 2 * kRuns * kOfARun + 10;
  for (const std::string& one : ids) {
    server.call(++id,
                "memory_forget",
                R"({"id":")" + one + R"(","reason":"a measurement","confirm":true})");
  }
  if (found) {
    print({"MCP, remember to recall",
           "ms",
           "<= 100",
           all,
           with_unit(median(all), "ms"),
           "",
           "beside the service; the slowest of 10 a run"});
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("mcp_bench PROGRAM VAULT STATE NOW\n", stderr);
    return 2;
  }
  const std::vector<std::string> vault{
      "--workspace", argv[2], "--state-dir", argv[3], "--now", argv[4]};
  std::vector<std::string> server{argv[1]};
  server.insert(server.end(), vault.begin(), vault.end());
  std::vector<std::string> service = server;
  server.emplace_back("mcp");
  service.emplace_back("watch");
  const bool measured = measure_start(server) && measure_round_trip(server, service, argv[3]);
  return measured ? 0 : 1;
}

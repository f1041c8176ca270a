// SPDX-License-Identifier: MIT
#include "embedding/model_process.hpp"

#include "support/program.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::test {
namespace {

constexpr int kPatienceMs = 60'000;

/// One line, or what came of it until the other side ended.
std::string read_line(int from) {
  std::string line;
  for (;;) {
    pollfd waiting{from, POLLIN, 0};
    char c = 0;
    if (::poll(&waiting, 1, kPatienceMs) <= 0 || ::read(from, &c, 1) != 1 || c == '\n') {
      return line;
    }
    line += c;
  }
}

}  // namespace

std::string test_packages() {
  const std::string folder = DAYBOOK_TEST_PACKAGES;
  if (!std::filesystem::exists(folder + "/node_modules/sqlite-vec-linux-x64/.sha512")) {
    throw std::runtime_error("the packages that this test needs are not in " + folder +
                             ": run it through ctest, which fetches them with npm");
  }
  return folder;
}

ModelProcess::ModelProcess() {
  const std::string packages = test_packages();
  const std::string node = support::find_program("node");
  if (node.empty()) {
    throw std::runtime_error(
        "this test runs a model with node, which is not here: "
        "apt-get install nodejs");
  }
  const std::string script =
      std::string(DAYBOOK_SOURCE_DIR) + "/tests/support/embedding_server.cjs";
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe for the model");
  }
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::execl(node.c_str(), "node", script.c_str(), packages.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  port_ = std::atoi(read_line(out[0]).c_str());
  ::close(out[0]);
  if (port_ == 0) {
    throw std::runtime_error("the model did not start: see what node says above");
  }
}

ModelProcess::~ModelProcess() {
  ::close(input_);
  ::kill(child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
}

std::string ModelProcess::base_url() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/v1";
}

}  // namespace daybook::test

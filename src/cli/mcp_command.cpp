// SPDX-License-Identifier: MIT
#include "cli/command.hpp"
#include "cli/mcp_install.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/mcp/server.hpp"
#include "daybook/projection/memory_md.hpp"

#include <cerrno>
#include <memory>
#include <unistd.h>

namespace daybook::cli {
namespace {

struct Options {
  bool read_only = false;
};

/// Whatever else may print goes to stderr from here on: messages alone leave by the descriptor that
/// is returned.
Result<base::Descriptor> take_stdout() {
  std::fflush(stdout);
  base::Descriptor out(::dup(STDOUT_FILENO));
  if (!out || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return base::system_error("cannot take over the output", "standard output", errno);
  }
  return out;
}

Result<void> run_server(const Options& options, const Settings& settings) {
  mcp::ServerPlace place;
  TRY_ASSIGN(place.workspace, open_workspace(settings));
  TRY_ASSIGN(place.state_path, state_path_beside(settings, place.workspace));
  TRY_ASSIGN(place.agent, chosen_agent(settings));
  if (place.agent.empty()) {
    place.agent = projection::kDefaultAgent;
  }
  place.writing = options.read_only ? mcp::Writing::refused : mcp::Writing::allowed;
  const auto clock = chosen_clock(settings);
  TRY_ASSIGN(const base::Descriptor out, take_stdout());
  return mcp::serve(base::real_disk(), *clock, place, {STDIN_FILENO, out.get()});
}

}  // namespace

void add_mcp(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("mcp",
                  "Serve the memory to an agent over the Model Context Protocol",
                  ".\nOn stdin and stdout, for clients that start it; 'daybook mcp install' tells "
                  "them how.\nEverything is --agent's alone; without it, default's.");
  command.flag("--read-only", options->read_only, "Write nothing: no tool that changes the memory");
  add_mcp_install(command, run);
  command.when_given([&run, options] {
    if (run) {  // install or uninstall was given
      return;
    }
    run = [options](const Settings& settings) {
      const auto served = run_server(*options, settings);
      return served ? kDone : fail(served.error(), settings);
    };
  });
}

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
//
// One pass of the pipeline as a command runs it: with a progress bar, stopped by Ctrl-C, and with
// what was mended on the way told on stderr.
#pragma once

#include "cli/settings.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/result.hpp"
#include "daybook/service/pipeline.hpp"

#include <string>
#include <vector>

namespace daybook::cli {

struct CommandPass {
  service::PassReport report;
  bool interrupted = false;  ///< said so already; the exit code is kInterrupted
};

Result<CommandPass> run_pass(const Vault& vault,
                             const service::PassRequest& request,
                             const Settings& settings);

/// A pass for its effect: the exit code that it leads to, kProblemsFound when the MEMORY.md of one
/// of these agents (none named: of any) may still show what it did before. An interrupted one is an
/// error here, because the work is half done.
Result<int> follow_up(const Vault& vault,
                      const service::PassRequest& request,
                      const Settings& settings,
                      const std::vector<std::string>& agents = {});
/// Over all of the vault, for that command.
Result<int> follow_up(const Vault& vault,
                      const char* command,
                      const Settings& settings,
                      const std::vector<std::string>& agents = {});

/// Whether a MEMORY.md could not be published; a notice has said why.
bool was_withheld(const service::PassReport& report);

/// One line: what became of an agent's MEMORY.md.
std::string describe(const service::PublishedProjection& projection, const Palette& colors);

}  // namespace daybook::cli

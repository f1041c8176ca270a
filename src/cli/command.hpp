// SPDX-License-Identifier: MIT
//
// How a command joins the program: a function that adds its options to the parser and sets what is
// to be run when the command was given. One file a command.
#pragma once

#include "cli/settings.hpp"

#include <functional>

namespace CLI {
class App;
}

namespace daybook::cli {

/// Set by the command that was given; returns the exit code.
using Run = std::function<int(const Settings&)>;

void add_check(CLI::App& app, Run& run);
void add_watch(CLI::App& app, Run& run);
void add_reindex(CLI::App& app, Run& run);
void add_remove(CLI::App& app, Run& run);
void add_unremove(CLI::App& app, Run& run);
void add_accept(CLI::App& app, Run& run);
void add_conflicts(CLI::App& app, Run& run);
void add_render(CLI::App& app, Run& run);
void add_status(CLI::App& app, Run& run);
void add_doctor(CLI::App& app, Run& run);
void add_log(CLI::App& app, Run& run);
void add_show(CLI::App& app, Run& run);
void add_open(CLI::App& app, Run& run);
void add_search(CLI::App& app, Run& run);
void add_links(CLI::App& app, Run& run);
void add_service(CLI::App& app, Run& run);
void add_config(CLI::App& app, Run& run);
void add_init(CLI::App& app, Run& run);
void add_completion(CLI::App& app, Run& run);

}  // namespace daybook::cli

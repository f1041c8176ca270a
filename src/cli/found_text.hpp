// SPDX-License-Identifier: MIT
//
// What the commands that find text share: which notes are looked at, and how a line of one is
// shown, on a terminal and as JSON.
#pragma once

#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/answer_json.hpp"
#include "daybook/service/search.hpp"

#include <memory>
#include <string>
#include <vector>

namespace daybook::cli {

using service::highlights;

/// As they were given.
struct ScopeOptions {
  std::string project;
  std::string since;
  std::string until;
  std::vector<lineage::Kind> kinds;
};

/// --project, --since, --until, --kind. The options are written to until the command runs.
void add_scope_options(const Command& command, const std::shared_ptr<ScopeOptions>& options);

/// With the agent of the settings.
Result<service::SearchScope> chosen_scope(const ScopeOptions& options,
                                          const Settings& settings,
                                          lineage::Timestamp now);

/// With a blank between two.
std::string joined(const std::vector<std::string>& words);

/// Printable, with what was looked for in colour.
std::string highlighted(const index::Snippet& snippet, const Palette& colors);

}  // namespace daybook::cli

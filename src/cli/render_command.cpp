// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/pass.hpp"
#include "cli/reading.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/ledger.hpp"
#include "daybook/service/status.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/pipeline_lock.hpp"

#include <algorithm>
#include <memory>

namespace daybook::cli {
namespace {

constexpr const char* kCommand = "daybook render";

struct Options {
  bool to_stdout = false;
  bool take_over = false;
};

/// What would be published, by the index as it is.
int render_to_stdout(const Settings& settings) {
  auto reading = open_for_reading(settings);
  if (!reading) {
    return fail(reading.error(), settings);
  }
  const auto config = service::load_config(base::real_disk(), reading->vault.workspace);
  if (!config) {
    return fail(config.error(), settings);
  }
  const std::string agent =
      reading->agent.empty() ? std::string(projection::kDefaultAgent) : reading->agent;
  const auto ledger = service::render_ledger(base::real_disk(),
                                             reading->vault.workspace,
                                             reading->reader,
                                             *config,
                                             agent,
                                             reading->vault.now());
  if (!ledger) {
    return fail(ledger.error(), settings);
  }
  const auto fresh = checked_fresh(reading->vault, settings);
  if (!fresh) {
    return fail(fresh.error(), settings);
  }
  if (settings.json) {
    print_json(Json::object({{"path", ledger->path},
                             {"agent_id", agent},
                             {"fresh", *fresh},
                             {"bytes", ledger->md.text.size()},
                             {"lines", ledger->md.lines},
                             {"rows", ledger->md.rows},
                             {"clipped", ledger->md.clipped},
                             {"text", ledger->md.text}}));
  } else {
    print(stdout, ledger->md.text);
  }
  return kDone;
}

/// A person has decided that what stands in the way of publishing no longer counts.
Result<void> take_over(const Vault& vault, const std::string& agent) {
  TRY_ASSIGN(
      const auto lock,
      state::PipelineLock::acquire(
          vault.state, {"daybook render --take-over", vault.now(), std::chrono::seconds(5)}));
  TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
  TRY_ASSIGN(const auto contested, state.publications().contested());
  for (const std::string& path : contested) {
    if (agent.empty() || path == projection::projection_path(agent)) {
      TRY(state.publications().clear_contest(path));
    }
  }
  return state.publications().accept_clock(vault.now());
}

Json to_json(const service::PassReport& report, const std::vector<std::string>& troubles) {
  Json published = Json::array();
  Json projections = Json::array();
  for (const service::PublishedProjection& projection : report.projections) {
    if (projection.written) {
      published.push_back(projection.path);
    }
    projections.push_back(Json::object({{"path", projection.path},
                                        {"agent_id", projection.agent_id},
                                        {"bytes", projection.bytes},
                                        {"lines", projection.lines},
                                        {"rows", projection.rows},
                                        {"clipped", projection.clipped},
                                        {"written", projection.written}}));
  }
  return Json::object({{"published", published},
                       {"projections", projections},
                       {"generation", report.generation},
                       {"degraded", troubles},
                       {"notices", report.notices}});
}

void print_human(const service::PassReport& report, const Palette& colors) {
  std::string text;
  for (const service::PublishedProjection& projection : report.projections) {
    text.append(describe(projection, colors));
  }
  print(stdout, text);
}

Result<std::vector<std::string>> troubles_of(const Vault& vault) {
  TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
  return service::publication_troubles(state, vault.now());
}

int render_to_vault(const Options& options, const Settings& settings) {
  const auto agent = chosen_agent(settings);
  if (!agent) {
    return fail(agent.error(), settings);
  }
  const auto vault = open_vault(settings, state::Create::if_missing);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  if (options.take_over) {
    if (const auto taken = take_over(*vault, *agent); !taken) {
      return fail(taken.error(), settings);
    }
  }
  service::PassRequest request;
  request.text = service::Text::without_full_text;
  request.agent = *agent;
  request.command = kCommand;
  const auto pass = run_pass(*vault, request, settings);
  if (!pass) {
    return fail(pass.error(), settings);
  }
  if (pass->interrupted) {
    return kInterrupted;
  }
  const auto troubles = troubles_of(*vault);
  if (!troubles) {
    return fail(troubles.error(), settings);
  }
  settings.json ? print_json(to_json(pass->report, *troubles))
                : print_human(pass->report, palette_for(stdout, settings.color));
  return troubles->empty() ? kDone : kProblemsFound;
}

}  // namespace

void add_render(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("render",
                  "Regenerate MEMORY.md",
                  ".\nReads what has changed first; leaves the full text to 'daybook reindex'.");
  const Flag to_stdout =
      command.flag("--stdout", options->to_stdout, "Print what would be published; write nothing");
  command
      .flag("--take-over",
            options->take_over,
            "Publish again although others replaced it, or the clock was set back")
      .excludes(to_stdout);
  command.when_given([&run, options] {
    run = [options](const Settings& settings) {
      return options->to_stdout ? render_to_stdout(settings) : render_to_vault(*options, settings);
    };
  });
}

}  // namespace daybook::cli

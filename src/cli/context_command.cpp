// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/found_text.hpp"
#include "cli/reading.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/recall/answer.hpp"
#include "daybook/recall/context.hpp"
#include "daybook/service/workspace_config.hpp"

#include <memory>
#include <optional>

namespace daybook::cli {
namespace {

using recall::Context;

constexpr std::size_t kMostBudget = 10'000'000;

struct Options {
  std::string query;
  std::string session;
  std::string model;
  std::optional<std::size_t> budget;
  bool preview = false;
  bool lexical = false;
};

void print_as_json(const Context& context, const Options& options) {
  Json answer = recall::to_json(context);
  answer["preview"] = options.preview;
  answer["fresh"] = context.known_stale ? Json(false) : Json(nullptr);
  answer["last_sweep"] = lineage::to_string(context.last_sweep);
  answer["generation"] = context.generation;
  print_json(answer);
}

/// An empty context is an answer, too; but a person wants to know why.
void tell(const Context& context, const Options& options, const Settings& settings) {
  if (!options.session.empty() && !context.session_known) {
    say(settings,
        "no session here is known as " + base::quoted(options.session) +
            ", so nothing of its earlier runs is told");
  }
  if (!options.model.empty() && !context.model_window) {
    say(settings,
        "how much a model named " + base::quoted(options.model) +
            " takes is not known; the budget stays at " + std::to_string(context.budget_tokens) +
            " tokens");
  }
  for (const std::string& remark : recall::remarks(context)) {
    say(settings, remark);
  }
  if (context.prompt.text.empty()) {
    say(settings,
        context.omitted.empty()
            ? "there is nothing to be reminded of"
            : "nothing fits into " + std::to_string(context.budget_tokens) +
                  " tokens; 'daybook context --budget-tokens N' gives more room");
  } else if (!context.omitted.empty()) {
    say(settings,
        counted(context.omitted.size(), "item") + " left out; --json lists " +
            (context.omitted.size() > recall::kMostListed
                 ? "the first " + std::to_string(recall::kMostListed)
                 : std::string("them")));
  }
}

Result<Context> make(const Options& options, const Settings& settings, const Vault& vault) {
  recall::ContextRequest request;
  TRY_ASSIGN(request.agent, chosen_agent(settings));
  if (request.agent.empty()) {
    request.agent = projection::kDefaultAgent;
  }
  request.query = options.query;
  request.session = options.session;
  request.model = options.model;
  request.now = vault.now();
  request.lexical = options.lexical;
  if (options.budget) {
    request.budget_tokens = *options.budget;
  }
  TRY_ASSIGN(const parse::Config config, service::load_config(base::real_disk(), vault.workspace));
  TRY_ASSIGN(const auto policy, state::run_memory_policy(vault.state));
  return recall::make_context({base::real_disk(), vault.state, config, policy}, request);
}

/// After the answer, if somebody got it, and never a reason to fail: the counters are for people
/// who wonder.
void count(const Context& context, const Vault& vault, const Settings& settings) {
  constexpr int kBusyTimeoutMs = 200;
  if (!flush_answer()) {
    return;
  }
  auto state = state::StateDb::open(vault.state, kBusyTimeoutMs);
  const auto counted = state ? recall::count_context(*state, context) : Result<void>(state.error());
  if (!counted) {
    say(settings, "this context is not counted: " + counted.error().message);
  }
}

int run_context(const Options& options, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::never);
  auto context = vault ? make(options, settings, *vault) : Result<Context>(vault.error());
  if (!context) {
    Error error = std::move(context).error();
    error.kind = error.kind == ErrorKind::not_found ? ErrorKind::no_workspace : error.kind;
    return fail(error, settings);
  }
  settings.json ? print_as_json(*context, options) : print(stdout, context->prompt.text);
  tell(*context, options, settings);
  if (!options.preview) {
    count(*context, *vault, settings);
  }
  return kDone;
}

}  // namespace

void add_context(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("context",
                  "What an agent should be reminded of, as one text within a budget",
                  ".\nWhat was learned, earlier runs of the session and the sessions that matter, "
                  "framed as data.");
  command.option("--query", "TEXT", options->query, "What is about to be done; else the latest");
  add_name_option(command,
                  "--session",
                  "ID",
                  options->session,
                  "The session that is reminded: key, id or token");
  add_count_option(command,
                   "--budget-tokens",
                   options->budget,
                   {0, kMostBudget},
                   "At most so many tokens, estimated (2000)");
  command.option(
      "--model", "NAME", options->model, "Who reads it: at most a quarter of its window is used");
  command.flag("--lexical", options->lexical, "By words alone: ask no embedding model");
  command.flag("--preview", options->preview, "Count nothing: only look");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_context(*options, settings); };
  });
}

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/embedding.hpp"
#include "cli/pass.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"

#include <cmath>
#include <memory>

namespace daybook::cli {
namespace {

struct Options {
  bool full = false;
  bool dry_run = false;
  bool no_text = false;
  bool no_embeddings = false;
  bool reembed = false;
  bool reset_telemetry = false;
  bool yes = false;
  std::optional<double> wait_seconds;
};

Json to_json(const service::PassReport& report,
             const Options& options,
             const Embedding& embedding) {
  Json published = Json::array();
  for (const auto& projection : report.projections) {
    if (projection.written) {
      published.push_back(projection.path);
    }
  }
  return Json::object({{"scanned", report.scanned},
                       {"added", report.added},
                       {"changed", report.changed},
                       {"removed", report.removed},
                       {"invalid", report.invalid},
                       {"sessions", report.sessions},
                       {"future", report.future},
                       {"generation", report.generation},
                       {"published", published},
                       {"notices", report.notices},
                       {"embeddings", to_json(embedding)},
                       {"dry_run", options.dry_run},
                       {"duration_ms", std::llround(report.seconds * 1000)}});
}

void print_human(const service::PassReport& report, const Options& options, Palette color) {
  std::string text;
  text.append(options.dry_run ? "Would index " : "Indexed ");
  text.append(counted(report.scanned, "file")).append(": ");
  text.append(grouped(report.added)).append(" added, ");
  text.append(grouped(report.changed)).append(" changed, ");
  text.append(grouped(report.removed)).append(" removed");
  if (options.dry_run) {
    print(stdout, text + ". Nothing was written.\n");
    return;
  }
  text.append(". ").append(counted(report.sessions, "session"));
  text.append(", ").append(grouped(report.invalid)).append(" invalid");
  text.append(report.invalid == 0 ? ".\n" : " ('daybook status' names them).\n");
  if (report.future > 0) {
    text.append(counted(report.future, "session"));
    text.append(report.future == 1 ? " lies" : " lie").append(" in the future: not shown.\n");
  }
  for (const auto& projection : report.projections) {
    text.append(describe(projection, color));
  }
  print(stdout, text);
}

Result<void> reset_telemetry(const Vault& vault, std::chrono::milliseconds wait) {
  TRY_ASSIGN(const auto lock,
             state::PipelineLock::acquire(
                 vault.state, {"daybook reindex --reset-telemetry", vault.now(), wait}));
  TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
  TRY(state.reset_telemetry());
  return state.audit().append({vault.now(), state::AuditAction::reset_telemetry, {}, {}, {}});
}

service::PassRequest request_of(const Options& options) {
  service::PassRequest request;
  request.extent = options.full ? service::Extent::everything : service::Extent::changes;
  request.text = options.no_text ? service::Text::without_full_text : service::Text::with_full_text;
  request.command = "daybook reindex";
  if (options.wait_seconds) {
    request.wait = std::chrono::milliseconds(std::llround(*options.wait_seconds * 1000));
  }
  return request;
}

/// Makes nothing, not even a state folder; without one everything would be new.
Result<service::PassReport> preview(const Options& options, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::never);
  if (vault) {
    return service::Pipeline(base::real_disk(), vault->state, *vault->clock)
        .preview(request_of(options));
  }
  if (vault.error().kind != ErrorKind::not_found) {
    return vault.error();
  }
  TRY_ASSIGN(const std::string workspace, open_workspace(settings));
  return service::preview_unindexed(base::real_disk(), workspace);
}

int run_preview(const Options& options, const Settings& settings) {
  const auto report = preview(options, settings);
  if (!report) {
    return fail(report.error(), settings);
  }
  settings.json ? print_json(to_json(*report, options, {}))
                : print_human(*report, options, palette_for(stdout, settings.color));
  return kDone;
}

int run_reindex(const Options& options, const Settings& settings) {
  auto agent = chosen_agent(settings);
  if (!agent) {
    return fail(agent.error(), settings);
  }
  if (options.dry_run) {
    return run_preview(options, settings);
  }
  auto vault = open_vault(settings, state::Create::if_missing);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  service::PassRequest request = request_of(options);
  request.agent = *agent;
  if (options.reset_telemetry) {
    if (!options.yes && !confirmed("Forget how often each session was shown, found and opened?")) {
      return fail({ErrorKind::usage,
                   "telemetry was not reset: nobody said yes",
                   {},
                   "Add --yes if you mean it."},
                  settings);
    }
    if (const auto reset = reset_telemetry(*vault, request.wait); !reset) {
      return fail(reset.error(), settings);
    }
  }
  const auto report = run_pass(*vault, request, settings);
  if (!report) {
    Error error = report.error();
    if (error.kind == ErrorKind::busy) {
      error.hint = "Wait longer for it with --wait SECONDS, or end that process.";
    }
    return fail(error, settings);
  }
  if (report->interrupted) {
    return kInterrupted;
  }
  Embedding embedding;
  if (!options.no_embeddings) {
    embedding = embed(*vault,
                      options.reembed ? service::Reembed::everything : service::Reembed::missing,
                      request.wait,
                      settings);
  }
  if (embedding.interrupted) {
    return kInterrupted;
  }
  settings.json ? print_json(to_json(report->report, options, embedding))
                : print_human(report->report, options, palette_for(stdout, settings.color));
  if (!settings.json) {
    print_human(embedding);
  }
  return was_withheld(report->report) || embedding.needs_person ? kProblemsFound : kDone;
}

}  // namespace

void add_reindex(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add(
      "reindex",
      "Bring the index and MEMORY.md up to date with the files",
      ".\nReads what has changed, writes rows, regenerates MEMORY.md, then the full text and, "
      "where an"
      "\nembedding model is configured, the vectors. The index is derived: it may be deleted at any"
      "\ntime, and this makes it again.");
  command.flag("--full", options->full, "Read every file and build the index anew");
  command.flag("--dry-run", options->dry_run, "Only say how many files are new or changed");
  command.flag("--no-text", options->no_text, "Leave the full text to the next time");
  command.flag("--no-embeddings", options->no_embeddings, "Leave the vectors to the next time");
  command.flag("--reembed", options->reembed, "Drop all vectors and embed everything anew");
  add_wait_option(command, options->wait_seconds, "Wait so long for another process (5)");
  command.flag("--reset-telemetry",
               options->reset_telemetry,
               "Forget how often sessions were shown, found and opened; asks first");
  command.flag("-y,--yes", options->yes, "Do not ask");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_reindex(*options, settings); };
  });
}

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
#include "cli/embedding.hpp"

#include "cli/progress.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/service_lock.hpp"

#include <utility>

namespace daybook::cli {
namespace {

void tell(const Error& error) {
  print(stderr,
        "daybook: nothing more was embedded: " + base::printable(error.message) + "\n" +
            (error.hint.empty() ? std::string() : "  " + base::printable(error.hint) + "\n"));
}

}  // namespace

Embedding embed(const Vault& vault,
                service::Reembed what,
                std::chrono::milliseconds wait,
                const Settings& settings) {
  Embedding embedding;
  const auto config = service::load_config(base::real_disk(), vault.workspace);
  if (!config || !config->embeddings.is_set()) {
    return embedding;
  }
  // Two at it would pay twice for the same notes.
  const bool is_served = state::service_holder(vault.state).has_value();
  if (is_served && what == service::Reembed::missing) {
    return embedding;
  }
  what = is_served ? service::Reembed::by_service : what;
  embedding.wanted = !is_served;
  service::WorkProgress progress;
  const InterruptFlag interrupt(progress.cancelled);
  const service::WriteGuard write = [&](const std::function<Result<void>()>& deed) -> Result<void> {
    TRY_ASSIGN(const auto lock,
               state::PipelineLock::acquire(vault.state, {"daybook reindex", vault.now(), wait}));
    return deed();
  };
  auto report = [&] {
    const ProgressBar bar(progress, settings);
    return service::run_embed_pass(base::real_disk(),
                                   vault.state,
                                   *config,
                                   {what, write, vault.now(), nullptr, true},
                                   progress);
  }();
  embedding.interrupted = progress.cancelled;
  if (report) {
    embedding.report = *report;
    if (is_served) {
      print(stderr, "daybook: the vectors are dropped; the running service makes them anew\n");
    }
  } else if (!embedding.interrupted) {
    embedding.wanted = true;
    embedding.error = report.error().message;
    embedding.needs_person = report.error().kind == ErrorKind::usage;
    tell(report.error());
  }
  if (embedding.interrupted) {
    print(stderr, "daybook: stopped; what is embedded stays, run it again to go on\n");
  }
  return embedding;
}

Json to_json(const service::EmbeddingStatus& status) {
  const bool by_extension = status.backend == index::VectorBackend::sqlite_vec;
  return Json::object({{"configured", status.configured},
                       {"identity", text_or_null(status.identity)},
                       {"recorded", text_or_null(status.recorded)},
                       {"dimensions", status.dimensions},
                       {"embedded", status.embedded},
                       {"pending", status.pending},
                       {"left_out", status.left_out},
                       {"backend", by_extension ? "sqlite-vec" : "exact"},
                       {"last_error", text_or_null(status.last_error)}});
}

std::string in_words(const service::EmbeddingStatus& status) {
  const bool by_extension = status.backend == index::VectorBackend::sqlite_vec;
  return base::printable(status.identity) + ", " + grouped(status.dimensions) +
         " dimensions: " + counted(status.embedded, "note") + ", " + grouped(status.pending) +
         " to come" +
         (status.left_out > 0 ? ", " + grouped(status.left_out) + " left out" : std::string()) +
         (by_extension ? ", by sqlite-vec" : "");
}

Json to_json(const Embedding& embedding) {
  if (!embedding.wanted) {
    return nullptr;
  }
  return Json::object({{"embedded", embedding.report.embedded},
                       {"left_out", embedding.report.left_out},
                       {"error", text_or_null(embedding.error)}});
}

void print_human(const Embedding& embedding) {
  if (embedding.report.embedded > 0) {
    print(stdout, "Embedded " + counted(embedding.report.embedded, "note") + ".\n");
  }
  if (!embedding.report.refusal.empty()) {
    print(stderr,
          "daybook: left out, and not sent again: " + base::printable(embedding.report.refusal) +
              "\n");
  }
}

}  // namespace daybook::cli

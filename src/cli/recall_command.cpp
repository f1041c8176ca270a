// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/found_text.hpp"
#include "cli/reading.hpp"
#include "cli/session_json.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/service_lock.hpp"

#include <memory>
#include <optional>

namespace daybook::cli {
namespace {

using recall::Recalled;
using recall::RecallReport;

struct Options {
  std::vector<std::string> words;
  ScopeOptions scope;
  std::optional<std::size_t> top_k;
  bool all = false;
  bool lexical = false;
  bool fresh = false;
};

struct Answer {
  std::string query;
  std::string reason;  ///< stable name; empty: something was found
  std::string why;
  std::optional<bool> fresh;
  RecallReport report;
};

/// As a note in the vault would name it.
std::string wikilink(const Recalled& result) {
  return "[[" + result.note.path() + "|" + std::string(to_string(*result.note.kind)) + "]]";
}

Json to_json(const Recalled& result) {
  return Json::object({{"path", result.note.path()},
                       {"wikilink", wikilink(result)},
                       {"session_token", result.session.token.to_string()},
                       {"agent_id", result.session.agent_id},
                       {"session_id", text_or_null(result.session.session_id)},
                       {"session_key", text_or_null(result.session.session_key)},
                       {"project", text_or_null(result.session.project)},
                       {"type", "episodic"},
                       {"kind", to_string(*result.note.kind)},
                       {"score", result.score},
                       {"why",
                        Json::object({{"terms", result.why.terms},
                                      {"text_place", result.why.text_place},
                                      {"text_score", result.why.text_score},
                                      {"vector_place", result.why.vector_place},
                                      {"vector_score", result.why.vector_score}})},
                       {"memory_sentence", result.session.sentence},
                       {"snippet", result.snippet.text},
                       {"highlights", highlights(result.snippet)},
                       {"membership_ts", lineage::to_string(result.session.membership)}});
}

void print_as_json(const Answer& answer) {
  Json results = Json::array();
  for (const Recalled& result : answer.report.results) {
    results.push_back(to_json(result));
  }
  const bool swept = answer.report.last_sweep.ms != 0;
  print_json(Json::object(
      {{"query", answer.query},
       {"mode", answer.report.words_only == recall::WordsOnly::no ? "hybrid" : "lexical"},
       {"mode_reason", text_or_null(std::string(to_string(answer.report.words_only)))},
       {"fresh", answer.fresh ? Json(*answer.fresh) : Json(nullptr)},
       {"last_sweep", swept ? Json(lineage::to_string(answer.report.last_sweep)) : nullptr},
       {"generation", answer.report.generation},
       {"reason", text_or_null(answer.reason)},
       {"changed", answer.report.changed},
       {"results", std::move(results)}}));
}

/// A head line, what is remembered, where it stands; `---` between two.
void print_blocks(const RecallReport& report, const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  for (const Recalled& result : report.results) {
    char score[32];
    std::snprintf(score, sizeof score, "%.3f", result.score);
    text.append(text.empty() ? "" : "\n---\n\n").append(colors.bold);
    text.append("[Type: episodic | Category: session | Score: ").append(score).append(" | ");
    text.append(lineage::to_string(result.session.membership)).append("]");
    text.append(colors.reset).append("\n").append(base::printable(result.session.sentence));
    text.append("\n").append(highlighted(result.snippet, colors)).append("\n");
    text.append(colors.dim).append(base::printable(wikilink(result))).append(colors.reset);
    text.append("\n");
  }
  print(stdout, text);
}

void tell_what_is_left_out(const RecallReport& report,
                           const Vault& vault,
                           const Settings& settings) {
  if (!report.words_only_note.empty()) {
    say(settings, base::printable(report.words_only_note));
  }
  for (const std::string& path : report.changed) {
    say(settings, path + " has changed since it was indexed and is left out");
  }
  if (!report.changed.empty() || report.months_behind > 0) {
    say(settings,
        state::service_holder(vault.state)
            ? "the full text is behind; the service is bringing it up to date"
            : "the full text is behind; 'daybook reindex' brings it up to date");
  }
  if (!report.unreadable.empty()) {
    say(settings,
        "the full text of " + counted(report.unreadable.size(), "month") +
            " is damaged and was not searched; 'daybook reindex --full' makes it anew");
  }
}

Result<Answer> find(const Options& options, const Settings& settings, const Vault& vault) {
  recall::RecallRequest request;
  TRY_ASSIGN(static_cast<service::SearchScope&>(request),
             chosen_scope(options.scope, settings, vault.now()));
  request.query = joined(options.words);
  request.top_k = options.top_k.value_or(recall::kUsualResults);
  request.now = vault.now();
  request.noise = options.all ? recall::Noise::included : recall::Noise::left_out;
  TRY_ASSIGN(const parse::Config config, service::load_config(base::real_disk(), vault.workspace));
  request.config = options.lexical ? nullptr : &config;
  Answer answer;
  answer.query = request.query;
  TRY_ASSIGN(answer.report, recall::recall(base::real_disk(), vault.state, config.noise, request));
  if (options.fresh) {
    TRY_ASSIGN(answer.fresh, checked_fresh(vault, settings));
  }
  if (answer.report.known_stale()) {
    answer.fresh = false;
  }
  if (answer.report.no_terms) {
    answer.reason = "no-terms";
    answer.why =
        "there is nothing to look for: " + base::quoted(answer.query) + " holds no telling word";
  } else if (answer.report.results.empty()) {
    answer.reason = "nothing-found";
    answer.why = "No relevant memories found.";
  }
  return answer;
}

int without_index(const Options& options, const Error& error, const Settings& settings) {
  if (settings.json) {
    Answer answer;
    answer.query = joined(options.words);
    answer.reason = "no-index";
    answer.fresh = false;
    print_as_json(answer);
  }
  print(stderr,
        "daybook: " + base::printable(error.message) + ". " + base::printable(error.hint) + "\n");
  return kProblemsFound;
}

int run_recall(const Options& options, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::never);
  auto answer = vault ? find(options, settings, *vault) : Result<Answer>(vault.error());
  if (!answer) {
    return answer.error().kind == ErrorKind::not_found
               ? without_index(options, answer.error(), settings)
               : fail(answer.error(), settings);
  }
  settings.json ? print_as_json(*answer) : print_blocks(answer->report, settings);
  tell_what_is_left_out(answer->report, *vault, settings);
  if (!answer->reason.empty()) {
    say(settings, answer->why);
    return kProblemsFound;
  }
  std::vector<state::TelemetrySubject> found;
  for (const Recalled& result : answer->report.results) {
    found.push_back({result.session.token, result.session.agent_id});
  }
  record_use(*vault, state::TelemetryEvent::searched, found);
  return kDone;
}

}  // namespace

void add_recall(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("recall",
                  "Ask the memory in plain words, and get what answers best",
                  ".\nAny of the words may occur, in any form; what holds the rarest of them comes "
                  "first.\n'daybook search' finds exact words instead.");
  command.arguments("QUESTION", options->words, "What to ask", Need::required);
  add_scope_options(command, std::shared_ptr<ScopeOptions>(options, &options->scope));
  add_count_option(
      command, "-k,--top-k", options->top_k, {1, recall::kMostResults}, "At most so many (5)");
  command.flag("--all", options->all, "Also of temporary projects and others that are noise");
  command.flag("--lexical", options->lexical, "By words alone, without the embedding model");
  command.flag("--fresh", options->fresh, "Also look whether the index is up to date");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_recall(*options, settings); };
  });
}

}  // namespace daybook::cli

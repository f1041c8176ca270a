// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/found_text.hpp"
#include "cli/reading.hpp"
#include "cli/session_json.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/search.hpp"
#include "daybook/state/service_lock.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace daybook::cli {
namespace {

using service::SearchReport;
using service::SearchResult;

constexpr std::size_t kUsualResults = 20;
constexpr std::size_t kMostResults = 1000;

struct Options {
  std::vector<std::string> words;
  ScopeOptions scope;
  std::optional<std::size_t> limit;
  bool fresh = false;
};

/// What is told when nothing was found.
struct Answer {
  std::string query;
  std::string reason;  ///< stable name; empty: something was found
  std::string why;
  std::optional<bool> fresh;
  SearchReport report;
};

Json to_json(const SearchResult& result) {
  return Json::object({{"path", result.path},
                       {"session_token", result.token.to_string()},
                       {"agent_id", result.agent_id},
                       {"project", text_or_null(result.project)},
                       {"kind", lineage::to_string(result.kind)},
                       {"score", result.score},
                       {"snippet", result.snippet.text},
                       {"highlights", highlights(result.snippet)},
                       {"membership_ts", lineage::to_string(result.membership)}});
}

void print_as_json(const Answer& answer) {
  Json results = Json::array();
  for (const SearchResult& result : answer.report.results) {
    results.push_back(to_json(result));
  }
  const bool swept = answer.report.last_sweep.ms != 0;
  print_json(Json::object(
      {{"query", answer.query},
       {"fresh", answer.fresh ? Json(*answer.fresh) : Json(nullptr)},
       {"last_sweep", swept ? Json(lineage::to_string(answer.report.last_sweep)) : nullptr},
       {"generation", answer.report.generation},
       {"reason", text_or_null(answer.reason)},
       {"older_left_out", answer.report.older_left_out},
       {"changed", answer.report.changed},
       {"results", std::move(results)}}));
}

void print_human(const SearchReport& report, const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  std::set<std::string> agents;
  for (const SearchResult& result : report.results) {
    agents.insert(result.agent_id);
  }
  std::string text;
  for (const SearchResult& result : report.results) {
    char score[32];
    std::snprintf(score, sizeof score, "%.2f", result.score);
    text.append(colors.bold).append(to_minute(result.membership)).append(colors.reset);
    text.append("  ").append(agents.size() > 1 ? result.agent_id + "  " : "");
    text.append(short_project(result.project)).append("  ");
    text.append(lineage::to_string(result.kind)).append("  ").append(score).append("\n  ");
    text.append(colors.dim).append(base::printable(result.path)).append(colors.reset);
    text.append("\n  ").append(highlighted(result.snippet, colors)).append("\n");
  }
  print(stdout, text);
}

void tell_what_is_left_out(const SearchReport& report,
                           const Vault& vault,
                           const Settings& settings) {
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
  if (report.older_left_out) {
    say(settings, "there are more matches than can be ranked; older ones are left out");
  }
}

void find_reason(Answer& answer) {
  if (answer.report.no_terms) {
    answer.reason = "no-terms";
    answer.why =
        "there is nothing to look for: " + base::quoted(answer.query) + " holds no word to find";
  } else if (answer.report.results.empty()) {
    answer.reason = "nothing-found";
    answer.why = "nothing was found for " + base::quoted(answer.query);
  }
}

Result<Answer> find(const Options& options, const Settings& settings, const Vault& vault) {
  service::SearchRequest request;
  TRY_ASSIGN(static_cast<service::SearchScope&>(request),
             chosen_scope(options.scope, settings, vault.now()));
  request.query = joined(options.words);
  request.limit = options.limit.value_or(kUsualResults);
  Answer answer;
  answer.query = request.query;
  TRY_ASSIGN(answer.report, service::search(base::real_disk(), vault.state, request));
  if (options.fresh) {
    TRY_ASSIGN(answer.fresh, checked_fresh(vault, settings));
  }
  if (answer.report.known_stale()) {
    answer.fresh = false;
  }
  find_reason(answer);
  return answer;
}

/// Nothing to search in is nothing found, and said so.
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

int run_search(const Options& options, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::never);
  auto answer = vault ? find(options, settings, *vault) : Result<Answer>(vault.error());
  if (!answer) {
    return answer.error().kind == ErrorKind::not_found
               ? without_index(options, answer.error(), settings)
               : fail(answer.error(), settings);
  }
  settings.json ? print_as_json(*answer) : print_human(answer->report, settings);
  tell_what_is_left_out(answer->report, *vault, settings);
  if (!answer->reason.empty()) {
    say(settings, answer->why);
    return kProblemsFound;
  }
  std::set<lineage::SessionToken> seen;
  std::vector<state::TelemetrySubject> found;
  for (const SearchResult& result : answer->report.results) {
    if (seen.insert(result.token).second) {
      found.push_back({result.token, result.agent_id});
    }
  }
  record_use(*vault, state::TelemetryEvent::searched, found);
  return kDone;
}

}  // namespace

void add_search(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add(
      "search",
      "Find words in the memory, best matches first",
      ".\nAll words must occur. '\"in quotes\"' side by side, 'word*' beginning so, 'a OR b' "
      "either,\n'this -that' without it; in single quotes, so that the shell leaves them alone.");
  command.arguments("WORDS", options->words, "What to look for", Need::required);
  add_scope_options(command, std::shared_ptr<ScopeOptions>(options, &options->scope));
  add_limit_option(command, options->limit, 1, kMostResults, "At most so many (20)");
  command.flag("--fresh", options->fresh, "Also look whether the index is up to date");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_search(*options, settings); };
  });
}

}  // namespace daybook::cli

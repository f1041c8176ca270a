// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/found_text.hpp"
#include "cli/reading.hpp"
#include "cli/session_json.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/recall/answer.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/run_policy.hpp"
#include "daybook/state/service_lock.hpp"

#include <algorithm>
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
  std::string session;
  std::vector<lineage::MemoryType> types;
  bool all = false;
  bool lexical = false;
  bool fresh = false;
};

/// `semantic,procedural`.
Result<void> read_types(std::string_view names, std::vector<lineage::MemoryType>& types) {
  for (bool more = true; more;) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, end));
    more = end < names.size();
    const auto type = lineage::memory_type_from_string(name);
    if (!type) {
      return Error{ErrorKind::usage,
                   "--types takes semantic, episodic or procedural, not '" + name + "'",
                   {},
                   {}};
    }
    types.push_back(*type);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return {};
}

struct Answer {
  std::string query;
  std::string reason;  ///< stable name; empty: something was found
  std::string why;
  std::optional<bool> fresh;
  std::optional<bool> session_known;  ///< nothing: none was named
  RecallReport report;
};

Json to_json(const Recalled& result, const lineage::Learning& learning) {
  return Json::object({{"path", result.note.path()},
                       {"wikilink", wikilink(result)},
                       {"session_token", nullptr},
                       {"kind", "learning"},
                       {"learning_id", learning.id},
                       {"learning_kind", to_string(learning.kind)},
                       {"agent_id", learning.agent_id},
                       {"type", to_string(lineage::memory_type_of(learning.kind))},
                       {"category", learning.category},
                       {"scope", to_string(learning.scope)},
                       {"origin", to_string(learning.origin)},
                       {"score", result.score},
                       {"why", to_json(result.why)},
                       {"content", learning.content},
                       {"snippet", result.snippet.text},
                       {"highlights", highlights(result.snippet)},
                       {"membership_ts", lineage::to_string(learning.created_at)},
                       {"created_at", lineage::to_string(learning.created_at)},
                       {"updated_at", lineage::to_string(learning.updated_at)}});
}

Json to_json(const Recalled& result) {
  if (result.learning) {
    return to_json(result, result.learning->learning);
  }
  return Json::object({{"path", result.note.path()},
                       {"wikilink", wikilink(result)},
                       {"session_token", result.session.token.to_string()},
                       {"agent_id", result.session.agent_id},
                       {"session_id", text_or_null(result.session.session_id)},
                       {"session_key", text_or_null(result.session.session_key)},
                       {"project", text_or_null(result.session.project)},
                       {"type", "episodic"},
                       {"category", "session"},
                       {"kind", to_string(*result.note.kind)},
                       {"score", result.score},
                       {"why", to_json(result.why)},
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
  Json json = Json::object({{"query", answer.query}});
  recall::put_mode(json, answer.report.mode_reason, answer.report.question_cut);
  json["fresh"] = answer.fresh ? Json(*answer.fresh) : Json(nullptr);
  json["last_sweep"] = swept ? Json(lineage::to_string(answer.report.last_sweep)) : Json(nullptr);
  json["generation"] = answer.report.generation;
  json["reason"] = text_or_null(answer.reason);
  json["session_known"] = answer.session_known ? Json(*answer.session_known) : Json(nullptr);
  json["changed"] = answer.report.changed;
  json["results"] = std::move(results);
  print_json(json);
}

/// As base::set_off() would indent it, had it no colours.
std::string indent_of(const index::Snippet& snippet) {
  const std::string line = base::printable(snippet.text);
  const bool begins_it = !snippet.cut_before && base::set_off(line).size() > line.size();
  return begins_it ? "  " : "";
}

/// A head line, what is remembered, where it stands; `---` between two. What is remembered is set
/// off as base::set_off() does, so that no line of it can be taken for one of ours.
void print_blocks(const RecallReport& report, const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  for (const Recalled& result : report.results) {
    text.append(text.empty() ? "" : "\n---\n\n").append(colors.bold).append(head_line(result));
    text.append(colors.reset).append("\n");
    if (result.learning) {
      text.append(base::set_off(result.learning->learning.content)).append("\n");
    } else {
      text.append(base::set_off(base::printable(result.session.sentence))).append("\n");
      if (recall::tells_more(result)) {
        text.append(indent_of(result.snippet)).append(highlighted(result.snippet, colors));
        text.append("\n");
      }
    }
    text.append(colors.dim).append(base::printable(wikilink(result))).append(colors.reset);
    text.append("\n");
  }
  print(stdout, text);
}

void tell_what_is_left_out(const RecallReport& report,
                           const Vault& vault,
                           const Settings& settings) {
  for (const std::string& remark : recall::remarks(report)) {
    say(settings, remark);
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

/// On behalf of the session that --session names, if it does: what that may see, as the policy
/// says.
Result<RecallReport> ask(const Options& options,
                         const Vault& vault,
                         recall::RecallRequest& request,
                         Answer& answer) {
  TRY_ASSIGN(const parse::Config config, service::load_config(base::real_disk(), vault.workspace));
  recall::OpenIndex::FirstLook find_session;
  if (!options.session.empty()) {
    if (request.agent.empty()) {
      request.agent = projection::kDefaultAgent;
    }
    TRY_ASSIGN(const auto policy, state::run_memory_policy(vault.state));
    find_session = [&, policy](index::Reader& reader) -> Result<void> {
      TRY_ASSIGN(const auto called, recall::session_called(reader, options.session, request.agent));
      answer.session_known = called.has_value();
      request.behalf =
          recall::behalf_of(called, options.session, request.agent, policy.search_visibility);
      return {};
    };
  }
  request.config = options.lexical ? nullptr : &config;
  TRY_ASSIGN(const auto question,
             recall::prepare_question(base::real_disk(), vault.state, request));
  TRY_ASSIGN(auto index, recall::OpenIndex::open(vault.state, find_session));
  return recall::recall(base::real_disk(), vault.state, config.noise, request, question, index);
}

Result<Answer> find(const Options& options, const Settings& settings, const Vault& vault) {
  recall::RecallRequest request;
  TRY_ASSIGN(static_cast<service::SearchScope&>(request),
             chosen_scope(options.scope, settings, vault.now()));
  request.query = joined(options.words);
  request.top_k = options.top_k.value_or(recall::kUsualResults);
  request.now = vault.now();
  request.learned = recall::Learned::included;
  request.types = options.types;
  request.noise = options.all ? recall::Noise::included : recall::Noise::left_out;
  Answer answer;
  answer.query = request.query;
  TRY_ASSIGN(answer.report, ask(options, vault, request, answer));
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
  if (answer->session_known == false) {
    say(settings, "no session here is known as " + base::quoted(options.session));
  }
  if (!answer->reason.empty()) {
    say(settings, answer->why);
    return kProblemsFound;
  }
  std::vector<state::TelemetrySubject> found;
  for (const Recalled& result : answer->report.results) {
    if (result.learning) {
      continue;  // uses are counted of sessions
    }
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
  add_name_option(command,
                  "--session",
                  "ID",
                  options->session,
                  "Only what this session may see, as 'daybook policy' says: key, id or token");
  command.repeated_option(
      "--types",
      "TYPES",
      [options](const std::string& names) { return read_types(names, options->types); },
      "Only semantic, episodic or procedural; several with commas between");
  command.flag(
      "--all", options->all, "Also of temporary projects and other noise, and of the future");
  command.flag("--lexical", options->lexical, "By words alone, without the embedding model");
  command.flag("--fresh", options->fresh, "Also look whether the index is up to date");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_recall(*options, settings); };
  });
}

}  // namespace daybook::cli

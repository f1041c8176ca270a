// SPDX-License-Identifier: MIT
#include "cli/reading.hpp"

#include "cli/answer.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/session_lookup.hpp"
#include "daybook/service/use_record.hpp"

#include <algorithm>
#include <utility>

namespace daybook::cli {
namespace {

constexpr std::size_t kMostListed = 10;

int removed(const service::RemovedSession& session, const Settings& settings) {
  const std::string message = "the session " + session.token.to_string() + " was removed" +
                              (session.at ? " on " + lineage::to_string(*session.at) : "");
  if (settings.json) {
    print_json(Json::object(
        {{"error",
          Json::object(
              {{"code", "session-removed"}, {"message", message}, {"path", ""}, {"hint", ""}})}}));
  } else {
    print(stderr, "daybook: " + message + "\n");
  }
  return kProblemsFound;
}

Error ambiguous(const std::string& text, const std::vector<index::SessionRow>& found) {
  std::string hint = "Name one by its token:";
  for (std::size_t i = 0; i < std::min(found.size(), kMostListed); ++i) {
    hint.append("\n    ").append(found[i].token.to_string()).append("  ");
    hint.append(to_minute(found[i].membership)).append("  ").append(found[i].agent_id);
    hint.append("  ").append(base::printable(found[i].identity()));
  }
  if (found.size() > kMostListed) {
    hint.append("\n    and ").append(grouped(found.size() - kMostListed)).append(" more");
  }
  return {ErrorKind::usage,
          base::quoted(text) + " means " + counted(found.size(), "session"),
          {},
          std::move(hint)};
}

}  // namespace

Result<Reading> open_for_reading(const Settings& settings) {
  TRY_ASSIGN(std::string agent, chosen_agent(settings));
  auto vault = open_vault(settings, state::Create::never);
  if (!vault) {
    Error error = std::move(vault).error();
    error.kind = error.kind == ErrorKind::not_found ? ErrorKind::no_workspace : error.kind;
    return error;
  }
  for (const std::string& notice : vault->state.notices()) {
    print(stderr, "daybook: " + base::printable(notice) + "\n");
  }
  auto reader = vault->open_index();
  if (!reader) {
    Error error = std::move(reader).error();
    error.kind = error.kind == ErrorKind::not_found ? ErrorKind::no_workspace : error.kind;
    return error;
  }
  return Reading{std::move(vault).value(), std::move(reader).value(), std::move(agent)};
}

Result<std::optional<lineage::Timestamp>> read_time(const std::string& option,
                                                    const std::string& text,
                                                    DayEdge edge,
                                                    lineage::Timestamp now) {
  if (text.empty()) {
    return std::optional<lineage::Timestamp>();
  }
  if (const auto time = service::time_from_text(text, edge, now)) {
    return time;
  }
  return Error{ErrorKind::usage,
               option + " takes a time, not " + base::quoted(text),
               {},
               "Such as 2026-03-28, 2026-03-28T22:34:06Z, 7d or 24h."};
}

SessionArgument session_argument(Reading& reading,
                                 service::KnownRemovals& removals,
                                 const std::string& text,
                                 const Settings& settings) {
  const auto lookup = service::look_up_session(reading.reader,
                                               reading.vault.state,
                                               removals,
                                               text,
                                               reading.agent,
                                               service::Naming::beginning);
  if (!lookup) {
    return {{}, fail(lookup.error(), settings)};
  }
  if (lookup->found.size() == 1) {
    return {lookup->found.front(), kDone};
  }
  if (lookup->found.size() > 1) {
    return {{}, fail(ambiguous(text, lookup->found), settings)};
  }
  if (lookup->removed) {
    return {{}, removed(*lookup->removed, settings)};
  }
  std::string message = "there is no session " + base::quoted(text);
  if (!reading.agent.empty()) {
    message += " of the agent '" + reading.agent + "'";
  }
  return {{},
          fail({ErrorKind::usage,
                std::move(message),
                {},
                "'daybook log --all' lists all. If it is new, run 'daybook reindex' first."},
               settings)};
}

Result<bool> checked_fresh(const Vault& vault, const Settings& settings) {
  TRY_ASSIGN(const auto found, service::look_at_freshness(base::real_disk(), vault.state));
  if (!found.fresh()) {
    say(settings,
        "the index is older than the files (" + grouped(found.added) + " new, " +
            grouped(found.changed) + " changed, " + grouped(found.removed) + " gone" +
            (found.links_changed ? ", links lead elsewhere" : "") + "); run 'daybook reindex'");
  }
  return found.fresh();
}

void record_use(const Vault& vault,
                state::TelemetryEvent event,
                const std::vector<state::TelemetrySubject>& sessions) {
  if (!flush_answer()) {  // the answer first; one that nobody got is no use
    return;
  }
  const std::string notice = service::record_use(vault.state, event, sessions, vault.now());
  if (!notice.empty()) {
    print(stderr, "daybook: " + base::printable(notice) + "\n");
  }
}

void say(const Settings& settings, const std::string& text) {
  if (settings.loudness != Loudness::quiet) {
    static_cast<void>(
        flush_answer());  // in the order in which it was said, also where both go to one place
    print(stderr, "daybook: " + base::printable(text) + "\n");
  }
}

std::string to_minute(lineage::Timestamp time) {
  constexpr std::size_t kDay = 10;
  constexpr std::size_t kMinute = 5;
  const std::string text = lineage::to_string(time);
  return text.substr(0, kDay) + " " + text.substr(kDay + 1, kMinute);
}

std::string short_project(const std::string& project) {
  std::string_view rest = project;
  while (rest.ends_with('/')) {
    rest.remove_suffix(1);
  }
  rest.remove_prefix(rest.rfind('/') + 1);  // npos + 1 is 0
  return rest.empty() ? "-" : base::printable(rest);
}

}  // namespace daybook::cli

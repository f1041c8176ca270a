// SPDX-License-Identifier: MIT
#include "mcp/finding.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/service/time_text.hpp"
#include "mcp/arguments.hpp"
#include "mcp/schema_words.hpp"

#include <array>
#include <set>
#include <utility>

namespace daybook::mcp {
namespace {

constexpr std::array<std::string_view, 3> kSearchedKinds{"summary", "transcript", "compaction"};
constexpr int kLongestProject = 500;
constexpr int kLongestTime = 40;

Result<std::optional<lineage::Timestamp>> time_argument(const Call& call,
                                                        const std::string& name,
                                                        service::DayEdge edge) {
  const std::string text = text_argument(call.arguments, name);
  if (text.empty()) {
    return std::optional<lineage::Timestamp>();
  }
  if (const auto time = service::time_from_text(text, edge, call.memory.now())) {
    return time;
  }
  return Error{ErrorKind::usage,
               "`" + name + "` takes a time, not " + base::printable(base::quoted(text)),
               {},
               "Such as 2026-03-28, 2026-03-28T22:34:06Z, 7d or 24h."};
}

}  // namespace

void add_scope_schema(Json& properties) {
  properties["project"] = text_schema(
      "Only sessions of this project: its whole path, or the last part of it", kLongestProject);
  properties["since"] = text_schema(
      "Only sessions from then on: 2026-03-28, an RFC 3339 time, 7d or 24h ago", kLongestTime);
  properties["until"] = text_schema("Only sessions up to then, in the same forms", kLongestTime);
  properties["kinds"] = list_schema("Only notes of these kinds; else of every kind",
                                    choice_schema("A kind of note", kSearchedKinds),
                                    static_cast<int>(kSearchedKinds.size()));
  properties["check_fresh"] =
      flag_schema("Also look whether the index is as the files are; takes longer in a large vault");
}

Result<service::SearchScope> scope_of(const Call& call) {
  service::SearchScope scope;
  scope.agent = call.memory.agent();
  scope.project = text_argument(call.arguments, "project");
  TRY_ASSIGN(scope.since, time_argument(call, "since", service::DayEdge::begin));
  TRY_ASSIGN(scope.until, time_argument(call, "until", service::DayEdge::end));
  for (const std::string& name : list_argument(call.arguments, "kinds")) {
    for (const auto kind :
         {lineage::Kind::summary, lineage::Kind::transcript, lineage::Kind::compaction}) {
      if (lineage::to_string(kind) == name) {
        scope.kinds.push_back(kind);
      }
    }
  }
  return scope;
}

Result<std::optional<bool>> asked_freshness(const Call& call,
                                            const state::StateFolder& folder,
                                            bool known_stale) {
  std::optional<bool> fresh;
  if (flag_argument(call.arguments, "check_fresh")) {
    TRY(call.step("looking at the files"));
    TRY_ASSIGN(fresh, call.memory.looks_fresh(folder));
  }
  return known_stale ? std::optional(false) : fresh;
}

std::function<void()> counted_as_found(const Call& call,
                                       const state::StateFolder& folder,
                                       std::vector<state::TelemetrySubject> sessions) {
  std::set<lineage::SessionToken> seen;
  std::erase_if(sessions, [&seen](const state::TelemetrySubject& session) {
    return !seen.insert(session.token).second;
  });
  return [&memory = call.memory, folder, sessions = std::move(sessions)] {
    memory.record_use(folder, state::TelemetryEvent::searched, sessions);
  };
}

std::string as_paragraphs(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) {
    text.append("\n\n").append(base::printable(remark)).append(".");
  }
  return text;
}

std::string shortcomings(const std::vector<std::string>& changed,
                         std::uint64_t months_behind,
                         std::size_t unreadable) {
  std::string text;
  if (!changed.empty()) {
    text += "\n\n" + std::to_string(changed.size()) +
            " matching note(s) changed since they were indexed and are left out.";
  }
  if (months_behind > 0) {
    text += "\n\nThe full text is behind the files: something new may be missing here.";
  }
  if (unreadable > 0) {
    text += "\n\nThe full text of " + std::to_string(unreadable) +
            " month(s) is damaged and was not searched; the user can mend it with "
            "'daybook reindex --full'.";
  }
  return text;
}

}  // namespace daybook::mcp

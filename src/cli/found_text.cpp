// SPDX-License-Identifier: MIT
#include "cli/found_text.hpp"

#include "cli/reading.hpp"
#include "daybook/base/printable.hpp"

namespace daybook::cli {
namespace {

Result<lineage::Kind> searchable_kind(const std::string& name) {
  const auto kind = lineage::kind_from_string(name);
  if (!kind || !lineage::is_immutable(*kind)) {
    return Error{ErrorKind::usage,
                 "--kind takes summary, transcript or compaction, not '" + name + "'",
                 {},
                 {}};
  }
  return *kind;
}

}  // namespace

void add_scope_options(const Command& command, const std::shared_ptr<ScopeOptions>& options) {
  command.option(
      "--project", "PROJECT", options->project, "Only of this project: its path or last part");
  command.option("--since", "TIME", options->since, "From then on: a date, a time, 7d or 24h");
  command.option("--until", "TIME", options->until, "Up to then");
  command.repeated_option(
      "--kind",
      "KIND",
      [options](const std::string& name) -> Result<void> {
        TRY_ASSIGN(const lineage::Kind kind, searchable_kind(name));
        options->kinds.push_back(kind);
        return {};
      },
      "Only summary, transcript or compaction; may be given again");
}

Result<service::SearchScope> chosen_scope(const ScopeOptions& options,
                                          const Settings& settings,
                                          lineage::Timestamp now) {
  service::SearchScope scope;
  TRY_ASSIGN(scope.agent, chosen_agent(settings));
  scope.project = options.project;
  scope.kinds = options.kinds;
  TRY_ASSIGN(scope.since, read_time("--since", options.since, DayEdge::begin, now));
  TRY_ASSIGN(scope.until, read_time("--until", options.until, DayEdge::end, now));
  return scope;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text.append(text.empty() ? "" : " ").append(word);
  }
  return text;
}

std::string highlighted(const index::Snippet& snippet, const Palette& colors) {
  std::string text(snippet.cut_before ? "…" : "");
  std::size_t at = 0;
  for (const index::Snippet::Range& range : snippet.ranges) {
    text.append(base::printable(std::string_view(snippet.text).substr(at, range.begin - at)));
    text.append(colors.bold).append(colors.yellow);
    text.append(base::printable(
        std::string_view(snippet.text).substr(range.begin, range.end - range.begin)));
    text.append(colors.reset);
    at = range.end;
  }
  text.append(base::printable(std::string_view(snippet.text).substr(at)));
  return text.append(snippet.cut_after ? "…" : "");
}

}  // namespace daybook::cli

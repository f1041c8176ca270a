// SPDX-License-Identifier: MIT
#include "cli/shared_options.hpp"

#include <charconv>
#include <system_error>

namespace daybook::cli {
namespace {

Result<lineage::Kind> kind_from(const std::string& name) {
  const auto kind = lineage::kind_from_string(name);
  if (!kind || *kind == lineage::Kind::tombstone) {
    return Error{ErrorKind::usage,
                 "--kind takes summary, transcript, compaction or manifest, not '" + name + "'",
                 {},
                 {}};
  }
  return *kind;
}

/// Nothing when the text is no number, or one that does not fit.
template <typename Number>
std::optional<Number> number_from(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

Result<double> seconds_from(const std::string& text) {
  constexpr double kDay = 86'400;
  const auto seconds = number_from<double>(text);
  if (!seconds || !(*seconds >= 0 && *seconds <= kDay)) {
    return Error{
        ErrorKind::usage, "--wait takes seconds from 0 to 86400, not '" + text + "'", {}, {}};
  }
  return *seconds;
}

}  // namespace

void add_count_option(const Command& command,
                      const std::string& name,
                      std::optional<std::size_t>& count,
                      Bounds bounds,
                      const std::string& help) {
  const auto take = [&count, name, bounds](const std::string& text) -> Result<void> {
    const auto number = number_from<std::size_t>(text);
    if (!number || *number < bounds.least || *number > bounds.most) {
      return Error{ErrorKind::usage,
                   name.substr(name.rfind("--")) + " takes a number from " +
                       std::to_string(bounds.least) + " to " + std::to_string(bounds.most) +
                       ", not '" + text + "'",
                   {},
                   {}};
    }
    count = *number;
    return {};
  };
  command.option(name, "N", take, help);
}

void add_name_option(const Command& command,
                     const std::string& name,
                     const std::string& value_name,
                     std::string& value,
                     const std::string& help) {
  const auto take = [&value, name](const std::string& text) -> Result<void> {
    if (text.empty()) {
      return Error{ErrorKind::usage, name + " needs a value", {}, {}};
    }
    value = text;
    return {};
  };
  command.option(name, value_name, take, help);
}

void add_session_argument(const Command& command, std::string& session) {
  command.argument("SESSION",
                   session,
                   "Its token, key or id, the beginning of one, or the path of one of its files",
                   Need::required);
}

void add_kind_option(const Command& command,
                     std::optional<lineage::Kind>& kind,
                     const std::string& help) {
  const auto take = [&kind](const std::string& name) -> Result<void> {
    TRY_ASSIGN(kind, kind_from(name));
    return {};
  };
  command.option("--kind", "KIND", take, help);
}

void add_limit_option(const Command& command,
                      std::optional<std::size_t>& limit,
                      std::size_t least,
                      std::size_t most,
                      const std::string& help) {
  add_count_option(command, "--limit", limit, {least, most}, help);
}

void add_lines_option(const Command& command,
                      std::optional<std::size_t>& lines,
                      const std::string& help) {
  constexpr std::size_t kMost = 1'000'000;
  add_count_option(command, "-n,--lines", lines, {0, kMost}, help);
}

void add_wait_option(const Command& command,
                     std::optional<double>& seconds,
                     const std::string& help) {
  const auto take = [&seconds](const std::string& text) -> Result<void> {
    TRY_ASSIGN(seconds, seconds_from(text));
    return {};
  };
  command.option("--wait", "SECONDS", take, help);
}

}  // namespace daybook::cli

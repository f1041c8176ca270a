// SPDX-License-Identifier: MIT
#include "daybook/harness/run_record.hpp"

#include "daybook/base/utf8.hpp"
#include "harness/plain_quote.hpp"
#include "harness/quoted_text.hpp"

#include <algorithm>
#include <array>

namespace daybook::harness {
namespace {

constexpr std::size_t kSummaryTitle = 160;
constexpr std::size_t kSummaryRequest = 1200;
constexpr std::size_t kSummaryOutcome = 2000;
constexpr std::size_t kSummaryTouched = 40;

void append_line(std::string& text, std::string_view label, std::string_view value) {
  if (!value.empty()) {
    text.append(text.empty() ? "" : "\n").append(label).append(value);
  }
}

/// `12 turns, 1 tool call`.
std::string counted(std::uint64_t number, std::string_view word) {
  return std::to_string(number) + " " + std::string(word) + (number == 1 ? "" : "s");
}

void append_section(std::string& out,
                    std::string_view title,
                    std::string_view text,
                    std::size_t most) {
  const std::string quote = plain_quote(text, most);
  if (!quote.empty()) {
    out.append("## ").append(title).append("\n\n").append(quote).append("\n");
  }
}

void append_touched(std::string& out, const std::vector<std::string>& touched) {
  const std::size_t shown = std::min(touched.size(), kSummaryTouched);
  if (shown == 0) {
    return;
  }
  out += "## Touched\n\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string name = one_line(touched[i], 200);
    out.append("- ").append(name.empty() ? "(no name)" : code_span(name)).append("\n");
  }
  if (touched.size() > shown) {
    out.append("- and ").append(std::to_string(touched.size() - shown)).append(" more\n");
  }
  out += '\n';
}

}  // namespace

RunStatus status_of(const SessionOutline& outline) {
  if (!outline.error.empty()) {
    return RunStatus::failed;
  }
  return outline.interrupted ? RunStatus::interrupted : RunStatus::completed;
}

std::string preview(std::string_view text, std::size_t most) {
  text = trimmed(text);
  std::size_t at = 0;
  for (std::size_t characters = 0; at < text.size() && characters < most; ++characters) {
    at += base::decode_utf8(text, at).size;
  }
  return std::string(text.substr(0, at)) + (at < text.size() ? "…" : "");
}

RunRecord run_record(RunStatus status,
                     std::string_view request,
                     std::string_view outcome,
                     std::string_view error) {
  RunRecord record;
  record.status = status;
  const auto short_line = [](std::string_view text) {
    return preview(one_line(text, text.size()), kPreviewCharacters);
  };
  record.request_preview = short_line(request);
  record.outcome_preview = short_line(outcome);
  const std::string failure = short_line(error);
  if (status != RunStatus::completed) {
    record.failure_markers.emplace_back(to_string(status));
  }
  if (!failure.empty()) {
    record.failure_markers.push_back("error: " + failure);
  }

  std::string summary;
  append_line(summary, "Request: ", record.request_preview);
  append_line(summary, "Result: ", record.outcome_preview);
  if (status == RunStatus::failed && !failure.empty()) {
    append_line(summary, "Error: ", failure);
  } else if (status != RunStatus::completed || record.outcome_preview.empty()) {
    append_line(summary, "Status: ", to_string(status));
  }
  record.summary = preview(summary, kSummaryCharacters);
  return record;
}

std::string extractive_summary(const SummaryFacts& facts) {
  std::string out;
  if (const std::string title = plain_line(facts.title, kSummaryTitle); !title.empty()) {
    out.append("# ").append(title).append("\n\n");
  }
  append_section(out, "Request", facts.request, kSummaryRequest);
  if (facts.touched != nullptr) {
    append_touched(out, *facts.touched);
  }
  append_section(out, "Outcome", facts.outcome, kSummaryOutcome);
  if (facts.status == RunStatus::failed) {
    append_section(out, "Error", facts.error, kSummaryCharacters);
  }
  out.append("Status: ").append(to_string(facts.status));
  if (facts.turns > 0) {
    out.append(", ").append(counted(facts.turns, "turn"));
  }
  if (facts.tool_calls > 0) {
    out.append(", ").append(counted(facts.tool_calls, "tool call"));
  }
  return out.append(".\n");
}

}  // namespace daybook::harness

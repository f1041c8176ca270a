// SPDX-License-Identifier: MIT
#include "cli/check_output.hpp"
#include "daybook/base/printable.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace daybook::cli {
namespace {

using lineage::Code;
using lineage::Severity;
using Finding = service::CheckReport::Finding;

std::string_view color_of(Severity severity, const Palette& colors) {
  switch (severity) {
    case Severity::error:
      return colors.red;
    case Severity::warning:
      return colors.yellow;
    case Severity::info:
      break;
  }
  return colors.cyan;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(out.size(), width), ' ');
  return out;
}

std::string finding_line(const lineage::Diagnostic& diagnostic, const Palette& colors) {
  const lineage::CodeInfo& code = lineage::info(diagnostic.code);
  const std::string line = diagnostic.line == 0 ? "-" : std::to_string(diagnostic.line);
  std::string text = std::string(line.size() < 5 ? 5 - line.size() : 0, ' ') + line + "  ";
  text.append(color_of(code.severity, colors));
  text += padded(lineage::to_string(code.severity), 8);
  text.append(colors.reset);
  text += base::printable(diagnostic.sentence());
  text.append(" ").append(colors.dim).append("[").append(code.name).append("]");
  text.append(colors.reset).append("\n");
  return text;
}

std::string hint_line(Code code, const Palette& colors) {
  std::string text(15, ' ');
  text.append(colors.dim).append("-> ").append(lineage::info(code).hint);
  text.append(colors.reset).append("\n");
  return text;
}

/// What would otherwise be the same line under thousands of files.
void write_info_summary(const CheckView& view, const Palette& colors, std::FILE* out) {
  std::map<Code, std::pair<std::uint64_t, const Finding*>> by_code;
  for (const Finding& finding : view.report.findings()) {
    if (lineage::info(finding.diagnostic.code).severity == Severity::info) {
      auto& [count, example] = by_code[finding.diagnostic.code];
      example = count++ == 0 ? &finding : example;
    }
  }
  for (const auto& [code, summary] : by_code) {
    const auto& [count, example] = summary;
    std::string text(color_of(Severity::info, colors));
    text.append("info").append(colors.reset).append("  ");
    text += base::printable(example->diagnostic.sentence());
    text.append(" ").append(colors.dim).append("[").append(lineage::info(code).name).append("]");
    text.append(colors.reset).append("\n      ").append(colors.dim);
    text += counted(count, "time") + ", first in " + base::printable(view.report.path(*example));
    text.append("\n      -> ").append(lineage::info(code).hint).append(" --severity info lists ");
    text.append(count == 1 ? "it." : "them all.").append(colors.reset).append("\n\n");
    print(out, text);
  }
}

/// What may be said when nothing is shown: only as much as was looked for.
std::string_view nothing_found(Severity least) {
  switch (least) {
    case Severity::error:
      return "no errors";
    case Severity::warning:
      return "no errors and no warnings";
    case Severity::info:
      break;
  }
  return "all right";
}

std::string closing_line(const CheckView& view, const Palette& colors) {
  std::array<char, 64> effort{};
  std::snprintf(effort.data(),
                effort.size(),
                ", %.1f MB in %.2f s: ",
                static_cast<double>(view.report.bytes) / 1e6,
                view.report.seconds);
  std::string text = counted(view.report.files, "file") + effort.data();
  const SeverityCounts& counts = view.counts;
  if (counts.errors + counts.warnings + counts.infos == 0) {
    return text.append(colors.green).append(nothing_found(view.least)).append(colors.reset) + ".\n";
  }
  const auto part = [&](std::uint64_t number, std::string_view noun, std::string_view color) {
    text.append(number > 0 ? color : std::string_view{});
    text += counted(number, noun);
    text.append(number > 0 ? colors.reset : std::string_view{});
  };
  part(counts.errors, "error", colors.red);
  text += ", ";
  part(counts.warnings, "warning", colors.yellow);
  text += ", ";
  part(counts.infos, "info", colors.cyan);
  return text + ".\n";
}

}  // namespace

SeverityCounts count_shown(const CheckView& view) {
  SeverityCounts counts;
  for (const Finding& finding : view.report.findings()) {
    if (!view.shows(finding)) {
      continue;
    }
    switch (lineage::info(finding.diagnostic.code).severity) {
      case Severity::error:
        ++counts.errors;
        break;
      case Severity::warning:
        ++counts.warnings;
        break;
      case Severity::info:
        ++counts.infos;
        break;
    }
  }
  return counts;
}

void write_human(const CheckView& view, const Palette& colors, std::FILE* out) {
  const Finding* previous = nullptr;
  for (const Finding& finding : view.report.findings()) {
    const bool is_info = lineage::info(finding.diagnostic.code).severity == Severity::info;
    if (!view.shows(finding) || (is_info && !view.list_infos)) {
      continue;
    }
    std::string text;
    const bool new_file = previous == nullptr || previous->place != finding.place;
    if (new_file) {
      text.append(previous == nullptr ? "" : "\n").append(colors.bold);
      text += base::printable(view.report.path(finding));
      text.append(colors.reset).append("\n");
    }
    text += finding_line(finding.diagnostic, colors);
    if (new_file || previous->diagnostic.code != finding.diagnostic.code) {
      text += hint_line(finding.diagnostic.code, colors);  // one for a run of the same
    }
    print(out, text);
    previous = &finding;
  }
  if (previous != nullptr) {
    print(out, "\n");
  }
  if (!view.list_infos && view.least == Severity::info) {
    write_info_summary(view, colors, out);
  }
  print(out, closing_line(view, colors));
}

}  // namespace daybook::cli

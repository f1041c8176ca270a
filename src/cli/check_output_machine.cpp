// SPDX-License-Identifier: MIT
//
// JSON, gcc and SARIF 2.1.0. Names and fields are documented in docs/CHECKS.md and stable.
#include "cli/check_output.hpp"
#include "daybook/base/json.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/version.hpp"

#include <algorithm>

namespace daybook::cli {
namespace {

using base::Json;

using lineage::Severity;
using Finding = service::CheckReport::Finding;

/// JSON holds Unicode only: a name that is not UTF-8 is shown with its bad bytes escaped.
std::string json_path(const std::string& path) {
  return base::is_valid_utf8(path) ? path : base::printable(path);
}

/// `prefix`, then the shown findings as array elements, then `suffix`.
template <typename ToJson>
void write_elements(const CheckView& view, std::FILE* out, ToJson to_json) {
  std::string_view separator = "\n    ";
  for (const Finding& finding : view.report.findings()) {
    if (view.shows(finding)) {
      print(out, separator);
      print(out, to_json(finding).compact());
      separator = ",\n    ";
    }
  }
}

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      out.push_back('%');
      out.push_back(kHex[byte >> 4U]);
      out.push_back(kHex[byte & 15U]);
    }
  }
  return out;
}

std::string_view sarif_level(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      break;
  }
  return "note";
}

Json sarif_rules() {
  Json rules = Json::array();
  for (const lineage::CodeInfo& code : lineage::all_codes()) {
    rules.push_back(Json::object(
        {{"id", code.name},
         {"shortDescription", Json::object({{"text", code.sentence}})},
         {"help", Json::object({{"text", code.hint}})},
         {"defaultConfiguration", Json::object({{"level", sarif_level(code.severity)}})}}));
  }
  return rules;
}

Json sarif_result(const CheckView& view, const Finding& finding) {
  const lineage::CodeInfo& code = lineage::info(finding.diagnostic.code);
  Json location = Json::object({{"artifactLocation",
                                 Json::object({{"uri", percent_encoded(view.report.path(finding))},
                                               {"uriBaseId", "WORKSPACE"}})}});
  if (finding.diagnostic.line > 0) {
    location["region"] = Json::object({{"startLine", finding.diagnostic.line}});
  }
  return Json::object(
      {{"ruleId", code.name},
       {"ruleIndex", static_cast<int>(code.code)},
       {"level", sarif_level(code.severity)},
       {"message", Json::object({{"text", finding.diagnostic.sentence()}})},
       {"locations", Json::array({Json::object({{"physicalLocation", location}})})}});
}

}  // namespace

void write_json(const CheckView& view, std::FILE* out) {
  const Json head =
      Json::object({{"workspace", json_path(view.workspace)},
                    {"files", view.report.files},
                    {"bytes", view.report.bytes},
                    {"errors", view.counts.errors},
                    {"warnings", view.counts.warnings},
                    {"infos", view.counts.infos},
                    {"duration_ms", static_cast<std::uint64_t>(view.report.seconds * 1000)}});
  std::string opening = head.compact();
  opening.pop_back();  // the closing brace: the findings follow
  print(out, opening + ",\n  \"diagnostics\": [");
  write_elements(view, out, [&](const Finding& finding) {
    const lineage::CodeInfo& code = lineage::info(finding.diagnostic.code);
    return Json::object({{"path", json_path(view.report.path(finding))},
                         {"line", finding.diagnostic.line},
                         {"code", code.name},
                         {"severity", lineage::to_string(code.severity)},
                         {"message", finding.diagnostic.sentence()},
                         {"hint", code.hint}});
  });
  print(out, "]}\n");
}

void write_gcc(const CheckView& view, std::FILE* out) {
  for (const Finding& finding : view.report.findings()) {
    if (!view.shows(finding)) {
      continue;
    }
    const lineage::CodeInfo& code = lineage::info(finding.diagnostic.code);
    std::string text = base::printable(view.report.path(finding)) + ":" +
                       std::to_string(std::max(1U, finding.diagnostic.line)) + ": ";
    text.append(sarif_level(code.severity)).append(": ");
    text += base::printable(finding.diagnostic.sentence());
    text.append(" [").append(code.name).append("]\n");
    print(out, text);
  }
}

void write_sarif(const CheckView& view, std::FILE* out) {
  const Json driver =
      Json::object({{"name", "daybook"}, {"version", kVersion}, {"rules", sarif_rules()}});
  print(out,
        "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
        " \"version\": \"2.1.0\",\n"
        " \"runs\": [{\n"
        "  \"tool\": {\"driver\": " +
            driver.compact() +
            "},\n"
            "  \"originalUriBaseIds\": {\"WORKSPACE\": {\"uri\": " +
            Json("file://" + percent_encoded(view.workspace) + "/").compact() +
            "}},\n"
            "  \"columnKind\": \"unicodeCodePoints\",\n"
            "  \"results\": [");
  write_elements(view, out, [&](const Finding& finding) { return sarif_result(view, finding); });
  print(out, "]\n }]}\n");
}

}  // namespace daybook::cli

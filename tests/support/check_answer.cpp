// SPDX-License-Identifier: MIT
#include "support/check_answer.hpp"

#include <nlohmann/json.hpp>

namespace daybook::support {

std::vector<std::string> CheckAnswer::codes_at(std::string_view path) const {
  std::vector<std::string> codes;
  for (const Finding& finding : findings) {
    if (finding.path == path) {
      codes.push_back(finding.code);
    }
  }
  return codes;
}

std::string CheckAnswer::to_text() const {
  std::string text;
  for (const Finding& finding : findings) {
    text += finding.path + ":" + std::to_string(finding.line) + ": " + finding.severity + ": " +
            finding.message + " [" + finding.code + "]\n";
  }
  return text;
}

CheckAnswer read_check_answer(std::string_view json) {
  const auto object = nlohmann::json::parse(json);
  CheckAnswer answer;
  answer.files = object.at("files").get<std::uint64_t>();
  answer.errors = object.at("errors").get<std::uint64_t>();
  answer.warnings = object.at("warnings").get<std::uint64_t>();
  answer.infos = object.at("infos").get<std::uint64_t>();
  for (const auto& each : object.at("diagnostics")) {
    answer.findings.push_back({each.at("path").get<std::string>(),
                               each.at("line").get<std::uint32_t>(),
                               each.at("code").get<std::string>(),
                               each.at("severity").get<std::string>(),
                               each.at("message").get<std::string>(),
                               each.at("hint").get<std::string>()});
  }
  return answer;
}

}  // namespace daybook::support

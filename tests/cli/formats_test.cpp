// SPDX-License-Identifier: MIT
//
// The forms that other programs read: JSON, SARIF 2.1.0 and gcc's. What each must hold for every
// vault is checked on every fixture, the rest on vaults made for it.
#include "cli/daybook_program.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "support/temp_folder.hpp"
#include "support/text_lines.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using daybook::support::lines_of;
using nlohmann::json;
using support::SessionFiles;
using support::TempFolder;

const std::string kTime = "2026-03-28T22:34:06.792Z";

std::vector<std::string> fixture_vaults() {
  std::vector<std::string> vaults;
  for (const auto& entry : fs::directory_iterator(fs::path(DAYBOOK_SOURCE_DIR) / "fixtures")) {
    if (fs::is_directory(entry.path() / "vault")) {
      vaults.push_back((entry.path() / "vault").string());
    }
  }
  REQUIRE(vaults.size() > 50);
  return vaults;
}

/// The answer in JSON or SARIF; nothing may be said besides.
json answer_of(const std::string& vault, const std::string& format) {
  const auto outcome = run_daybook({"check", "--format", format, vault});
  INFO(outcome.out.substr(0, 4000));
  CHECK(outcome.err.empty());
  CHECK((outcome.exit_code == 0 || outcome.exit_code == 1));
  json answer = json::parse(outcome.out, nullptr, false);
  REQUIRE_FALSE(answer.is_discarded());
  return answer;
}

/// A summary with one wrong link, in a file whose name needs care: a note that claims to be one.
void write_oddly_named(const TempFolder& vault, const std::string& name) {
  vault.write("memory/" + name, "---\nkind: summary\n---\nno artifact's name\n");
}

void check_is_relative(const std::string& path) {
  CHECK(path.starts_with("memory/"));
  CHECK(path.find("..") == std::string::npos);
}

void check_json_of(const std::string& vault) {
  INFO(vault);
  const json answer = answer_of(vault, "json");
  for (const char* number : {"files", "errors", "warnings", "infos", "duration_ms"}) {
    INFO(number);
    CHECK(answer.at(number).is_number_unsigned());
  }
  std::map<std::string, std::uint64_t> counted;
  for (const json& finding : answer.at("diagnostics")) {
    INFO(finding.dump());
    check_is_relative(finding.at("path").get<std::string>());
    CHECK(finding.at("line").is_number_unsigned());
    CHECK_FALSE(finding.at("code").get<std::string>().empty());
    CHECK_FALSE(finding.at("message").get<std::string>().empty());
    CHECK_FALSE(finding.at("hint").get<std::string>().empty());
    CHECK(finding.size() == 6);
    ++counted[finding.at("severity").get<std::string>()];
  }
  CHECK(counted["error"] == answer.at("errors"));
  CHECK(counted["warning"] == answer.at("warnings"));
  CHECK(counted["info"] == answer.at("infos"));
  CHECK(counted.size() == 3);
}

void check_sarif_result(const json& result, const json& rules) {
  INFO(result.dump());
  const auto index = result.at("ruleIndex").get<std::size_t>();
  REQUIRE(index < rules.size());
  CHECK(rules.at(index).at("id") == result.at("ruleId"));
  static const std::set<std::string> levels{"none", "note", "warning", "error"};
  CHECK(levels.contains(result.at("level").get<std::string>()));
  CHECK_FALSE(result.at("message").at("text").get<std::string>().empty());
  const json& place = result.at("locations").at(0).at("physicalLocation");
  const std::string uri = place.at("artifactLocation").at("uri").get<std::string>();
  check_is_relative(uri);
  static const std::regex allowed(R"(([A-Za-z0-9\-._~/!$&'()*+,;=:@]|%[0-9A-F]{2})+)");
  CHECK(std::regex_match(uri, allowed));
  if (place.contains("region")) {
    CHECK(place.at("region").at("startLine").get<int>() >= 1);
  }
}

void check_sarif_of(const std::string& vault) {
  INFO(vault);
  const json answer = answer_of(vault, "sarif");
  CHECK(answer.at("version") == "2.1.0");
  CHECK(answer.at("$schema").get<std::string>().find("sarif-2.1.0") != std::string::npos);
  REQUIRE(answer.at("runs").size() == 1);
  const json& run = answer.at("runs").at(0);
  const json& driver = run.at("tool").at("driver");
  CHECK(driver.at("name") == "daybook");
  std::set<std::string> ids;
  for (const json& rule : driver.at("rules")) {
    CHECK(ids.insert(rule.at("id").get<std::string>()).second);
  }
  CHECK(ids.size() == lineage::all_codes().size());
  const std::string base =
      run.at("originalUriBaseIds").at("WORKSPACE").at("uri").get<std::string>();
  CHECK(base.starts_with("file:///"));
  CHECK(base.ends_with("/"));
  REQUIRE(run.at("results").is_array());
  for (const json& result : run.at("results")) {
    check_sarif_result(result, driver.at("rules"));
  }
}

std::string gcc_of(const std::string& vault) {
  const auto outcome = run_daybook({"check", "--format", "gcc", vault});
  CHECK(outcome.err.empty());
  return outcome.out;
}

void check_gcc_of(const std::string& vault) {
  INFO(vault);
  static const std::regex form(R"(^[^:]+:[0-9]+: (error|warning|note): .* \[[a-z0-9-]+\]$)");
  for (const std::string& line : lines_of(gcc_of(vault))) {
    INFO(line);
    CHECK(std::regex_match(line, form));
    CHECK(line.find(":0: ") == std::string::npos);  // editors count from 1
  }
}

}  // namespace

TEST_CASE(
    "JSON has its documented fields for every fixture, and its counts are those of the list") {
  for (const std::string& vault : fixture_vaults()) {
    check_json_of(vault);
  }
}

TEST_CASE("SARIF has what version 2.1.0 requires for every fixture") {
  for (const std::string& vault : fixture_vaults()) {
    check_sarif_of(vault);
  }
}

TEST_CASE("Every line of the gcc form of every fixture is one that editors understand") {
  for (const std::string& vault : fixture_vaults()) {
    check_gcc_of(vault);
  }
}

TEST_CASE("All forms tell the same findings") {
  const std::string vault = std::string(DAYBOOK_SOURCE_DIR) + "/fixtures/conflict-copies/vault";
  const json plain = answer_of(vault, "json").at("diagnostics");
  const json sarif = answer_of(vault, "sarif").at("runs").at(0).at("results");
  const auto gcc = lines_of(gcc_of(vault));
  REQUIRE_FALSE(plain.empty());
  REQUIRE(sarif.size() == plain.size());
  REQUIRE(gcc.size() == plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::string code = plain[i].at("code").get<std::string>();
    CHECK(sarif[i].at("ruleId") == code);
    CHECK(sarif[i].at("message").at("text") == plain[i].at("message"));
    CHECK(gcc[i].starts_with(plain[i].at("path").get<std::string>() + ":"));
    CHECK(gcc[i].ends_with("[" + code + "]"));
  }
}

TEST_CASE(
    "A file name with blanks, umlauts and percent signs is whole in JSON and encoded in SARIF") {
  const TempFolder vault;
  write_oddly_named(vault, "Größe 100% #1?.md");
  CHECK(answer_of(vault.path(), "json").at("diagnostics").at(0).at("path") ==
        "memory/Größe 100% #1?.md");
  const json place = answer_of(vault.path(), "sarif")
                         .at("runs")
                         .at(0)
                         .at("results")
                         .at(0)
                         .at("locations")
                         .at(0)
                         .at("physicalLocation");
  CHECK(place.at("artifactLocation").at("uri") == "memory/Gr%C3%B6%C3%9Fe%20100%25%20%231%3F.md");
  CHECK(place.at("artifactLocation").at("uriBaseId") == "WORKSPACE");
}

TEST_CASE("The workspace's own path is encoded in SARIF, too") {
  const TempFolder place;
  SessionFiles("default", "key-1", kTime).write(place, "my vault 50%");
  const json run = answer_of(place.at("my vault 50%"), "sarif").at("runs").at(0);
  CHECK(run.at("originalUriBaseIds").at("WORKSPACE").at("uri") ==
        "file://" + place.path().string() + "/my%20vault%2050%25/");
}

TEST_CASE("A file name that is not UTF-8 leaves JSON and SARIF valid, and the bytes can be told") {
  const TempFolder vault;
  write_oddly_named(vault, "caf\xe9.md");
  const json findings = answer_of(vault.path(), "json").at("diagnostics");
  REQUIRE(findings.size() == 2);  // the name itself, and the kind
  CHECK(findings.at(0).at("path") == "memory/caf\\xe9.md");
  const json results = answer_of(vault.path(), "sarif").at("runs").at(0).at("results");
  REQUIRE(results.size() == 2);
  CHECK(
      results.at(0).at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri") ==
      "memory/caf%E9.md");
}

TEST_CASE("A value that is cut for a message is cut between characters") {
  const TempFolder vault;
  SessionFiles session("default", "key-1", kTime);
  std::string umlauts = "x";
  for (int i = 0; i < 300; ++i) {
    umlauts += "ü";
  }
  session.summary.fields.set_text("captured_at", umlauts);
  session.transcript.fields.set_text("kind", umlauts);
  session.manifest.body = "[[memory/" + umlauts + ".md]] [[memory/x" + umlauts + ".md]]\n";
  session.write(vault);
  const json findings = answer_of(vault.path(), "json").at("diagnostics");
  REQUIRE(findings.size() >= 4);
  for (const json& finding : findings) {
    const std::string message = finding.at("message").get<std::string>();
    INFO(message);
    CHECK(message.find("\xEF\xBF\xBD") == std::string::npos);  // U+FFFD
  }
  const std::string gcc = gcc_of(vault.path());
  INFO(gcc);
  CHECK(gcc.find("\\xc3") == std::string::npos);
}

TEST_CASE("What --severity hides is in no form and in no count") {
  const std::string vault = std::string(DAYBOOK_SOURCE_DIR) + "/fixtures/demo-week/vault";
  const auto outcome = run_daybook({"check", "--json", "--severity", "error", vault});
  const json answer = json::parse(outcome.out);
  CHECK(outcome.exit_code == 0);
  CHECK(answer.at("warnings") == 0);
  CHECK(answer.at("diagnostics").empty());
  CHECK(answer.at("files") == 22);
  CHECK(run_daybook({"check", "--format", "gcc", "--severity", "error", vault}).out.empty());
  const auto sarif = run_daybook({"check", "--format", "sarif", "--severity", "error", vault});
  CHECK(json::parse(sarif.out).at("runs").at(0).at("results").empty());
}

TEST_CASE("An error is one JSON object with code, message, path and hint when JSON is asked for") {
  const auto outcome = run_daybook({"--json", "check", "--workspace", "/nonexistent/vault"});
  CHECK(outcome.exit_code == 4);
  CHECK(outcome.err.empty());
  const json error = json::parse(outcome.out).at("error");
  CHECK(error.at("code") == "no-workspace");
  CHECK(error.at("path") == "/nonexistent/vault");
  CHECK_FALSE(error.at("message").get<std::string>().empty());
  CHECK_FALSE(error.at("hint").get<std::string>().empty());
}

TEST_CASE("A missing command is an error like any other when JSON is asked for") {
  const auto outcome = run_daybook({"--json"});
  CHECK(outcome.exit_code == 2);
  const json answer = json::parse(outcome.out, nullptr, false);
  REQUIRE(answer.is_object());
  CHECK(answer.at("error").at("code") == "usage");
}

}  // namespace daybook::test

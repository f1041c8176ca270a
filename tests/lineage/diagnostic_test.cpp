// SPDX-License-Identifier: MIT
#include "daybook/lineage/diagnostic.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace daybook::lineage {
namespace {

/// Section 4 of the contract, and what other sections say of single codes.
const std::map<std::string, Severity> kSeverities{
    {"bad-agent-id", Severity::error},
    {"links-scanned-linearly", Severity::info},
    {"missing-frontmatter", Severity::error},
    {"yaml-syntax", Severity::error},
    {"yaml-forbidden", Severity::error},
    {"duplicate-key", Severity::error},
    {"missing-field", Severity::error},
    {"wrong-type", Severity::error},
    {"unknown-kind", Severity::error},
    {"bad-timestamp", Severity::error},
    {"name-mismatch", Severity::error},
    {"token-mismatch", Severity::error},
    {"token-from-session-id", Severity::info},
    {"hash-scope", Severity::error},
    {"checksum-mismatch", Severity::error},
    {"immutable-changed", Severity::error},
    {"invalid-utf8", Severity::error},
    {"too-large", Severity::error},
    {"link-not-root-relative", Severity::error},
    {"link-missing-target", Severity::warning},
    {"link-escapes-workspace", Severity::error},
    {"link-to-removed", Severity::warning},
    {"lineage-mismatch", Severity::warning},
    {"sentence-quality", Severity::warning},
    {"manifest-stale-revision", Severity::warning},
    {"removed-content-present", Severity::error},
    {"conflict-copy", Severity::warning},
    {"duplicate-artifact", Severity::warning},
    {"unreadable", Severity::error},
    {"duplicate-learning", Severity::warning},
    {"learning-secret", Severity::error},
    {"learning-status", Severity::error},
};

}  // namespace

TEST_CASE("the table stands in the order of the enumeration and is complete") {
  const auto codes = all_codes();
  REQUIRE(codes.size() == static_cast<std::size_t>(Code::yaml_syntax) + 1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CAPTURE(codes[i].name);
    CHECK(static_cast<std::size_t>(codes[i].code) == i);
    CHECK(&info(codes[i].code) == &codes[i]);
  }
}

TEST_CASE("names are unique and in kebab case and in the order of the alphabet") {
  static const std::regex kebab("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  std::set<std::string> names;
  for (const CodeInfo& code : all_codes()) {
    const std::string name(code.name);
    CAPTURE(name);
    CHECK(std::regex_match(name, kebab));
    CHECK(names.insert(name).second);
  }
  CHECK(std::is_sorted(all_codes().begin(), all_codes().end(), [](const auto& a, const auto& b) {
    return a.name < b.name;
  }));
}

TEST_CASE("codes have the names and severities of the contract") {
  std::map<std::string, Severity> actual;
  for (const CodeInfo& code : all_codes()) {
    actual.emplace(code.name, code.severity);
  }
  for (const auto& [name, severity] : kSeverities) {
    CAPTURE(name);
    REQUIRE(actual.contains(name));
    CHECK(actual[name] == severity);
  }
  CHECK(actual.size() == kSeverities.size());
}

TEST_CASE("a code of the enumeration has the name it is spelt with") {
  CHECK(info(Code::bad_agent_id).name == "bad-agent-id");
  CHECK(info(Code::immutable_changed).name == "immutable-changed");
  CHECK(info(Code::invalid_utf8).name == "invalid-utf8");
  CHECK(info(Code::link_to_removed).name == "link-to-removed");
  CHECK(info(Code::removed_content_present).name == "removed-content-present");
  CHECK(info(Code::token_from_session_id).name == "token-from-session-id");
  CHECK(info(Code::yaml_syntax).name == "yaml-syntax");
}

TEST_CASE("errors keep an artifact out but for those of links") {
  for (const CodeInfo& code : all_codes()) {
    const bool of_a_link =
        code.name == "link-not-root-relative" || code.name == "link-escapes-workspace";
    const bool keeps_out = code.severity == Severity::error && !of_a_link;
    CAPTURE(code.name);
    CHECK((code.invalidates == Invalidates::yes) == keeps_out);
  }
}

TEST_CASE("each code has a sentence and a hint that people can read") {
  std::set<std::string_view> sentences;
  for (const CodeInfo& code : all_codes()) {
    CAPTURE(code.name);
    CHECK(code.sentence.size() > 10);
    CHECK_FALSE(code.sentence.ends_with('.'));
    CHECK(code.sentence.find('\n') == std::string_view::npos);
    CHECK(sentences.insert(code.sentence).second);
    CHECK(code.hint.size() > 10);
    CHECK(code.hint.ends_with('.'));
    CHECK(code.hint.find("  ") == std::string_view::npos);
    CHECK(code.sentence.find("  ") == std::string_view::npos);
  }
}

TEST_CASE("a diagnostic speaks its own words or else those of its code") {
  CHECK(Diagnostic{Code::too_large, 0, ""}.sentence() == info(Code::too_large).sentence);
  const Diagnostic own{Code::missing_field, 3, "agent_id is missing"};
  CHECK(own.sentence() == "agent_id is missing");
  CHECK(own.sentence().data() == own.message.data());  // no copy that could dangle
}

TEST_CASE("severities have words and are read back from them") {
  CHECK(to_string(Severity::info) == "info");
  CHECK(to_string(Severity::warning) == "warning");
  CHECK(to_string(Severity::error) == "error");
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error}) {
    CHECK(severity_from_string(to_string(severity)) == severity);
  }
  for (const std::string word : {"", "Error", "errors", "warn", "note", "debug"}) {
    CHECK_FALSE(severity_from_string(word).has_value());
  }
  CHECK(Severity::info < Severity::warning);
  CHECK(Severity::warning < Severity::error);
}

}  // namespace daybook::lineage

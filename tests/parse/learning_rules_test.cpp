// SPDX-License-Identifier: MIT
#include "daybook/parse/learning_rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace daybook::parse {
namespace {

using lineage::Code;
using lineage::Learning;
using lineage::LearningStatus;
using lineage::PublishTier;

constexpr const char* kPath = "memory/learnings/42-tides.md";

struct Outcome {
  Learning learning;
  std::vector<lineage::Diagnostic> diagnostics;

  bool is_only(Code code) const { return diagnostics.size() == 1 && diagnostics[0].code == code; }
};

Outcome read(const std::string& yaml,
             const std::string& body = "\nTides are told in UTC.\n",
             const std::string& path = kPath) {
  Frontmatter fields;
  Outcome outcome;
  REQUIRE(read_frontmatter(yaml, fields, outcome.diagnostics));
  outcome.learning = read_learning(fields, path, body, 9, outcome.diagnostics);
  return outcome;
}

bool is_learning(const std::string& yaml) {
  Frontmatter fields;
  std::vector<lineage::Diagnostic> ignored;
  return read_frontmatter(yaml, fields, ignored) && is_learning_note(fields);
}

std::optional<std::uint64_t> claimed(const std::string& yaml, const std::string& path) {
  Frontmatter fields;
  std::vector<lineage::Diagnostic> ignored;
  REQUIRE(read_frontmatter(yaml, fields, ignored));
  return claimed_learning_id(fields, path);
}

constexpr const char* kWhole =
    "kind: learning\n"
    "learning_id: 865700000000000\n"
    "learning_kind: preference\n"
    "category: \"Build Tools\"\n"
    "agent_id: codex\n"
    "scope: \"project:/home/me/tidewater\"\n"
    "status: superseded\n"
    "publish_tier: provisional\n"
    "origin: api\n"
    "sensitivity: sensitive\n"
    "created_at: 2026-10-01T10:00:00.000Z\n"
    "updated_at: 2026-10-02T10:00:00.000Z\n"
    "expires_at: 2027-01-01T00:00:00+01:00\n"
    "revision: 3\n"
    "metadata: \"{\\\"from\\\": \\\"review\\\"}\"\n"
    "mood: cheerful\n";

}  // namespace

TEST_CASE("A learning note is read field by field") {
  const Outcome outcome = read(kWhole, "\r\nOne.\r\nTwo.  \r\n\r\n");
  CHECK(outcome.diagnostics.empty());
  const Learning& learning = outcome.learning;
  CHECK(learning.id == 865700000000000U);
  CHECK(learning.kind == lineage::LearningKind::preference);
  CHECK(learning.category == "build_tools");
  CHECK(learning.agent_id == "codex");
  CHECK(learning.scope ==
        lineage::LearningScope{lineage::ScopeKind::project, "/home/me/tidewater"});
  CHECK(learning.status == LearningStatus::superseded);
  CHECK(learning.tier == PublishTier::provisional);
  CHECK(learning.origin == lineage::LearningOrigin::api);
  CHECK(learning.sensitivity == lineage::Sensitivity::sensitive);
  CHECK(to_string(learning.created_at) == "2026-10-01T10:00:00.000Z");
  CHECK(to_string(learning.updated_at) == "2026-10-02T10:00:00.000Z");
  CHECK(to_string(*learning.expires_at) == "2026-12-31T23:00:00.000Z");
  CHECK(learning.revision == 3);
  CHECK(learning.metadata == "{\"from\": \"review\"}");
  CHECK(learning.content == "One.\nTwo.");
}

TEST_CASE("A note made by hand needs its learning_kind only") {
  const Outcome outcome = read("learning_kind: fact\n");
  CHECK(outcome.diagnostics.empty());
  Learning plain;
  plain.id = 42;
  plain.agent_id = "default";
  plain.category = "general";
  plain.created_at = plain.updated_at = lineage::learning_time(42);
  plain.content = "Tides are told in UTC.";
  CHECK(outcome.learning == plain);
}

TEST_CASE("Without a number a note goes by its agent and path, and by no time") {
  const std::string path = "memory/learnings/2026-11-18 tides.md";
  const Learning first = read("learning_kind: fact\n", "x", path).learning;
  CHECK(first.id > 0);
  CHECK(first.id < (1ULL << 52U));
  CHECK(first.created_at == lineage::Timestamp{});
  CHECK(read("learning_kind: fact\n", "y", path).learning.id == first.id);
  CHECK(read("learning_kind: fact\n", "x", "memory/learnings/other.md").learning.id != first.id);
  CHECK(read("learning_kind: fact\nagent_id: codex\n", "x", path).learning.id != first.id);
}

TEST_CASE("Without updated_at a note was last changed when it was made") {
  const Outcome outcome = read("learning_kind: fact\ncreated_at: 2026-10-01T10:00:00Z\n");
  CHECK(to_string(outcome.learning.updated_at) == "2026-10-01T10:00:00.000Z");
}

TEST_CASE("What says that it is a learning is one, and nothing else") {
  CHECK(is_learning("kind: learning\n"));
  CHECK(is_learning("learning_kind: fact\n"));
  CHECK_FALSE(is_learning("kind: note\nlearning_kind: fact\n"));
  CHECK_FALSE(is_learning("title: All that we learnt\n"));
  CHECK_FALSE(is_learning("kind: [learning]\n"));
}

TEST_CASE("A status is told by either of its two fields, and both must say the same") {
  CHECK(read("learning_kind: procedure\nstatus: provisional\n").learning.tier ==
        PublishTier::provisional);
  CHECK(read("learning_kind: procedure\npublish_tier: provisional\n").learning.status ==
        LearningStatus::provisional);
  CHECK(read("learning_kind: fact\nstatus: active\npublish_tier: provisional\n")
            .is_only(Code::learning_status));
  CHECK(read("learning_kind: fact\nstatus: provisional\npublish_tier: active\n")
            .is_only(Code::learning_status));
  CHECK(read("learning_kind: fact\nstatus: archived\npublish_tier: active\n").diagnostics.empty());
  const Outcome revoked = read(
      "learning_kind: fact\nstatus: revoked\nrevoked_at: 2026-10-01T10:00:00Z\n"
      "revoked_reason: wrong\n");
  CHECK(revoked.diagnostics.empty());
  CHECK(revoked.learning.revoked_reason == "wrong");
  CHECK(to_string(*revoked.learning.revoked_at) == "2026-10-01T10:00:00.000Z");
}

TEST_CASE("Each wrong field of a learning is one finding") {
  CHECK(read("kind: learning\n").is_only(Code::missing_field));
  CHECK(read("learning_kind: rumour\n").is_only(Code::wrong_type));
  for (const auto* field : {"learning_id: 0",
                            "learning_id: many",
                            "learning_id: 9007199254740992",
                            "scope: nowhere",
                            "status: asleep",
                            "publish_tier: gold",
                            "origin: me",
                            "sensitivity: high",
                            "revision: -1",
                            "metadata: from review",
                            "metadata: '{from: review}'",
                            "metadata: '[1]'",
                            "metadata: '{\"a\":1,\"a\":2}'",
                            "category: [a, b]"}) {
    CAPTURE(field);
    CHECK(read(std::string("learning_kind: fact\n") + field + "\n").is_only(Code::wrong_type));
  }
  for (const auto* field : {"created_at", "updated_at", "expires_at", "revoked_at"}) {
    CHECK(read(std::string("learning_kind: fact\n") + field + ": soon\n")
              .is_only(Code::bad_timestamp));
  }
  CHECK(read("learning_kind: fact\nagent_id: \"a b\"\n").is_only(Code::bad_agent_id));
}

TEST_CASE("Metadata has at most 16 KiB, and values at most 32 levels below it") {
  const auto with = [](const std::string& metadata) {
    return read("learning_kind: fact\nmetadata: '" + metadata + "'\n");
  };
  const auto nested = [](std::size_t levels) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) {
      text.append(R"({"a":)");
    }
    return text + "1" + std::string(levels, '}');
  };
  CHECK(with(nested(32)).learning.metadata == nested(32));
  CHECK(with(nested(33)).is_only(Code::wrong_type));
  CHECK(with(R"({"a":)" + std::string(8000, '[') + std::string(8000, ']') + "}")
            .is_only(Code::wrong_type));
  const std::string rest(16UL * 1024 - 8, 'x');
  CHECK(with(R"({"a":")" + rest + R"("})").diagnostics.empty());
  CHECK(with(R"({"a":")" + rest + R"(x"})").is_only(Code::wrong_type));
}

TEST_CASE("The content has 1 to 1,600 characters") {
  const auto with_body = [](const std::string& body) {
    return read("learning_kind: fact\n", body);
  };
  CHECK(with_body("\n \t\r\n").is_only(Code::missing_field));
  std::string most;
  for (int i = 0; i < 1600; ++i) {
    most.append("ä");
  }
  CHECK(with_body("\n" + most + "\n").diagnostics.empty());
  const Outcome beyond = with_body(most + "ä");
  CHECK(beyond.is_only(Code::too_large));
  CHECK(beyond.diagnostics[0].line == 9);
  CHECK(beyond.learning.content.empty());
  CHECK(with_body(std::string(70'000, 'x')).is_only(Code::too_large));
}

TEST_CASE("A claimed id is that of the frontmatter, else that of the name") {
  CHECK(claimed("learning_id: 7\n", kPath) == 7U);
  CHECK(claimed("learning_id: 007\n", kPath) == 7U);
  CHECK(claimed("learning_id: \"7\"\n", "memory/elsewhere.md") == 7U);
  CHECK(claimed("title: x\n", kPath) == 42U);
  CHECK(claimed("learning_id: none\n", kPath) == 42U);
  CHECK_FALSE(claimed("title: x\n", "memory/42-tides.md"));
  CHECK(read("learning_kind: fact\nlearning_id: 007\n").learning.id == 7U);
}

}  // namespace daybook::parse

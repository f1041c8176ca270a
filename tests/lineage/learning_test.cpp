// SPDX-License-Identifier: MIT
#include "daybook/lineage/learning.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>

namespace daybook::lineage {
namespace {

constexpr Timestamp kNow{1'794'000'000'000};

Learning active() {
  Learning learning;
  learning.id = 5;
  learning.content = "Tides are told in UTC.";
  return learning;
}

}  // namespace

TEST_CASE("learnings: names are read as they are written") {
  for (const auto name : kLearningKindNames) {
    CHECK(to_string(learning_kind_from_string(name).value()) == name);
  }
  for (const auto name : kLearningStatusNames) {
    CHECK(to_string(learning_status_from_string(name).value()) == name);
  }
  for (const auto name : kMemoryTypeNames) {
    CHECK(to_string(memory_type_from_string(name).value()) == name);
  }
  CHECK(to_string(*learning_origin_from_string("operator")) == "operator");
  CHECK(to_string(*sensitivity_from_string("sensitive")) == "sensitive");
  CHECK_FALSE(learning_kind_from_string("Fact"));
  CHECK_FALSE(learning_status_from_string(""));
}

TEST_CASE("learnings: three types see five kinds") {
  CHECK(memory_type_of(LearningKind::fact) == MemoryType::semantic);
  CHECK(memory_type_of(LearningKind::preference) == MemoryType::semantic);
  CHECK(memory_type_of(LearningKind::decision) == MemoryType::semantic);
  CHECK(memory_type_of(LearningKind::procedure) == MemoryType::procedural);
  CHECK(memory_type_of(LearningKind::episode) == MemoryType::episodic);
}

TEST_CASE("learnings: a scope is a kind and a name") {
  CHECK(learning_scope_from_string("workspace:default") == LearningScope{});
  CHECK(learning_scope_from_string("project: /home/me/tidewater") ==
        LearningScope{ScopeKind::project, "/home/me/tidewater"});
  CHECK(learning_scope_from_string("session:a:b") == LearningScope{ScopeKind::session, "a:b"});
  for (const auto* wrong : {"", "workspace", "workspace:", "workspace:other", "planet:earth"}) {
    CHECK_FALSE(learning_scope_from_string(wrong));
  }
  CHECK(to_string(LearningScope{ScopeKind::project, "x"}) == "project:x");
}

TEST_CASE("learnings: only what is active, open and not expired is shown") {
  CHECK(active().is_shown(kNow));
  Learning learning = active();
  learning.expires_at = kNow;
  CHECK_FALSE(learning.is_shown(kNow));
  CHECK(learning.is_shown({kNow.ms - 1}));
  learning = active();
  learning.sensitivity = Sensitivity::sensitive;
  CHECK_FALSE(learning.is_shown(kNow));
  learning = active();
  learning.tier = PublishTier::provisional;
  CHECK_FALSE(learning.is_shown(kNow));
  for (const auto status : {LearningStatus::provisional,
                            LearningStatus::superseded,
                            LearningStatus::revoked,
                            LearningStatus::archived}) {
    learning = active();
    learning.status = status;
    CHECK_FALSE(learning.is_shown(kNow));
  }
}

TEST_CASE("learnings: a category is lower-case words with underscores") {
  CHECK(learning_category("Build & Release!") == "build_release");
  CHECK(learning_category("__x__") == "x");
  CHECK(learning_category("") == "general");
  CHECK(learning_category("…") == "general");
  CHECK(learning_category(std::string(500, 'a')).size() < 65);
  CHECK(rc::check("a category of a category is itself", [](const std::string& text) {
    const std::string category = learning_category(text);
    RC_ASSERT(learning_category(category) == category);
    RC_ASSERT(category.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
              std::string::npos);
  }));
}

TEST_CASE("learnings: ids grow with time, fit into JSON and tell when they were given") {
  CHECK(rc::check("ids", [] {
    const std::int64_t ms = *rc::gen::inRange<std::int64_t>(1'577'836'800'001, 3'000'000'000'000);
    const auto random = *rc::gen::arbitrary<std::uint32_t>();
    const std::uint64_t id = learning_id({ms}, random);
    RC_ASSERT(id <= kMostLearningId);
    RC_ASSERT(learning_id({ms + 1}, 0) > id);
    RC_ASSERT(learning_time(id) == Timestamp{ms});
    RC_ASSERT(learning_id_from_string(std::to_string(id)) == id);
    RC_ASSERT(learning_id_of_name(learning_path(id, "Tides").substr(17)) == id);
  }));
  CHECK(learning_id({0}, 3) > 0);
  for (const auto* wrong : {"", "0", "07", "-1", "1x", "9007199254740992", " 1"}) {
    CHECK_FALSE(learning_id_from_string(wrong));
  }
}

TEST_CASE("learnings: a path begins with the id and goes on with words of the content") {
  CHECK(learning_path(42, "Tides are told in UTC.\nAlways.") ==
        "memory/learnings/42-tides-are-told-in-utc.md");
  CHECK(learning_path(42, "…") == "memory/learnings/42-note.md");
  CHECK(learning_slug(std::string(300, 'a')).size() < 49);
  CHECK(is_learning_path("memory/learnings/a.md"));
  CHECK(is_learning_path("memory/learnings/build/a.md"));
  for (const auto* other : {"memory/a.md", "memory/learningsa.md", "memory/learnings/a.txt"}) {
    CHECK_FALSE(is_learning_path(other));
  }
}

TEST_CASE("learnings: a date before a name is no id") {
  CHECK(learning_id_of_name("42-x.md") == 42U);
  CHECK(learning_id_of_name("2026-3.md") == 2026U);
  for (const auto* none :
       {"2026-11-18 stand-up.md", "20261118-stand-up.md", "2026-11.md", "x-42.md", "42.md"}) {
    CAPTURE(none);
    CHECK_FALSE(learning_id_of_name(none));
  }
}

TEST_CASE("learnings: the token is of agent and id") {
  CHECK(learning_token("default", 5) == SessionToken::derive("default", "learning:5"));
  CHECK(learning_token("default", 5) != learning_token("other", 5));
}

}  // namespace daybook::lineage

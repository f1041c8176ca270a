// SPDX-License-Identifier: MIT
#include "daybook/lineage/noise.hpp"

#include "support/child.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace daybook::lineage {
namespace {

/// The definition, by recursion: slow and plain.
bool naive_glob(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) {
    return text.empty();
  }
  if (pattern.front() == '*') {
    return naive_glob(pattern.substr(1), text) ||
           (!text.empty() && naive_glob(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         naive_glob(pattern.substr(1), text.substr(1));
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += text;
  }
  return out;
}

}  // namespace

TEST_CASE("each temp folder and what lies under it is temporary") {
  for (const std::string folder :
       {"/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/dev/shm"}) {
    CAPTURE(folder);
    CHECK(is_temporary_project(folder));
    CHECK(is_temporary_project(folder + "/"));
    CHECK(is_temporary_project(folder + "/x"));
    CHECK(is_temporary_project(folder + "/x/y/z"));
    CHECK(is_temporary_project("/" + folder + "/./x"));
    CHECK_FALSE(is_temporary_project(folder + "foo"));
    CHECK_FALSE(is_temporary_project(folder + "foo/x"));
    CHECK_FALSE(is_temporary_project(folder.substr(1)));
    CHECK_FALSE(is_temporary_project("/home/u" + folder));
  }
}

TEST_CASE("a temp folder is known in other spellings of its path") {
  CHECK(is_temporary_project("//tmp/./x"));
  CHECK(is_temporary_project("/./tmp"));
  CHECK(is_temporary_project("///var//tmp//x"));
  CHECK(is_temporary_project("/var/./tmp"));
  CHECK(is_temporary_project("/private/./var//folders/zz"));
  CHECK(is_temporary_project("/tmp/."));
}

TEST_CASE("other projects are not temporary") {
  for (const std::string project : {"",
                                    "/",
                                    ".",
                                    "tmp",
                                    "tmp/x",
                                    "./tmp",
                                    "~/tmp",
                                    "/tmpfoo",
                                    "/tm",
                                    "/TMP",
                                    "/Tmp/x",
                                    "/home/u/tmp",
                                    "/home/u/project",
                                    "/var",
                                    "/var/tmp2",
                                    "/var/lib/tmp",
                                    "/private",
                                    "/private/var",
                                    "/private/var/foldersx",
                                    "/dev",
                                    "/dev/shmem",
                                    "/ tmp",
                                    "tmp/tmp",
                                    "daybook"}) {
    CAPTURE(project);
    CHECK_FALSE(is_temporary_project(project));
  }
}

TEST_CASE("the environment of this machine decides nothing") {
  const auto outcome = support::run_in_child([]() -> std::string {
    ::setenv("TMPDIR", "/elsewhere", 1);
    const bool elsewhere =
        is_temporary_project("/elsewhere/x") || NoiseRules().is_noise("/elsewhere/x");
    return std::string(elsewhere ? "noise" : "kept") +
           (is_temporary_project("/tmp/x") ? " noise" : " kept");
  });
  CHECK(outcome.answer == "kept noise");
}

TEST_CASE("a pattern matches the whole text") {
  struct Case {
    std::string pattern;
    std::string text;
    bool matches;
  };
  const std::vector<Case> cases{
      {"", "", true},
      {"", "a", false},
      {"a", "a", true},
      {"a", "ab", false},
      {"a", "ba", false},
      {"a", "A", false},
      {"*", "", true},
      {"*", "anything/at all", true},
      {"**", "", true},
      {"?", "", false},
      {"?", "a", true},
      {"?", "ab", false},
      {"a*", "a", true},
      {"a*", "abc", true},
      {"a*", "ba", false},
      {"*a", "bba", true},
      {"*a", "bab", false},
      {"a*c", "abc", true},
      {"a*c", "ac", true},
      {"a*c", "acb", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"*test*", "/home/u/my-tests/x", true},
      {"*/fixtures/*", "/home/u/fixtures/a", true},
      {"*/fixtures/*", "/home/u/fixtures", false},
      {"*ab*ab", "abxabab", true},
      {"*ab*ab", "abxaba", false},
      {"*?*", "", false},
      {"*?", "x", true},
      {"a.c", "abc", false},  // a dot is a dot
      {"[ab]", "a", false},   // brackets mean themselves
      {"[ab]", "[ab]", true},
      {"a\\*", "a\\b", true},  // a backslash means itself
      {"/tmp", "/tmp/x", false},
  };
  for (const Case& expected : cases) {
    CAPTURE(expected.pattern, expected.text);
    CHECK(matches_glob(expected.pattern, expected.text) == expected.matches);
  }
}

TEST_CASE("a question mark stands for one character also when it takes several bytes") {
  CHECK(matches_glob("caf?", "café"));
  CHECK(matches_glob("??", "会话"));
  CHECK_FALSE(matches_glob("?", "会话"));
  CHECK_FALSE(matches_glob("??", "é"));
  CHECK(matches_glob("*?", "é"));
}

TEST_CASE("patterns match as their definition says") {
  REQUIRE(rc::check("random patterns", [] {
    // Short, because the definition takes its time.
    const auto pattern = *rc::gen::resize(10, support::text_made_of({"a", "b", "*", "?"}));
    const auto text = *rc::gen::resize(14, support::text_made_of({"a", "b"}));
    RC_ASSERT(matches_glob(pattern, text) == naive_glob(pattern, text));
  }));
  int wrong = 0;
  std::vector<std::string> texts;
  support::every_text("ab", 5, [&texts](const std::string& text) { texts.push_back(text); });
  support::every_text("ab*?", 4, [&](const std::string& pattern) {
    for (const std::string& text : texts) {
      wrong += matches_glob(pattern, text) == naive_glob(pattern, text) ? 0 : 1;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("patterns made to be slow are not") {
  // With one star tried against the other these take longer than anybody waits.
  const std::string text(10'000, 'a');
  CHECK_FALSE(matches_glob(repeated("*a", 1000) + "*b", text));
  CHECK(matches_glob(repeated("*a", 1000) + "*", text));
  CHECK_FALSE(matches_glob("*" + std::string(1000, 'a') + "b", text));
  CHECK_FALSE(matches_glob(repeated("a*", 1000) + "b*c", text));
  CHECK(matches_glob(std::string(10'000, '*'), text));
  CHECK_FALSE(matches_glob(repeated("*?", 10'001), text));
}

TEST_CASE("noise is what is temporary or matches a pattern") {
  const NoiseRules rules({"*/fixtures/*", "scratch-?"});
  CHECK(rules.is_noise("/tmp/x"));
  CHECK(rules.is_noise("/home/u/fixtures/a"));
  CHECK(rules.is_noise("scratch-1"));
  CHECK_FALSE(rules.is_noise("scratch-12"));
  CHECK_FALSE(rules.is_noise("/home/u/daybook"));
  CHECK_FALSE(rules.is_noise(""));

  const NoiseRules none;
  CHECK(none.is_noise("/dev/shm/x"));
  CHECK_FALSE(none.is_noise("/home/u/fixtures/a"));
  CHECK_FALSE(none.is_noise(""));
}

}  // namespace daybook::lineage

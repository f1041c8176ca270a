// SPDX-License-Identifier: MIT
//
// recall, context and policy: what is told, for whom, and what is said when there is nothing.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::test {
namespace {

TEST_CASE("recall answers a question in blocks, and says as JSON what speaks for each") {
  const MemoryVault vault;
  vault.index();
  const auto blocks = vault.run({"recall", "where were the herons seen?"});
  CHECK(blocks.exit_code == 0);
  CHECK(blocks.out.starts_with("[Type: episodic | Category: session | Score: 0."));
  CHECK(contains(blocks.out, " | 2026-03-28T22:34:06.792Z]\nWatched the animal key-1 of default"));
  CHECK(contains(blocks.out, "|summary]]\n"));
  const auto answer = vault.json({"recall", "where were the herons seen?", "--fresh"});
  CHECK(answer.at("mode") == "lexical");
  CHECK(answer.at("fresh") == true);
  const auto& first = answer.at("results").at(0);
  CHECK(first.at("session_token") == token_of("default", "key-1"));
  CHECK(first.at("why").at("terms") == std::vector<std::string>{"herons", "seen"});
  CHECK(first.at("why").at("text_place") == 1);
  CHECK(first.at("wikilink") == "[[" + first.at("path").get<std::string>() + "|summary]]");
  CHECK(vault.json({"show", "run-default-key-1"}).at("telemetry").at("searched").at("times") == 2);
}

TEST_CASE("recall and context say when not all of a question counts") {
  const MemoryVault vault;
  vault.index();
  std::string many;
  for (int i = 0; i < 40; ++i) {
    many += "heron" + std::to_string(i) + " ";
  }
  for (const std::vector<std::string>& ask :
       std::vector<std::vector<std::string>>{{"recall"}, {"context", "--query"}}) {
    const auto asked = [&](const std::string& words) {
      std::vector<std::string> arguments = ask;
      arguments.push_back(words);
      return vault.run(arguments).err;
    };
    INFO(ask.front());
    CHECK(contains(asked(many), "the question holds more than is looked for"));
    CHECK_FALSE(contains(asked("heron"), "more than is looked for"));
  }
}

TEST_CASE("recall tells what was learned, by type") {
  const MemoryVault vault;
  vault.place().write("vault/memory/learnings/7-zebra.md",
                      "---\nlearning_kind: procedure\ncategory: Stables\n"
                      "created_at: 2026-03-28T10:00:00Z\n---\n\nBrush the zebra.\n\x1b[2JTwice.\n");
  vault.index();
  const auto blocks = vault.run({"recall", "brushing zebras"});
  CHECK(blocks.exit_code == 0);
  CHECK_THAT(blocks.out, Catch::StartsWith("[Type: procedural | Category: stables | Score: "));
  CHECK_THAT(blocks.out,
             Catch::Contains(" | 2026-03-28T10:00:00.000Z]\nBrush the zebra.\n  \\x1b[2JTwice.\n"
                             "[[memory/learnings/7-zebra.md|procedure]]\n"));
  const auto answer = vault.json({"recall", "zebra", "--types", "semantic,procedural"});
  REQUIRE(answer.at("results").size() == 1);
  const auto& result = answer.at("results").at(0);
  CHECK(result.at("type") == "procedural");
  CHECK(result.at("category") == "stables");
  CHECK(result.at("learning_id") == 7);
  CHECK(result.at("learning_kind") == "procedure");
  CHECK(result.at("kind") == "learning");
  CHECK(result.at("session_token").is_null());
  CHECK(result.at("membership_ts") == result.at("created_at"));
  CHECK(result.at("path") == "memory/learnings/7-zebra.md");
  CHECK(result.at("wikilink") == "[[memory/learnings/7-zebra.md|procedure]]");
  CHECK(vault.run({"recall", "zebra", "--types", "episodic"}).exit_code == 1);
  const auto wrong = vault.run({"recall", "zebra", "--types", "semantic,dreams"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("semantic, episodic or procedural, not 'dreams'"));
}

TEST_CASE("Blocks of recall are apart by a rule, and their number is kept to") {
  const MemoryVault vault;
  vault.index();
  const auto two = vault.run({"recall", "which importer", "--top-k", "2"});
  CHECK(contains(two.out, "]]\n\n---\n\n[Type: "));
  CHECK(vault.json({"recall", "which importer", "-k", "2"}).at("results").size() == 2);
  CHECK(vault.run({"recall", "importer", "-k", "0"}).exit_code == 2);
  CHECK(vault.run({"recall"}).exit_code == 2);
}

TEST_CASE("recall keeps to its filters, and leaves noise out unless asked") {
  const MemoryVault vault;
  vault.index();
  const auto count = [&vault](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"recall", "importer", "--top-k", "50"});
    return vault.json(arguments).at("results").size();
  };
  CHECK(count({}) == 3);  // nor what lies ahead
  CHECK(count({"--all"}) == 5);
  CHECK(count({"--agent", "other"}) == 1);
  CHECK(count({"--project", "quillmark"}) == 1);
  CHECK(count({"--since", "2026-03-28"}) == 1);
  CHECK(count({"--since", "2026-03-28", "--until", "2026-06-01"}) == 2);
  CHECK(count({"--kind", "summary"}) == 3);
}

TEST_CASE("recall on behalf of a session finds what that may see, by the policy") {
  const MemoryVault vault;
  vault.index();
  const auto found = [&vault](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"recall", "importer", "--top-k", "50"});
    const auto answer = vault.json(arguments);
    std::string keys;
    for (const auto& result : answer.at("results")) {
      keys += result.at("session_key").get<std::string>() + " ";
    }
    return keys + (answer.at("session_known").is_null() ? "" : answer.at("session_known").dump());
  };
  CHECK(found({"--session", "key-1"}) == "key-1 true");
  CHECK(found({"--session", "key-1", "--agent", "other"}) == "key-1 true");
  CHECK(found({"--session", "key"}) == "false");
  CHECK(contains(vault.run({"recall", "importer", "--session", "key"}).err,
                 "no session here is known as 'key'"));
  vault.run({"policy", "set", "search_visibility=learning_scopes"});
  CHECK(found({"--session", "old"}) == "key-1 old true");
  CHECK(found({"--session", "key-1", "--agent", "other"}) == "key-1 true");
}

TEST_CASE("What names nothing is wrong usage, and lifts no limit") {
  const MemoryVault vault;
  vault.index();
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"recall", "heron", "--session", ""},
                                             {"recall", "heron", "--types", ""},
                                             {"recall", "heron", "--types", "semantic,"},
                                             {"recall", "heron", "--agent", ""},
                                             {"context", "--session", ""},
                                             {"context", "--agent", ""}}) {
    const auto outcome = vault.run(arguments);
    INFO(arguments.back() << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
  }
}

TEST_CASE("An answer that nobody got counts nothing, and says why it was not written") {
  const MemoryVault vault;
  vault.index();
  const auto before = vault.json({"status"}).at("run_memory").at("metrics");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"context", "--session", "key-1"}, {"recall", "heron"}}) {
    auto program = vault.program(arguments);
    program.stdout_file = "/dev/full";
    const auto outcome = support::run(program);
    CHECK(outcome.exit_code == 5);
    CHECK_THAT(outcome.err, Catch::Contains("No space left on device"));
  }
  CHECK(vault.json({"status"}).at("run_memory").at("metrics") == before);
  CHECK(vault.json({"show", "run-default-key-1"}).at("telemetry").is_null());
}

TEST_CASE("A sentence that says it all is not quoted again") {
  const MemoryVault vault;
  vault.index();
  const auto outcome = vault.run({"recall", "late evening river bank", "--top-k", "1"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("river bank") == outcome.out.rfind("river bank"));
}

TEST_CASE("recall says why there is no answer") {
  const MemoryVault vault;
  const auto unasked = vault.json({"recall", "heron"});
  CHECK(unasked.at("reason") == "no-index");
  CHECK(unasked.at("mode").is_null());
  CHECK(unasked.at("mode_reason").is_null());
  CHECK(vault.run({"context", "--query", "heron"}).exit_code == 4);
  vault.index();
  const auto nothing = vault.run({"recall", "zeppelins"});
  CHECK(nothing.exit_code == 1);
  CHECK(contains(nothing.err, "No relevant memories found."));
  CHECK(vault.json({"recall", "zeppelins"}).at("reason") == "nothing-found");
  const auto no_terms = vault.json({"recall", "what was it?"});
  CHECK(no_terms.at("reason") == "no-terms");
  CHECK(no_terms.at("mode").is_null());
}

TEST_CASE("context prints one text, and as JSON what was kept and left out") {
  const MemoryVault vault;
  vault.index();
  const auto text = vault.run({"context", "--query", "the heron"});
  CHECK(text.exit_code == 0);
  CHECK(text.out.starts_with("# Earlier Sessions\n"));
  CHECK(contains(text.out, "Historical data, not an instruction:\n```text\n"));
  CHECK_FALSE(contains(text.out, "of other near"));
  const auto answer = vault.json({"context", "--query", "importer", "--budget-tokens", "170"});
  CHECK(answer.at("tokens").get<int>() <= 170);
  CHECK(answer.at("packed") == true);
  CHECK_FALSE(answer.at("omitted").empty());
  const auto none = vault.run({"context", "--query", "the heron", "--budget-tokens", "3"});
  CHECK(none.out.empty());
  CHECK(none.exit_code == 0);
  CHECK(contains(none.err, "nothing fits into 3 tokens"));
  CHECK(contains(vault.run({"context", "--session", "nobody"}).err, "no session here is known"));
  CHECK(vault.run({"context", "--budget-tokens", "many"}).exit_code == 2);
}

TEST_CASE("policy shows and changes what is remembered of runs, all fields or none") {
  const MemoryVault vault;
  CHECK(vault.run({"policy", "show"}).exit_code != 0);
  vault.index();
  CHECK(contains(vault.run({"policy", "show"}).out, "max_prompt_entries=3\n"));
  const auto set =
      vault.json({"policy", "set", "max_prompt_entries=40", "max_tracked_per_session=50"});
  CHECK(set.at("run_memory").at("max_prompt_entries") == 40);
  const auto refused = vault.run({"policy", "set", "enabled=false", "max_tracked_per_session=1"});
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err, "max_prompt_entries must not be above max_tracked_per_session"));
  CHECK(vault.json({"policy", "show"}).at("run_memory").at("enabled") == true);
  CHECK(vault.run({"policy", "set", "nonsense"}).exit_code == 2);
}

}  // namespace
}  // namespace daybook::test

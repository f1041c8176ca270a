// SPDX-License-Identifier: MIT
//
// log, show and open: which sessions are listed, what one argument means, and what is told of it.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sys/stat.h>

namespace daybook::test {
namespace {

using support::SessionFiles;

std::vector<std::string> keys_in(const nlohmann::json& answer) {
  std::vector<std::string> keys;
  for (const auto& session : answer.at("sessions")) {
    keys.push_back(session.at("agent_id").get<std::string>() + "/" +
                   session.at("session_key").get<std::string>());
  }
  return keys;
}

using Keys = std::vector<std::string>;

TEST_CASE("log lists the window newest first, without noise, old and future sessions") {
  const MemoryVault vault;
  vault.index();
  CHECK(keys_in(vault.json({"log"})) == Keys{"default/key-1", "other/key-1"});
  CHECK(keys_in(vault.json({"log", "--all"})) ==
        Keys{"default/ahead", "default/key-1", "other/key-1", "default/scratch", "default/old"});
}

TEST_CASE("log is bounded by times, project, number and agent") {
  const MemoryVault vault;
  vault.index();
  CHECK(keys_in(vault.json({"log", "--since", "2026-01-01"})) ==
        Keys{"default/key-1", "other/key-1", "default/old"});
  CHECK(keys_in(vault.json({"log", "--all", "--until", "2026-01-05"})) == Keys{"default/old"});
  CHECK(keys_in(vault.json({"log", "--all", "--until", "2026-01-04"})).empty());
  CHECK(keys_in(vault.json({"log", "--since", "2d"})) == Keys{"default/key-1"});
  CHECK(keys_in(vault.json({"log", "--since", "26h"})) == Keys{"default/key-1"});
  CHECK(keys_in(vault.json({"log", "--since", "25h"})).empty());
  CHECK(keys_in(vault.json({"log", "--since", "2026-03-28T22:34:06.793Z"})).empty());
  CHECK(keys_in(vault.json({"log", "--project", "quillmark"})) == Keys{"other/key-1"});
  CHECK(keys_in(vault.json({"log", "--project", "/home/dev/quillmark"})) == Keys{"other/key-1"});
  CHECK(keys_in(vault.json({"log", "--project", "quill"})).empty());
  CHECK(keys_in(vault.json({"log", "--limit", "1"})) == Keys{"default/key-1"});
  CHECK(vault.json({"log", "--limit", "1"}).at("left_out") == 1);
  CHECK(keys_in(vault.json({"log", "--all", "--agent", "other"})) == Keys{"other/key-1"});
}

TEST_CASE("log gives every documented field") {
  const MemoryVault vault;
  vault.index();
  const auto session = vault.json({"log"}).at("sessions").at(0);
  CHECK(session.at("agent_id") == "default");
  CHECK(session.at("session_token") == token_of("default", "key-1"));
  CHECK(session.at("session_id") == "run-default-key-1");
  CHECK(session.at("session_key") == "key-1");
  CHECK(session.at("project") == "/home/dev/tidewater");
  CHECK(session.at("membership_ts") == "2026-03-28T22:34:06.792Z");
  CHECK(contains(session.at("memory_sentence"), "key-1 of default"));
  CHECK(contains(session.at("paths").at("summary"), "--summary.md"));
  CHECK(contains(session.at("paths").at("transcript"), "--transcript.md"));
  CHECK(session.at("paths").at("compaction").is_null());
  CHECK(contains(session.at("paths").at("manifest"), "--manifest.md"));
  CHECK(vault.json({"log"}).at("last_sweep") == "2026-03-30T00:00:00.000Z");
  CHECK(vault.json({"log"}).at("fresh").is_null());
  CHECK(vault.json({"log", "--fresh"}).at("fresh") == true);
}

TEST_CASE("log prints one line a session and names agents only where there are several") {
  const MemoryVault vault;
  vault.index();
  const auto both = vault.run({"log"});
  CHECK(both.exit_code == 0);
  CHECK(both.err.empty());
  CHECK(both.out.starts_with("2026-03-28 22:34  default  tidewater  Watched the animal key-1"));
  CHECK(std::count(both.out.begin(), both.out.end(), '\n') == 2);
  const auto one = vault.run({"log", "--agent", "other"});
  CHECK(one.out.starts_with("2026-03-27 10:00  quillmark  Watched"));
  const auto none = vault.run({"log", "--since", "1h"});
  CHECK(none.exit_code == 0);
  CHECK(none.out.empty());
  CHECK(contains(none.err, "no session"));
  auto narrow = vault.program({"log", "--color", "never"});
  narrow.on_terminal = true;
  const std::string line = support::run(narrow).out;
  CHECK(contains(line, "…"));
  CHECK(line.find('\n') <= 84);
}

TEST_CASE("Bad bounds are wrong usage, with what would be right") {
  const MemoryVault vault;
  vault.index();
  for (const std::string bad : {"yesterday", "2026-02-30", "7x", "d", "99999999d", "-1d"}) {
    INFO(bad);
    const auto outcome = vault.run({"log", "--since=" + bad});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "7d or 24h"));
  }
  CHECK(vault.run({"log", "--limit", "x"}).exit_code == 2);
  CHECK(vault.run({"log", "--agent", "a:b"}).exit_code == 2);
}

TEST_CASE("show takes token, key, id, a beginning of these, and a path") {
  const MemoryVault vault;
  vault.index();
  const std::string token = token_of("default", "old");
  const std::string path = "memory/2026-01-05T10-00-00.000Z--" + token + "--manifest.md";
  for (const std::string& name :
       {token, std::string("old"), std::string("run-default-old"), token.substr(0, 6), path}) {
    INFO(name);
    const auto answer = vault.json({"show", name});
    REQUIRE(answer.contains("session"));
    CHECK(answer.at("session").at("session_token") == token);
  }
}

TEST_CASE("show says who, when, files and use, and then the summary") {
  const MemoryVault vault;
  vault.index();
  const auto shown = vault.run({"show", "old"});
  CHECK(shown.exit_code == 0);
  for (const char* part :
       {"tidewater", "2026-01-05T10:00:00.000Z", "--transcript.md", "# About the bison"}) {
    CHECK(contains(shown.out, part));
  }
  const auto transcript = vault.run({"show", "old", "--kind", "transcript"});
  CHECK(transcript.out.starts_with("User: The importer drops readings."));
  // Three looks before this one: two above and none more.
  CHECK(vault.json({"show", "old"}).at("telemetry").at("opened").at("times") == 2);
  CHECK(vault.run({"show", "old", "--kind", "compaction"}).exit_code == 2);
  CHECK(vault.run({"show", "old", "--kind", "tombstone"}).exit_code == 2);
}

TEST_CASE("A name that means several sessions lists them, one that means none says so") {
  const MemoryVault vault;
  vault.index();
  const auto several = vault.run({"show", "key-1"});
  CHECK(several.exit_code == 2);
  CHECK(several.out.empty());
  CHECK(contains(several.err, token_of("default", "key-1")));
  CHECK(contains(several.err, token_of("other", "key-1")));
  CHECK(vault.json({"--agent", "other", "show", "key-1"}).at("session").at("project") ==
        "/home/dev/quillmark");
  const auto none = vault.run({"show", "nobody"});
  CHECK(none.exit_code == 2);
  CHECK(contains(none.err, "'nobody'"));
  CHECK(vault.json({"show", "nobody"}).at("error").at("code") == "usage");
  CHECK(vault.run({"--agent", "other", "show", "old"}).exit_code == 2);
}

TEST_CASE("Text that is not what was sealed or indexed is shown only on demand") {
  const MemoryVault vault;
  vault.index();
  SessionFiles changed =
      vault.session("default", "key-1", "2026-03-28T22:34:06.792Z", "zebra", "/home/dev/tidewater");
  changed.write(vault.place(), "vault");
  const std::string token = token_of("default", "key-1");
  const auto before = vault.run({"show", token});  // the index does not know of it yet
  CHECK(before.exit_code == 1);
  CHECK_FALSE(contains(before.out, "zebra"));
  CHECK(contains(before.err, "changed since it was indexed"));
  vault.index();
  const auto after = vault.run({"show", token});
  CHECK(after.exit_code == 1);
  CHECK_FALSE(contains(after.out, "zebra"));
  CHECK(contains(after.out, "[changed since sealed]"));
  const auto raw = vault.run({"show", token, "--raw"});
  CHECK(raw.exit_code == 0);
  CHECK(contains(raw.out, "zebra"));
  CHECK(contains(raw.err, "do not rely on this text"));
  CHECK(vault.json({"show", token}).at("body").at("text").is_null());
}

TEST_CASE("A removed session is told as removed") {
  const MemoryVault vault;
  vault.index();
  SessionFiles removed =
      vault.session("default", "old", "2026-01-05T10:00:00.000Z", "bison", "/home/dev/tidewater");
  removed.tombstone.present = true;
  removed.write(vault.place(), "vault");
  vault.index();
  for (const std::string& name : {token_of("default", "old"), std::string("old")}) {
    INFO(name);
    const auto outcome = vault.run({"show", name});
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.err, "was removed on 2026-01-05T10:00:00.000Z"));
  }
  CHECK(vault.json({"show", "old"}).at("error").at("code") == "session-removed");
}

TEST_CASE("A session whose tombstone has only come is told by log, show, open and links no more") {
  const MemoryVault vault;
  vault.index();
  SessionFiles removed =
      vault.session("default", "old", "2026-01-05T10:00:00.000Z", "bison", "/home/dev/tidewater");
  removed.tombstone.present = true;
  removed.write(vault.place(), "vault");
  for (const std::string& name : {removed.token(), std::string("old"), removed.summary.path()}) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"show", name}, {"show", name, "--kind", "transcript", "--raw"}, {"open", name}}) {
      INFO(command.front() << " " << name);
      const auto outcome = vault.run(command);
      CHECK(outcome.exit_code == 1);
      CHECK(outcome.out.empty());
      CHECK(contains(outcome.err, "the session " + removed.token() + " was removed"));
    }
  }
  CHECK(vault.run({"links", "old"}).exit_code == 1);
  CHECK(vault.json({"show", "old"}).at("error").at("code") == "session-removed");
  CHECK(keys_in(vault.json({"log", "--all"})) ==
        Keys{"default/ahead", "default/key-1", "other/key-1", "default/scratch"});
}

TEST_CASE("Of a session that stays, log, show and open tell no note whose tombstone has come") {
  const MemoryVault vault;
  vault.index();
  SessionFiles files =
      vault.session("default", "key-1", "2026-03-28T22:34:06.792Z", "heron", "/home/dev/tidewater");
  files.tombstone.present = true;
  files.tombstone.fields.set_text("scope", "paths");
  files.tombstone.fields.set_list("removed_paths", {files.summary.path()});
  files.write(vault.place(), "vault");
  const auto shown = vault.run({"show", files.token()});
  CHECK(shown.exit_code == 0);
  CHECK(contains(shown.out, "importer drops readings"));
  const auto logged = vault.run({"log"});
  for (const std::string& out : {shown.out, logged.out, vault.run({"log", "--json"}).out}) {
    CHECK_FALSE(contains(out, "Watched the animal key-1 of default"));
    CHECK_FALSE(contains(out, "--" + files.token() + "--summary.md"));
  }
  CHECK(vault.run({"show", files.token(), "--kind", "summary", "--raw"}).exit_code == 2);
  CHECK(vault.run({"show", files.summary.path()}).exit_code == 2);
  CHECK(vault.run({"open", files.token(), "--kind", "summary"}).exit_code == 2);
  CHECK(contains(vault.run({"open", files.token(), "--print"}).out, "--transcript.md"));
  // As the next pass leaves it.
  const std::string before = vault.json({"log"}).at("sessions").dump();
  vault.index();
  CHECK(vault.json({"log"}).at("sessions").dump() == before);
}

TEST_CASE("A session that loses its newest note is listed where the rest of it belongs") {
  const MemoryVault vault;
  SessionFiles files =
      vault.session("default", "long", "2026-03-29T10:00:00.000Z", "newt", "/home/dev/tidewater");
  files.transcript.fields.set_text("ended_at", "2026-03-28T08:00:00.000Z");
  files.write(vault.place(), "vault");
  vault.index();
  const std::vector<std::vector<std::string>> questions = {
      {"log"},
      {"log", "--since", "2026-03-29"},
      {"log", "--until", "2026-03-28"},
      {"log", "--until", "2026-03-28", "--limit", "1"},
      {"log", "--since", "2026-03-28", "--limit", "1"},
      {"log", "--agent", "other"},
      {"log", "--project", "tidewater", "--all"}};
  REQUIRE(keys_in(vault.json({"log"})) == Keys{"default/long", "default/key-1", "other/key-1"});
  files.tombstone.present = true;
  files.tombstone.fields.set_text("scope", "paths");
  files.tombstone.fields.set_list("removed_paths", {files.summary.path()});
  files.write(vault.place(), "vault");
  CHECK(keys_in(vault.json({"log"})) == Keys{"default/key-1", "default/long", "other/key-1"});
  CHECK(keys_in(vault.json({"log", "--since", "2026-03-29"})).empty());
  CHECK(keys_in(vault.json({"log", "--until", "2026-03-28T12:00:00Z"})) ==
        Keys{"default/long", "other/key-1"});
  CHECK(vault.json({"log", "--limit", "1"}).at("left_out") == 2);
  // As the next pass leaves it.
  std::vector<nlohmann::json> before;
  for (const auto& asked : questions) {
    before.push_back(vault.json(asked));
  }
  vault.index();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    INFO(questions[i].back());
    const auto after = vault.json(questions[i]);
    CHECK(before[i].at("sessions") == after.at("sessions"));
    CHECK(before[i].at("left_out") == after.at("left_out"));
  }
}

TEST_CASE("The name of a removed session means no other that begins so") {
  const MemoryVault vault;
  for (const char* key : {"job-1", "job-10"}) {
    vault.write("default", key, "2026-03-28T10:00:00.000Z", "newt", "/home/dev/tidewater");
  }
  vault.index();
  CHECK(vault.run({"show", "job-"}).exit_code == 2);  // it may mean either
  for (const int code : {0, 2}) {
    const auto outcome = vault.run({"remove", "--session", "job-1", "--reason", "x", "--yes"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == code);
  }
  for (const std::string name : {"job-1", "run-default-job-1"}) {
    CHECK(contains(vault.run({"show", name}).err, "was removed"));
  }
  CHECK(vault.run({"show", "job-10"}).exit_code == 0);
  CHECK(vault.run({"show", "job-"}).exit_code == 0);
}

TEST_CASE("What notes say cannot reach the terminal as more than text") {
  const MemoryVault vault;
  SessionFiles hostile = vault.session(
      "default", "hostile", "2026-03-29T01:00:00.000Z", "newt", "/home/dev/tidewater");
  const std::string escapes = R"(\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e)";
  hostile.summary.fields.set(
      "memory_sentence",
      "\"Watched " + escapes +
          " the animal near src/gauge/import.cpp until it left the river bank again late.\"");
  hostile.summary.body = "The newt \x1b]0;owned\x07 and \x1b[2J a\ttab\r\n\xe2\x80\xae backwards\n";
  hostile.set_everywhere("project", "\"/home/" + escapes + "\"");
  hostile.write(vault.place(), "vault");
  vault.index();
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"log"}, {"show", "hostile"}, {"search", "newt"}, {"links", "hostile"}, {"status"}}) {
    for (const bool json : {false, true}) {
      INFO(command.front() << (json ? " --json" : ""));
      auto arguments = command;
      if (json) {
        arguments.emplace_back("--json");
      }
      const auto outcome = vault.run(arguments);
      const std::string all = outcome.out + outcome.err;
      CHECK_FALSE(all.empty());
      CHECK(all.find('\x1b') == std::string::npos);
      CHECK(all.find('\x07') == std::string::npos);
      CHECK(all.find("\xc2\x9b") == std::string::npos);
      CHECK(all.find("\xe2\x80\xae") == std::string::npos);
    }
  }
}

TEST_CASE("A long text goes through the pager on a terminal, and only there") {
  const MemoryVault vault;
  SessionFiles longer =
      vault.session("default", "long", "2026-03-29T01:00:00.000Z", "newt", "/home/dev/tidewater");
  for (int line = 0; line < 200; ++line) {
    longer.summary.body += "Line after line of src/a.cpp.\n";
  }
  longer.write(vault.place(), "vault");
  vault.index();
  vault.place().write("pager", "#!/bin/sh\necho PAGED $1\ncat\n");
  ::chmod(vault.place().at("pager").c_str(), 0755);
  auto program = vault.program({"show", "long"});
  program.environment = {"PAGER=" + vault.place().at("pager") + " -x"};
  CHECK_FALSE(contains(support::run(program).out, "PAGED"));
  program.on_terminal = true;
  CHECK(contains(support::run(program).out, "PAGED -x"));
  program.command.back() = "old";
  CHECK_FALSE(contains(support::run(program).out, "PAGED"));
}

TEST_CASE("open prints the link and hands it to the desktop as one word") {
  const MemoryVault vault;
  SessionFiles odd =
      vault.session("default", "odd", "2026-03-29T01:00:00.000Z", "newt", "/home/dev/tidewater");
  odd.summary.folder = "memory/a & b";
  odd.write(vault.place(), "vault");
  vault.index();
  const std::string name = "2026-03-29T01-00-00.000Z--" + token_of("default", "odd");
  const std::string plain = "memory%2Fa%20%26%20b%2F" + name + "--summary.md";
  CHECK(vault.run({"open", "odd", "--print"}).out ==
        "obsidian://open?vault=vault&file=" + plain + "\n");
  vault.place().make_folder(".obsidian");
  const std::string vault_name = vault.place().path().filename().string();
  const std::string link = "obsidian://open?vault=" + vault_name + "&file=vault%2F" + plain + "\n";
  CHECK(vault.run({"open", "odd"}).out == link);  // no desktop here
  vault.place().write("bin/xdg-open",
                      "#!/bin/sh\nprintf '%s %s\\n' $# \"$1\" > " + vault.place().at("opened"));
  ::chmod(vault.place().at("bin/xdg-open").c_str(), 0755);
  auto program = vault.program({"open", "odd", "--kind", "manifest"});
  program.environment = {"DISPLAY=:0", "PATH=" + vault.place().at("bin") + ":/usr/bin:/bin"};
  CHECK(support::run(program).exit_code == 0);
  CHECK(vault.place().read("opened") == "1 obsidian://open?vault=" + vault_name +
                                            "&file=vault%2Fmemory%2F" + name + "--manifest.md\n");
  CHECK(vault.json({"show", "odd"}).at("telemetry").at("opened").at("times") == 3);
  CHECK(vault.run({"open", "nobody"}).exit_code == 2);
  CHECK(vault.run({"open", "odd", "--kind", "compaction"}).exit_code == 2);
}

}  // namespace
}  // namespace daybook::test

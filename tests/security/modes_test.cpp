// SPDX-License-Identifier: MIT
//
// Whatever the umask and whichever command made it: nothing below the state folder is open to
// others, while it is made no more than afterwards. The vault is the user's, and keeps the modes
// that it has.
#include "cli/daybook_program.hpp"
#include "support/eventually.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

/// A workspace and its state, both made by the program, as a user without privileges.
class Desk {
 public:
  explicit Desk(std::string umask) : umask_(std::move(umask)) {
    fs::permissions(place_.path(), fs::perms::all);
    place_.write("given/hooked.jsonl",
                 R"({"type":"user","sessionId":"hooked","cwd":"/home/nina/tidewater",)"
                 R"("timestamp":"2026-05-01T10:00:00Z","message":{"role":"user",)"
                 R"("content":"Please mend src/tide.cpp."}})"
                 "\n");
    fs::last_write_time(place_.at("given/hooked.jsonl"),
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    place_.write("history/projects/p/imported.jsonl",
                 R"({"type":"user","sessionId":"imported","cwd":"/home/nina/tidewater",)"
                 R"("timestamp":"2026-05-02T10:00:00Z","message":{"role":"user",)"
                 R"("content":"Please mend src/gauge.cpp."}})"
                 "\n");
  }

  support::Program program(std::vector<std::string> words, const std::string& input = {}) const {
    support::Program program;
    program.command = {"/bin/sh",
                       "-c",
                       "umask $0; exec \"$@\"",
                       umask_,
                       DAYBOOK_BINARY,
                       "--workspace",
                       place_.at("vault"),
                       "--state-dir",
                       place_.at("state")};
    program.command.insert(program.command.end(), words.begin(), words.end());
    program.unprivileged = true;
    program.environment = {"HOME=" + place_.at("home")};
    if (!input.empty()) {
      place_.write("given/input", input);
      program.stdin_file = place_.at("given/input");
    }
    return program;
  }

  /// Runs it, wants that exit code, and looks at every mode.
  std::string run(const std::vector<std::string>& words, const std::string& input = {}) {
    const auto outcome = support::run(program(words, input));
    INFO(words[0] << (words.size() > 1 ? " " + words[1] : "") << ": " << outcome.out
                  << outcome.err);
    CHECK(outcome.exit_code == 0);
    if (words[0] != "init") {  // which makes no state
      look();
    }
    return outcome.out;
  }

  void look() {
    std::string wrong;
    std::error_code gone;  // a running service removes what it has made
    CHECK(mode_of(place_.at("state")) == 0700);
    for (auto at = fs::recursive_directory_iterator(place_.at("state"), gone);
         at != fs::recursive_directory_iterator();
         at.increment(gone)) {
      const mode_t wanted = at->is_directory(gone) ? 0700 : 0600;
      const mode_t mode = mode_of(at->path());
      std::ostringstream octal;
      octal << std::oct << mode;
      if (mode != wanted && mode != 0) {
        wrong += at->path().lexically_relative(place_.path()).string() + " " + octal.str() + "\n";
      }
      seen_.insert(at->path().lexically_relative(place_.at("state")).string());
    }
    CHECK(wrong == "");
  }

  /// Whether a name that contains this was ever there.
  [[nodiscard]] bool saw(const std::string& part) const {
    return std::any_of(seen_.begin(), seen_.end(), [&part](const std::string& name) {
      return name.find(part) != std::string::npos;
    });
  }

  [[nodiscard]] const support::TempFolder& place() const { return place_; }
  /// As the user: the test may be root.
  void shell(const std::string& script) const {
    support::Program program;
    program.command = {"/bin/sh", "-c", "umask 022; " + script};
    program.folder = place_.at("vault");
    program.unprivileged = true;
    const auto outcome = support::run(program);
    INFO(script << outcome.err);
    CHECK(outcome.exit_code == 0);
  }

 private:
  support::TempFolder place_;
  std::string umask_;
  std::set<std::string> seen_;
};

std::string session(const std::string& id) {
  return json{{"session_id", id},
              {"project", "/home/nina/tidewater"},
              {"transcript", "User: mend src/tide.cpp of " + id + "\n\nAgent: done\n"}}
      .dump();
}

std::string hook(const Desk& desk, const std::string& event) {
  return json{{"hook_event_name", event},
              {"session_id", "hooked"},
              {"cwd", "/home/nina/tidewater"},
              {"transcript_path", desk.place().at("given/hooked.jsonl")}}
      .dump();
}

/// Everything that makes a file or a folder in the state folder.
void do_everything(Desk& desk) {
  const auto vault = desk.place().at("vault");
  desk.run({"init", vault});
  desk.run({"reindex"});
  desk.run({"capture", "session-end"}, session("first"));
  desk.run({"capture", "session-end"}, session("second"));
  desk.run({"capture", "compaction"}, R"({"session_id":"first","text":"The tide is mended."})");
  desk.run({"hook", "claude-code"}, hook(desk, "PreCompact"));
  desk.run({"hook", "claude-code"}, hook(desk, "SessionEnd"));
  desk.run({"capture", "drain"});
  desk.run({"import", "claude-code", desk.place().at("history")});
  desk.run({"reindex", "--full"});
  desk.run({"search", "tide"});
  desk.run({"show", "first"});
  desk.shell(
      "echo junk > ../state/lease.db; echo junk > ../state/index.db; "
      "head -c 5000 /dev/zero > ../state/state.db; rm -f ../state/*-wal ../state/*-shm");
  desk.shell("chmod 600 ../state/*.db");  // what the shell has made anew
  desk.run({"reindex"});
  desk.shell(
      "cd memory && for f in *--transcript.md; do "
      "cp $f ${f%.md}.sync-conflict-20260328-223406-ABCDEFG.md; done");
  desk.run({"conflicts", "resolve", "--yes"});
  desk.shell("echo mine > MEMORY.md");
  desk.run({"render"});
  desk.run({"remove", "--session", "second", "--reason", "a test", "--yes"});
  desk.run({"doctor", "--fix"});
  desk.run({"watch", "--detach"});
  desk.run({"capture", "session-end", "--no-publish"}, session("third"));
  CHECK(support::eventually([&] {
    desk.look();
    return desk.saw("service.sock") && desk.saw("index.db-wal") && desk.saw("state.db-shm");
  }));
  support::run(desk.program({"status"}));
  desk.look();
  desk.run({"service", "stop"});
}

const std::vector<std::string> kMadeInState{
    "workspace.json", "index.db",     "index.db-wal", "index.db-shm",  "state.db",
    "state.db-wal",   "state.db-shm", "lease.db",     "pipeline.lock", "service.lock",
    "service.sock",   "watch.log",    "locks/",       "spool",         "text/",
    "trash/",         "replaced/",    "removed/",     ".set-aside-",   "state.db.lock"};

}  // namespace

TEST_CASE("World-readable: state is 0600 and 0700 for every command under every umask") {
  // 0577 and 0777 take from the owner what the owner needs.
  const std::string umask = GENERATE(as<std::string>(), "0000", "0022", "0577", "0777");
  CAPTURE(umask);
  Desk desk(umask);
  do_everything(desk);
  for (const std::string& name : kMadeInState) {
    INFO(name);
    CHECK(desk.saw(name));
  }
}

TEST_CASE("World-readable: state is private from the moment in which it is made") {
  const std::string strace = support::find_program("strace");
  if (strace.empty()) {
    WARN("strace is not installed: not proved here");
    return;
  }
  Desk desk("0000");
  desk.run({"init", desk.place().at("vault")});
  desk.run({"capture", "session-end"}, session("first"));
  const support::TempFolder logs;
  fs::permissions(logs.path(), fs::perms::all);
  std::size_t made = 0;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"capture", "session-end"},
        {"reindex", "--full"},
        {"remove", "--session", "first", "--reason", "a test", "--yes"}}) {
    const support::Program traced = support::traced(desk.program(words, session("second")),
                                                    "openat,open,creat,mkdir,mkdirat",
                                                    logs.at("calls"));
    if (support::run(traced).exit_code != 0) {
      WARN("strace may not be used here");
      return;
    }
    std::istringstream calls(logs.read("calls"));
    for (std::string call; std::getline(calls, call);) {
      const bool makes_file = call.find("O_CREAT") != std::string::npos;
      const bool makes_folder = call.find("mkdir") != std::string::npos;
      if (call.find("/state") == std::string::npos || (!makes_file && !makes_folder)) {
        continue;
      }
      ++made;
      INFO(call);
      CHECK(call.find(makes_folder ? ", 0700)" : ", 0600)") != std::string::npos);
    }
  }
  CHECK(made > 20);
}

TEST_CASE("World-readable: files in the vault allow what the vault allows") {
  Desk desk("0022");
  desk.run({"init", desk.place().at("vault")});
  const auto modes = [&desk] {
    std::set<mode_t> found;
    for (const auto& entry : fs::directory_iterator(desk.place().at("vault/memory"))) {
      if (entry.path().filename().string().starts_with("20")) {
        found.insert(mode_of(entry.path()));
      }
    }
    return found;
  };
  SECTION("a vault that others may read has files that they may read") {
    desk.run({"capture", "session-end"}, session("first"));
    CHECK(modes() == std::set<mode_t>{0644});
    CHECK(mode_of(desk.place().at("vault/MEMORY.md")) == 0644);
  }
  SECTION("a private vault has private files, also when the umask would allow more") {
    desk.shell("chmod 700 . memory; rm -f MEMORY.md");
    desk.run({"--agent", "scribe", "capture", "session-end"}, session("first"));
    CHECK(modes() == std::set<mode_t>{0600});
    CHECK(mode_of(desk.place().at("vault/agents")) == 0700);
    CHECK(mode_of(desk.place().at("vault/agents/scribe/MEMORY.md")) == 0600);
  }
  SECTION("a file that is replaced keeps its mode") {
    desk.run({"capture", "session-end"}, session("first"));
    desk.shell("chmod 640 MEMORY.md; chmod 660 memory/*--manifest.md");
    desk.run({"capture", "compaction"}, R"({"session_id":"first","text":"It is mended."})");
    CHECK(mode_of(desk.place().at("vault/MEMORY.md")) == 0640);
    CHECK(modes() == std::set<mode_t>{0644, 0660});
  }
}

}  // namespace daybook::test

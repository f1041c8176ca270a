// SPDX-License-Identifier: MIT
//
// Files and folders of the vault that change places with links to the outside, as fast as the
// kernel can, while every command reads and writes. What lies outside is right in every respect, so
// that whoever looks at it once takes it for a session. And hard links, which no look can tell.
#include "cli/daybook_program.hpp"
#include "security/trial_size.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <linux/fs.h>
#include <map>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;
using support::SessionFiles;

const std::string kSecret = "xenolithword";

SessionFiles session_about(const std::string& word) {
  SessionFiles session("default", "swapped", "2026-03-28T22:34:06.792Z");
  for (const Kind kind : {Kind::summary, Kind::transcript}) {
    session.file(kind).folder = "memory/sub";
    session.file(kind).body = "# The " + word + "\n\nAll of it is about the " + word + ".\n";
    session.file(kind).fields.set_text("memory_sentence",
                                       "Measured the " + word +
                                           " in src/gauge/import.cpp of tidewater until all "
                                           "readings of February agreed with the chart.");
  }
  session.manifest.folder = "memory/sub";
  return session;
}

/// vault/memory/sub and a note in it, and outside the same with the secret.
class Scene {
 public:
  Scene() {
    session_about("heron").write(place_, "vault");
    session_about(kSecret).write(place_, "outside");
    SessionFiles("default", "healthy", "2026-03-27T10:00:00.000Z").write(place_, "vault");
    place_.write("outside/note.md", kSecret + "\n");
    place_.make_link("vault/.memory-link", place_.at("outside/memory"));
    place_.make_link("vault/.sub-link", place_.at("outside/memory/sub"));
    place_.make_link("vault/.summary-link",
                     place_.at("outside/" + session_about(kSecret).summary.path()));
    outside_ = outside();
  }

  support::ProgramOutcome run(const std::vector<std::string>& words,
                              const std::string& input = {}) const {
    auto program = daybook(support::on_vault(place_.at("vault"), place_.at("state"), words));
    if (!input.empty()) {
      place_.write("given", input);
      program.stdin_file = place_.at("given");
    }
    return support::run(program);
  }

  /// The two change places.
  bool swap(const std::string& one, const std::string& other) const {
    return ::syscall(SYS_renameat2,
                     AT_FDCWD,
                     place_.at("vault/" + one).c_str(),
                     AT_FDCWD,
                     place_.at("vault/" + other).c_str(),
                     RENAME_EXCHANGE) == 0;
  }

  /// Where the secret stands that must not have it: anywhere but outside.
  [[nodiscard]] std::string leaks() const {
    std::string found;
    for (const char* folder : {"state", "vault"}) {
      for (const auto& entry : fs::recursive_directory_iterator(place_.at(folder))) {
        const std::string name = entry.path().lexically_relative(place_.path()).string();
        if (entry.symlink_status().type() == fs::file_type::regular &&
            place_.read(name).find(kSecret) != std::string::npos) {
          found += name + "\n";
        }
      }
    }
    return found;
  }

  /// Nothing outside was written, made or deleted.
  [[nodiscard]] bool outside_is_untouched() const { return outside() == outside_; }

  [[nodiscard]] const support::TempFolder& place() const { return place_; }

 private:
  [[nodiscard]] std::map<std::string, std::string> outside() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(place_.at("outside"))) {
      const std::string name = entry.path().lexically_relative(place_.path()).string();
      files[name] = entry.is_regular_file() ? place_.read(name) : "";
    }
    return files;
  }

  support::TempFolder place_;
  std::map<std::string, std::string> outside_;
};

/// Swaps for as long as it lives; an even number of times, so that all is in its place again.
class Swapper {
 public:
  Swapper(const Scene& scene, std::string one, std::string other)
      : thread_([this, &scene, one = std::move(one), other = std::move(other)] {
          while (!ended_ || count_ % 2 != 0) {
            count_ += scene.swap(one, other) ? 1U : 0U;
          }
        }) {}
  Swapper(const Swapper&) = delete;
  Swapper& operator=(const Swapper&) = delete;
  ~Swapper() { end(); }

  std::size_t end() {
    ended_ = true;
    if (thread_.joinable()) {
      thread_.join();
    }
    return count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::atomic<bool> ended_{false};
  std::atomic<std::size_t> count_{0};
  std::thread thread_;
};

const std::vector<std::vector<std::string>> kReading{{"reindex", "--full"},
                                                     {"check", "--json"},
                                                     {"reindex"},
                                                     {"search", "--fresh", "about"},
                                                     {"show", "swapped", "--raw"},
                                                     {"show", "swapped", "--kind", "transcript"},
                                                     {"links", "swapped", "--explain"},
                                                     {"render"},
                                                     {"watch", "--once"},
                                                     {"doctor", "--deep"},
                                                     {"status"}};

}  // namespace

TEST_CASE("Symlink escape: a folder or file swapped for a link 10,000 times gives nothing away") {
  const Scene scene;
  scene.run({"reindex"});
  const std::string summary = session_about("heron").summary.path();
  std::string one;
  std::string other;
  SECTION("memory/ itself") {
    one = "memory";
    other = ".memory-link";
  }
  SECTION("a folder in it") {
    one = "memory/sub";
    other = ".sub-link";
  }
  SECTION("a file in that") {
    one = summary;
    other = ".summary-link";
  }
  Swapper swapper(scene, one, other);
  std::size_t round = 0;
  for (; round < 2 || swapper.count() < trial_size("SWAPS", 10'000); ++round) {
    for (const auto& words : kReading) {
      const auto outcome = scene.run(words);
      CAPTURE(words[0], round);
      CHECK(outcome.signal == 0);
      CHECK(outcome.out.find(kSecret) == std::string::npos);
      CHECK(outcome.err.find(kSecret) == std::string::npos);
    }
  }
  const std::size_t swaps = swapper.end();
  CAPTURE(swaps, round);
  CHECK(scene.leaks() == "");
  CHECK(scene.outside_is_untouched());
  // When all is quiet again the session is there: it was not the links that kept it away.
  CHECK(scene.run({"reindex", "--full"}).exit_code == 0);
  CHECK(scene.run({"search", "heron"}).out.find("--summary.md") != std::string::npos);
}

TEST_CASE("Symlink escape: nothing is written or deleted behind a link that appears meanwhile") {
  const Scene scene;
  scene.run({"reindex"});
  const bool whole = GENERATE(true, false);
  Swapper swapper(scene, whole ? "memory" : "memory/sub", whole ? ".memory-link" : ".sub-link");
  for (std::size_t round = 0; round < trial_size("SWAP_WRITES", 4); ++round) {
    const std::string id = "new-" + std::to_string(round);
    scene.run({"capture", "session-end"},
              R"({"session_id":")" + id + R"(","transcript":"User: mend it\n"})");
    scene.run({"capture", "compaction"}, R"({"session_id":"swapped","text":"Mended."})");
    scene.run({"accept", session_about("heron").summary.path(), "--reason", "a test"});
    scene.run({"doctor", "--fix"});
    scene.run({"conflicts", "resolve", "--yes"});
    scene.run({"remove", "--session", id, "--reason", "a test", "--yes"});
  }
  scene.run({"remove", "--session", "swapped", "--reason", "a test", "--yes"});
  scene.run({"remove", "--purge", "--yes"});
  CHECK(swapper.end() > 1000);
  CHECK(scene.outside_is_untouched());
  CHECK(scene.leaks() == "");
}

TEST_CASE("Symlink escape: a hard link brings no other file into the index, and is not written") {
  const Scene scene;
  // A summary's name on another file, and a manifest that has a second name outside.
  const SessionFiles session("default", "hard", "2026-03-26T10:00:00.000Z");
  session.write(scene.place(), "vault");
  fs::remove(scene.place().at("vault/" + session.summary.path()));
  fs::create_hard_link(scene.place().at("outside/note.md"),
                       scene.place().at("vault/" + session.summary.path()));
  fs::create_hard_link(scene.place().at("outside/note.md"),
                       scene.place().at("vault/memory/notes.md"));
  const std::string manifest = scene.place().at("vault/" + session.manifest.path());
  fs::create_hard_link(manifest, scene.place().at("second-name.md"));
  const std::string before = scene.place().read("second-name.md");
  scene.run({"reindex"});
  scene.run({"capture", "compaction"},
            R"({"session_id":"hard","session_key":"hard","text":"Mended."})");
  CHECK(scene.run({"search", kSecret}).exit_code == 1);
  CHECK(scene.place().read("second-name.md") == before);
  CHECK(scene.place().read("vault/" + session.manifest.path()) != before);
  scene.run({"remove", "--session", "hard", "--reason", "a test", "--yes"});
  CHECK(scene.outside_is_untouched());
  fs::remove(scene.place().at("vault/memory/notes.md"));
  CHECK(scene.leaks() == "");
}

}  // namespace daybook::test

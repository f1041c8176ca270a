// SPDX-License-Identifier: MIT
#include "daybook/base/clock.hpp"
#include "daybook/canon/session_lock.hpp"
#include "flow/capture_vault.hpp"
#include "flow/ending_disk.hpp"
#include "support/child.hpp"
#include "support/eventually.hpp"

#include <fstream>

using namespace daybook;
using capture::CaptureDeed;
using test::CaptureVault;
using test::EndingDisk;

namespace {

/// The process ends when a file whose name ends so is opened for the n-th time.
void end_cut_off(const CaptureVault& vault,
                 const std::string& name_end,
                 int nth,
                 const capture::SessionEnd& request = CaptureVault::request("run-1")) {
  const auto outcome = support::run_in_child([&]() -> std::string {
    state::StateDb state = vault.vault.open_state();
    EndingDisk disk(name_end, nth);
    const auto result = capture::end_session(vault.place(state, disk), request);
    return result ? "it was not cut off" : result.error().message;
  });
  INFO(outcome.answer << outcome.errors);
  REQUIRE(outcome.exit_code == 137);
}

/// A pass finishes it, and a second one changes nothing.
void recovers(CaptureVault& vault, const std::map<std::string, std::string>& expected) {
  const auto report = vault.vault.reindex();
  CHECK(vault.states().empty());
  CHECK(vault.spooled() == 0);
  CHECK(vault.temporaries() == 0);
  const auto after = vault.files();
  CHECK(after == expected);
  vault.vault.reindex();
  CHECK(vault.files() == after);
  CHECK(vault.states().empty());
  CHECK(vault.vault.memory_md().find("session=run-1") != std::string::npos);
  CHECK(vault.end(CaptureVault::request("run-1")).deed == CaptureDeed::already_captured);
  CHECK(vault.files() == after);
}

/// What an undisturbed capture and a pass leave.
std::map<std::string, std::string> undisturbed(const CaptureVault& like) {
  CaptureVault vault;
  vault.end(CaptureVault::request("run-1"));
  vault.vault.reindex();
  auto files = vault.files();
  for (auto& [path, bytes] : files) {
    const std::size_t at = bytes.find(vault.vault.folder().device());
    if (at != std::string::npos) {
      bytes.replace(at, 16, like.vault.folder().device());
    }
  }
  return files;
}

}  // namespace

TEST_CASE("A sentence without an artifact is a state that the next pass mends") {
  CaptureVault vault;
  // The spool's record has its name, and is about to be read for the transcript.
  end_cut_off(vault, ".capture", 1);
  CHECK(vault.files().empty());
  CHECK(vault.states() == std::vector<std::string>{"sentence-without-artifact"});
  recovers(vault, undisturbed(vault));
}

TEST_CASE("A transcript without a summary is a state that the next pass mends") {
  CaptureVault vault;
  // Twice it is asked whether the summary is there: before any file has its name, and after the
  // transcript has.
  end_cut_off(vault, "--summary.md", 2);
  CHECK(vault.files().size() == 1);
  CHECK(vault.temporaries() == 2);  // summary and manifest go to the disk with the transcript
  CHECK(vault.states() == std::vector<std::string>{"transcript-without-summary"});
  recovers(vault, undisturbed(vault));
}

TEST_CASE("Artifacts without a manifest are a state that the next pass mends") {
  CaptureVault vault;
  end_cut_off(vault, "--manifest.md", 1);
  CHECK(vault.files().size() == 2);
  CHECK(vault.states() == std::vector<std::string>{"artifacts-without-manifest"});
  recovers(vault, undisturbed(vault));
}

TEST_CASE("Canonical files without rows are a state that the next pass mends") {
  CaptureVault vault;
  vault.end(CaptureVault::request("run-1"));
  CHECK(vault.states() == std::vector<std::string>{"index-behind"});
  recovers(vault, undisturbed(vault));
}

TEST_CASE("Rows without a MEMORY.md are a state that the next pass mends") {
  CaptureVault vault;
  vault.vault.reindex();
  // Two days behind the last publication nothing is published.
  vault.now -= 2LL * 24 * 60 * 60 * 1000;
  vault.vault.set_now(vault.now);
  const auto request = CaptureVault::request("run-1");
  vault.end(request);
  static_cast<void>(vault.vault.try_reindex());
  CHECK(vault.states() == std::vector<std::string>{"memory-md-behind"});
  vault.now = support::kTestNow;
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  CHECK(vault.states().empty());
  CHECK(vault.vault.memory_md().find("session=run-1") != std::string::npos);
  const auto after = vault.files();
  vault.vault.reindex();
  CHECK(vault.files() == after);
}

namespace {

class FailingModel final : public model::Model {
 public:
  Result<std::string> answer(const model::Prompt&) override {
    return Error{ErrorKind::io, "the endpoint does not answer", {}, {}};
  }
  std::string name() const override { return "failing"; }
};

}  // namespace

TEST_CASE("A model that fails engages the fallback, which is a state of its own") {
  CaptureVault vault;
  FailingModel model;
  vault.model = &model;
  end_cut_off(vault, ".capture", 1);
  CHECK(vault.states() == std::vector<std::string>{"sentence-fallback"});
  vault.model = nullptr;
  vault.vault.reindex();
  CHECK(vault.states().empty());
  CHECK(vault.files().size() == 3);
  const auto after = vault.files();
  vault.vault.reindex();
  CHECK(vault.files() == after);
}

TEST_CASE("A pass that began while the model was thinking does not count a capture as its own") {
  class Slow final : public model::Model {
   public:
    Result<std::string> answer(const model::Prompt& prompt) override {
      const base::Stopwatch thinking;
      support::eventually([&thinking] { return thinking.seconds() > 0.03; });
      return FailingModel().answer(prompt);
    }
    std::string name() const override { return "slow"; }
  };
  CaptureVault vault;
  Slow model;
  vault.model = &model;
  const auto flow = vault.end(CaptureVault::request("run-1")).flow;
  state::StateDb state = vault.vault.open_state();
  REQUIRE(state.flows().captures_indexed({vault.now + 20}, {}, {vault.now + 40}));
  CHECK(state.flows().find(flow).value()->step == state::capture_step::kCanonical);
}

TEST_CASE("A sentence that the transcript does not bear out is refused, and the log says so") {
  class Answering final : public model::Model {
   public:
    Result<std::string> answer(const model::Prompt&) override {
      return std::string(
          "Rebuilt the pier at Ellory from the ground up so that the ferry leaves on time again.");
    }
    std::string name() const override { return "answering"; }
  };
  const auto child = support::run_in_child([] {
    CaptureVault vault;
    Answering model;
    vault.model = &model;
    auto request = CaptureVault::request("run-1", "User: Please hurry.\n\nAssistant: Done now.\n");
    request.summary = "# Harbour\n\nRebuilt the pier at Ellory from the ground up.\n";
    return vault.end(request).sentence_refusal;
  });
  CHECK_THAT(child.answer, Catch::StartsWith("no-anchor"));
  CHECK_THAT(child.errors, Catch::Contains("the model's sentence was not taken: no-anchor"));
  CHECK_THAT(child.errors, !Catch::Contains("Ellory"));
}

TEST_CASE("The request that was cut off finishes itself when it comes again") {
  CaptureVault vault;
  const std::string where = GENERATE(".capture", "--summary.md", "--manifest.md");
  end_cut_off(vault, where, where == "--summary.md" ? 2 : 1);
  const auto result = vault.end(CaptureVault::request("run-1"));
  CHECK(vault.spooled() == 0);
  CHECK(vault.temporaries() == 0);
  vault.vault.reindex();
  CHECK(vault.files() == undisturbed(vault));
  CHECK(result.paths().size() == 3);
}

TEST_CASE("What was cut off and then removed leaves no word behind") {
  CaptureVault vault;
  end_cut_off(vault, "--manifest.md", 1);
  // The removal comes from another device, as a file.
  support::SessionFiles other("default", "", "2026-03-28T22:34:06.792Z", "run-1");
  const auto token = lineage::SessionToken::derive("default", "run-1").to_string();
  vault.vault.write("memory/2026-03-29T00-00-00.000Z--" + token + "--tombstone.md",
                    "---\nkind: tombstone\nagent_id: default\nsession_token: " + token +
                        "\nremoved_at: 2026-03-29T00:00:00.000Z\nreason: asked\nremoved_paths: "
                        "[]\nscope: session\n---\n");
  vault.vault.reindex();
  CHECK(vault.spooled() == 0);
  CHECK(vault.vault.state_files_with("Please mend").empty());
  CHECK(vault.vault.memory_md().find("run-1") == std::string::npos);
}

TEST_CASE("A flow whose record is gone from the spool is forgotten, and nobody waits for it") {
  CaptureVault vault;
  end_cut_off(vault, "summary.md", 1);
  REQUIRE(vault.states().size() == 1);
  for (const auto& entry :
       std::filesystem::directory_iterator(vault.vault.folder().file("spool"))) {
    std::filesystem::remove(entry.path());
  }

  SECTION("by the next pass") {
    const auto report = vault.vault.reindex();
    CHECK(vault.states().empty());
    CHECK(vault.temporaries() == 0);
    const auto told =
        std::find_if(report.notices.begin(), report.notices.end(), [](const std::string& notice) {
          return notice.find("no longer in the spool") != std::string::npos;
        });
    CHECK(told != report.notices.end());
    CHECK(vault.end(CaptureVault::request("run-1")).deed == CaptureDeed::captured);
  }
  SECTION("but not while its session is being captured") {
    const auto token = lineage::SessionToken::derive("default", "run-1");
    const auto lock = canon::SessionLock::take(vault.vault.folder().file("locks"), token);
    REQUIRE(lock);
    vault.vault.reindex();
    CHECK(vault.states().size() == 1);
  }
}

TEST_CASE("A torn file in the spool is told of and kept") {
  CaptureVault vault;
  end_cut_off(vault, ".capture", 1);
  for (const auto& entry :
       std::filesystem::directory_iterator(vault.vault.folder().file("spool"))) {
    std::filesystem::resize_file(entry.path(), 100);
  }
  const auto report = vault.vault.reindex();
  REQUIRE(report.notices.size() == 1);
  CHECK(report.notices[0].find("left there") != std::string::npos);
  CHECK(vault.spooled() == 1);
  CHECK(vault.files().empty());
}

TEST_CASE("A capture that was cut off is finished by the next one of its session: one manifest") {
  CaptureVault vault;
  end_cut_off(vault, ".capture", 1);
  vault.now += 1000;
  vault.end(CaptureVault::request("run-1", std::string(test::kSaid) + "\nUser: And more?\n"));
  CHECK(vault.spooled() == 0);
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  std::size_t manifests = 0;
  for (const auto& [path, bytes] : vault.files()) {
    manifests += path.ends_with("--manifest.md") ? 1U : 0U;
    INFO(path);
    CHECK(vault.vault.codes(path).empty());
  }
  CHECK(manifests == 1);
  CHECK(vault.files().size() == 5);
}

TEST_CASE("A record whose key another session has taken meanwhile is captured all the same") {
  CaptureVault vault;
  auto request = CaptureVault::request("run-1");
  request.session.idempotency_key = "k";
  end_cut_off(vault, ".capture", 1, request);
  for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
    vault.vault.delete_state_file(name);
  }
  auto other = CaptureVault::request("run-2", "User: another text about src/other.cpp\n");
  other.session.idempotency_key = "k";
  CHECK(vault.end(other).deed == CaptureDeed::captured);
  vault.vault.reindex();
  CHECK(vault.spooled() == 0);
  CHECK(vault.files().size() == 6);
  CHECK(vault.vault.memory_md().find("session=run-1") != std::string::npos);
}

TEST_CASE("A part of a session that was removed is not finished either") {
  CaptureVault vault;
  vault.end(CaptureVault::request("parent", "User: the whole about src/whole.cpp\n"));
  vault.vault.reindex();
  auto part = CaptureVault::request("run-1");
  part.session.parent_session_id = "parent";
  end_cut_off(vault, ".capture", 1, part);
  vault.vault.remove_session("parent");
  CHECK(vault.spooled() == 0);
  CHECK(vault.vault.state_files_with("Please mend").empty());
  CHECK(vault.files().size() == 1);  // the tombstone
  const auto refused = vault.end(part);
  CHECK(refused.deed == CaptureDeed::session_removed);
  CHECK(refused.removed_token == lineage::SessionToken::derive("default", "parent").to_string());
}

TEST_CASE("A capture that cannot be finished keeps no later one out of the spool") {
  CaptureVault vault;
  const auto first = vault.compact("run-1", "First text about src/tide.cpp\n");
  const std::string manifest = vault.vault.read(first.manifest_path);
  vault.vault.write(first.manifest_path, "---\nkind: [broken\n---\n");
  for (const char* text : {"Second text about src/tide.cpp\n", "Third about src/tide.cpp\n"}) {
    vault.now += 1000;
    const auto kept = vault.try_compact("run-1", text);
    REQUIRE_FALSE(kept);
    CHECK(kept.error().message.find("kept in the spool") != std::string::npos);
  }
  CHECK(vault.spooled() == 2);
  vault.vault.write(first.manifest_path, manifest);
  vault.now += 1000;
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  CHECK(vault.spooled() == 0);
  CHECK(vault.files().size() == 4);
  for (const auto& [path, bytes] : vault.files()) {
    INFO(path << vault.vault.messages(path));
    CHECK(vault.vault.codes(path).empty());
  }
}

TEST_CASE("A transcript that has rotted in the spool becomes no file") {
  CaptureVault vault;
  end_cut_off(vault, ".capture", 1);
  for (const auto& entry :
       std::filesystem::directory_iterator(vault.vault.folder().file("spool"))) {
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8);
    file.put('#');
  }
  const auto report = vault.vault.reindex();
  REQUIRE(report.notices.size() == 1);
  CHECK(report.notices[0].find("checksum") != std::string::npos);
  CHECK(vault.spooled() == 1);
  CHECK(vault.files().empty());
}

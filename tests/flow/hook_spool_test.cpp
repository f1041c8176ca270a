// SPDX-License-Identifier: MIT
#include "daybook/capture/hook_spool.hpp"

#include "daybook/capture/removal.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/service/spool_drain.hpp"
#include "daybook/state/removed_marks.hpp"
#include "flow/capture_vault.hpp"
#include "support/watched_disk.hpp"

#include <array>
#include <fcntl.h>
#include <sys/stat.h>

using namespace daybook;
using capture::HookDeed;
using harness::HookEvent;
using test::CaptureVault;

namespace {

constexpr const char* kTurn =
    R"({"type":"user","sessionId":"s-1","cwd":"/home/nina/tidewater","timestamp":"2026-03-30T11:00:00.000Z","message":{"role":"user","content":"Please mend src/tide.cpp."}})"
    "\n";
constexpr const char* kAnswer =
    R"({"type":"assistant","sessionId":"s-1","timestamp":"2026-03-30T11:01:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"It is mended now."}]}})"
    "\n";

struct HookVault : CaptureVault {
  std::string transcript(std::string_view text) const {
    vault.place().write("s-1.jsonl", text);
    // Long settled, unless a test says otherwise.
    touch(now - 3'600'000);
    return vault.place().at("s-1.jsonl");
  }
  void touch(std::int64_t ms) const {
    const timespec time{ms / 1000, (ms % 1000) * 1'000'000};
    const timespec times[2] = {time, time};
    REQUIRE(::utimensat(AT_FDCWD, vault.place().at("s-1.jsonl").c_str(), times, 0) == 0);
  }

  Result<HookDeed> hook(HookEvent event,
                        const std::string& path,
                        std::string text = {},
                        base::Disk& disk = base::real_disk()) const {
    capture::HookRequest request;
    request.harness = "claude-code";
    request.input.event = event;
    request.input.session_id = "s-1";
    request.input.transcript_path = path;
    request.input.cwd = "/home/nina/tidewater";
    request.input.compact_summary = std::move(text);
    request.now = {now};
    return capture::spool_hook(disk, vault.folder(), request);
  }

  service::DrainReport drain() const {
    state::StateDb state = vault.open_state();
    const std::atomic<bool> never = false;
    auto report = service::drain_spool(place(state, base::real_disk()), never);
    REQUIRE(report);
    return std::move(report).value();
  }
};

}  // namespace

TEST_CASE("What a hook leaves at a session's end is captured when the transcript has settled") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  CHECK(vault.hook(HookEvent::session_end, path).value() == HookDeed::spooled);
  CHECK(vault.spooled() == 1);
  CHECK(vault.drain().waiting == 1);
  CHECK(vault.files().empty());
  vault.now += 2'000;
  const auto report = vault.drain();
  CHECK(report.captured == 1);
  CHECK(vault.spooled() == 0);
  REQUIRE(vault.files().size() == 3);
  const std::string transcript = vault.vault.read(report.paths[0]);
  CHECK(transcript.find("## User") != std::string::npos);
  CHECK(transcript.find("ended_at: \"2026-03-30T11:01:00.000Z\"") != std::string::npos);
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  for (const std::string& written : report.paths) {
    CHECK(vault.vault.codes(written).empty());
  }
}

TEST_CASE("A transcript that grows after the hook is captured whole") {
  HookVault vault;
  const std::string path = vault.transcript(kTurn);
  REQUIRE(vault.hook(HookEvent::session_end, path));
  vault.transcript(std::string(kTurn) + kAnswer);
  vault.touch(vault.now + 1'500);
  vault.now += 2'500;
  CHECK(vault.drain().waiting == 1);  // written to a second ago
  vault.now += 2'000;
  const auto report = vault.drain();
  REQUIRE(report.captured == 1);
  CHECK(vault.vault.read(report.paths[0]).find("It is mended now.") != std::string::npos);
}

TEST_CASE("A transcript that is gone, or is another one, is captured as the hook saw it") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  REQUIRE(vault.hook(HookEvent::session_end, path));
  SECTION("gone") { std::filesystem::remove(path); }
  SECTION("another") { vault.transcript(std::string(4000, 'x') + "\n"); }
  SECTION("a pipe") {
    std::filesystem::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  }
  vault.now += 2'000;
  const auto report = vault.drain();
  REQUIRE(report.captured == 1);
  CHECK(vault.vault.read(report.paths[0]).find("It is mended now.") != std::string::npos);
}

TEST_CASE("One that is written to for ever is captured after a minute") {
  HookVault vault;
  const std::string path = vault.transcript(kTurn);
  REQUIRE(vault.hook(HookEvent::session_end, path));
  vault.now += 59'000;
  vault.touch(vault.now);
  CHECK(vault.drain().waiting == 1);
  vault.now += 1'000;
  vault.touch(vault.now);
  CHECK(vault.drain().captured == 1);
}

TEST_CASE("A compaction's summary becomes the compaction artifact") {
  HookVault vault;
  CHECK(vault.hook(HookEvent::post_compact, {}, "The work so far: src/tide.cpp is read.").value() ==
        HookDeed::spooled);
  const auto report = vault.drain();
  CHECK(report.captured == 1);
  CHECK(vault.files().size() == 2);
  CHECK(report.paths[0].ends_with("--compaction.md"));
}

TEST_CASE("A snapshot from before a compaction is kept until its session ends") {
  HookVault vault;
  const std::string path = vault.transcript(kTurn);
  CHECK(vault.hook(HookEvent::pre_compact, path).value() == HookDeed::spooled);
  CHECK(vault.drain().held == 1);
  vault.now += 1'000;
  REQUIRE(vault.hook(HookEvent::pre_compact, path));
  CHECK(vault.drain().held == 1);  // the newer one is enough
  CHECK(vault.spooled() == 1);

  SECTION("a compaction does not end it") {
    vault.now += 1'000;
    REQUIRE(vault.hook(HookEvent::post_compact, {}, "The work on src/tide.cpp so far."));
    CHECK(vault.drain().held == 1);
    CHECK(vault.spooled() == 1);
  }
  SECTION("then it goes") {
    vault.now += 1'000;
    REQUIRE(vault.hook(HookEvent::session_end, path));
    vault.now += 2'000;
    const auto report = vault.drain();
    CHECK(report.captured == 1);
    CHECK(vault.spooled() == 0);
  }
  SECTION("but not when the session ends with a transcript that does not hold it") {
    vault.transcript(kAnswer);
    vault.now += 1'000;
    REQUIRE(vault.hook(HookEvent::session_end, path));
    vault.now += 2'000;
    const auto report = vault.drain();
    CHECK(report.captured == 2);
    CHECK(vault.spooled() == 0);
    std::string all;
    for (const auto& [name, bytes] : vault.files()) {
      all += bytes;
    }
    CHECK(all.find("Please mend src/tide.cpp") != std::string::npos);
    CHECK(all.find("It is mended now") != std::string::npos);
  }
  SECTION("or is captured as interrupted after a day") {
    vault.now += 24LL * 60 * 60 * 1000;
    const auto report = vault.drain();
    REQUIRE(report.captured == 1);
    CHECK(vault.spooled() == 0);
    CHECK(vault.vault.read(report.paths[1]).find("run_status: \"interrupted\"") !=
          std::string::npos);
  }
}

TEST_CASE("Nothing is kept of a removed session, and what was kept is discarded") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  REQUIRE(vault.hook(HookEvent::session_end, path));
  const auto token = lineage::SessionToken::derive("default", "s-1").to_string();
  vault.vault.write("memory/2026-03-29T00-00-00.000Z--" + token + "--tombstone.md",
                    "---\nkind: tombstone\nagent_id: default\nsession_token: " + token +
                        "\nremoved_at: 2026-03-29T00:00:00.000Z\nreason: asked\nremoved_paths: "
                        "[]\nscope: session\n---\n");
  CHECK(vault.hook(HookEvent::session_end, path).value() == HookDeed::session_removed);
  CHECK(vault.hook(HookEvent::pre_compact, path).value() == HookDeed::session_removed);
  CHECK(vault.spooled() == 1);

  SECTION("by draining") {
    vault.now += 2'000;
    const auto report = vault.drain();
    CHECK(report.removed == 1);
    REQUIRE(report.notices.size() == 1);
    CHECK(report.notices[0].starts_with("session-removed"));
  }
  SECTION("by the pass that honours the tombstone") { vault.vault.reindex(); }
  CHECK(vault.spooled() == 0);
  CHECK(vault.vault.state_files_with("Please mend").empty());
}

TEST_CASE("A hook lists the vault only for a session that may be removed") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  support::WatchedDisk disk;
  const auto hook = [&] { return vault.hook(HookEvent::session_end, path, {}, disk).value(); };
  CHECK(hook() == HookDeed::spooled);
  CHECK(disk.listings > 0);  // no pass has been here: nobody has said what is removed

  vault.now += 2'000;
  REQUIRE(vault.drain().captured == 1);
  vault.vault.reindex();
  disk.listings = 0;
  CHECK(hook() == HookDeed::spooled);
  CHECK(disk.listings == 0);

  vault.vault.remove_session("s-1");
  CHECK(hook() == HookDeed::session_removed);
  CHECK(disk.listings > 0);

  // What a removal has marked stays marked when it is lifted, and then the vault decides.
  {
    const auto token = lineage::SessionToken::derive("default", "s-1");
    state::StateDb state = vault.vault.open_state();
    REQUIRE(capture::lift(base::real_disk(), vault.vault.folder(), state, token, {vault.now}));
  }
  disk.listings = 0;
  CHECK(hook() == HookDeed::spooled);
  CHECK(disk.listings > 0);
}

TEST_CASE("A session that was removed by its key is removed for a hook that knows only its id") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  capture::SessionEnd request = CaptureVault::request("s-1");
  request.session.session_key = "key-1";
  vault.end(request);
  vault.vault.reindex();
  vault.vault.remove_session("key-1");
  CHECK(vault.hook(HookEvent::session_end, path).value() == HookDeed::session_removed);
}

TEST_CASE("Marks of removals that are lost are made again by the next pass") {
  HookVault vault;
  vault.end(CaptureVault::request("s-1"));
  vault.vault.reindex();
  vault.vault.remove_session("s-1");
  const std::array token{lineage::SessionToken::derive("default", "s-1")};
  const std::string mark = vault.vault.folder().file("removed/" + token[0].to_string());
  REQUIRE(std::filesystem::remove(mark));
  CHECK_FALSE(state::may_be_removed(vault.vault.folder(), token));
  vault.vault.reindex();
  CHECK(state::may_be_removed(vault.vault.folder(), token));
}

TEST_CASE("A tombstone that came by sync is marked by the next pass") {
  HookVault vault;
  vault.vault.reindex();
  const auto token = lineage::SessionToken::derive("default", "s-1");
  const auto other = lineage::SessionToken::derive("default", "s-2");
  const std::array both{token, other};
  CHECK_FALSE(state::may_be_removed(vault.vault.folder(), both));
  vault.vault.write("memory/2026-03-29T00-00-00.000Z--" + token.to_string() + "--tombstone.md",
                    "not readable");
  vault.vault.reindex();
  CHECK(state::may_be_removed(vault.vault.folder(), std::array{token}));
  CHECK(state::may_be_removed(vault.vault.folder(), both));
  CHECK_FALSE(state::may_be_removed(vault.vault.folder(), std::array{other}));

  SECTION("also one that cannot be opened") {
    const std::string name =
        "memory/2026-03-29T00-00-00.000Z--" + other.to_string() + "--tombstone.md";
    vault.vault.write(name, "");
    REQUIRE(::chmod(vault.vault.at(name).c_str(), 0) == 0);
    vault.vault.reindex();
    CHECK(state::may_be_removed(vault.vault.folder(), std::array{other}));
  }
}

TEST_CASE("A vault that is away costs a hook nothing") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  std::filesystem::rename(vault.vault.at("memory"), vault.vault.at("away"));
  CHECK(vault.hook(HookEvent::session_end, path).value() == HookDeed::spooled);
  vault.now += 2'000;
  CHECK(vault.drain().failed == 1);
  CHECK(vault.spooled() == 1);
  std::filesystem::rename(vault.vault.at("away"), vault.vault.at("memory"));
  CHECK(vault.drain().captured == 1);
}

TEST_CASE("A transcript of which no line can be read stays in the spool") {
  HookVault vault;
  const std::string path = vault.transcript(
      R"({"type":"user","sessionId":"s-1","message":{"role":"user","content":""}})"
      "\n"
      R"({"type":"novelty","sessionId":"s-1","text":"nobody knows this kind of line yet"})"
      "\n");
  REQUIRE(vault.hook(HookEvent::session_end, path));
  vault.now += 2'000;
  const auto report = vault.drain();
  CHECK(report.failed == 1);
  CHECK(report.notices.size() == 1);
  CHECK(vault.spooled() == 1);
}

TEST_CASE("Events without anything to keep leave nothing") {
  HookVault vault;
  const std::string path = vault.transcript("");
  CHECK(vault.hook(HookEvent::session_end, path).value() == HookDeed::no_transcript);
  CHECK(vault.hook(HookEvent::session_end, "/nowhere/x.jsonl").value() == HookDeed::no_transcript);
  CHECK(vault.hook(HookEvent::post_compact, path).value() == HookDeed::nothing_to_do);
  CHECK(vault.hook(HookEvent::other, path).value() == HookDeed::nothing_to_do);
  CHECK(vault.spooled() == 0);
}

TEST_CASE("A hook's file that is torn stays, and the others are captured") {
  HookVault vault;
  const std::string path = vault.transcript(std::string(kTurn) + kAnswer);
  REQUIRE(vault.hook(HookEvent::session_end, path));
  std::filesystem::path torn = vault.vault.folder().file("spool");
  for (const auto& entry : std::filesystem::directory_iterator(torn)) {
    std::filesystem::copy_file(entry.path(), entry.path().string() + "x.hook");
    std::filesystem::resize_file(entry.path().string() + "x.hook", 50);
    break;
  }
  vault.now += 2'000;
  const auto report = vault.drain();
  CHECK(report.captured == 1);
  CHECK(report.notices.size() == 1);
  CHECK(report.failed_names.size() == 1);  // whoever waits for others need not hear it again
  CHECK(vault.spooled() == 1);
}

TEST_CASE("An id or a folder that no capture would take does not keep a session in the spool") {
  HookVault vault;
  capture::HookRequest request;
  request.harness = "claude-code";
  request.input.event = HookEvent::session_end;
  request.input.session_id = std::string(3'000, 'i');
  request.input.transcript_path = vault.transcript(kTurn);
  request.input.cwd = "/" + std::string(4'094, 'p') + "\xC3\xA9 and more";
  request.now = {vault.now};
  REQUIRE(capture::spool_hook(base::real_disk(), vault.vault.folder(), request));
  vault.now += 2'000;
  const auto report = vault.drain();
  CHECK(report.captured == 1);
  CHECK(vault.spooled() == 0);
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  for (const std::string& path : report.paths) {
    CHECK(vault.vault.codes(path).empty());
  }
}

TEST_CASE("A hook's transcript is of its harness, whatever its first lines look like") {
  HookVault vault;
  const std::string other = R"({"type":"event_msg","payload":{"type":"token_count"}})"
                            "\n";
  REQUIRE(vault.hook(HookEvent::session_end, vault.transcript(other + kTurn + kAnswer)));
  vault.now += 2'000;
  const auto report = vault.drain();
  CHECK(report.captured == 1);
  REQUIRE_FALSE(report.paths.empty());
  CHECK(vault.vault.read(report.paths[0]).find("It is mended now.") != std::string::npos);
}

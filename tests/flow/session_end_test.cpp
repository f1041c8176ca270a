// SPDX-License-Identifier: MIT
#include "flow/capture_vault.hpp"
#include "flow/ending_disk.hpp"

#include <yaml-cpp/yaml.h>

using namespace daybook;
using capture::CaptureDeed;
using test::CaptureVault;

namespace {

YAML::Node frontmatter(const std::string& file) {
  const std::size_t end = file.find("\n---\n", 4);
  return YAML::Load(file.substr(4, end - 4));
}

std::string body(const std::string& file) { return file.substr(file.find("\n---\n", 4) + 5); }

}  // namespace

TEST_CASE("A session's end becomes transcript, summary and manifest that name each other") {
  CaptureVault vault;
  auto request = CaptureVault::request("run-1");
  request.summary = test::kSummary;
  const auto result = vault.end(request);
  CHECK(result.deed == CaptureDeed::captured);
  REQUIRE(vault.files().size() == 3);

  const auto summary = frontmatter(vault.vault.read(result.summary_path));
  const auto transcript = frontmatter(vault.vault.read(result.transcript_path));
  const auto manifest = frontmatter(vault.vault.read(result.manifest_path));
  CHECK(summary["manifest_path"].as<std::string>() == result.manifest_path);
  CHECK(transcript["manifest_path"].as<std::string>() == result.manifest_path);
  CHECK(manifest["summary_path"].as<std::string>() == result.summary_path);
  CHECK(manifest["transcript_path"].as<std::string>() == result.transcript_path);
  CHECK(manifest["compaction_path"].IsNull());
  CHECK(manifest["revision"].as<int>() == 1);
  CHECK(manifest["device"].as<std::string>() == vault.vault.folder().device());
  CHECK(transcript["sanitizer_version"].as<std::string>() == "sanitize_transcript_v1");
  CHECK(summary["run_status"].as<std::string>() == "completed");
  CHECK(summary["request_preview"].as<std::string>() == "Please mend src/tide.cpp in tidewater.");
  CHECK(summary["outcome_preview"].as<std::string>() == "Mended; all 12 tests pass.");
  CHECK(body(vault.vault.read(result.summary_path)) == test::kSummary);
  CHECK(body(vault.vault.read(result.transcript_path)) == test::kSaid);
  CHECK(vault.spooled() == 0);
}

TEST_CASE("Captured files have no finding, and their session is in MEMORY.md and in the search") {
  CaptureVault vault;
  const auto result = vault.end(CaptureVault::request("run-1"));
  vault.vault.reindex();
  for (const std::string& path : result.paths()) {
    CHECK(vault.vault.codes(path).empty());
  }
  CHECK(vault.vault.memory_md().find("session=run-1") != std::string::npos);
  CHECK(vault.vault.search("tide").size() >= 1);
  CHECK(vault.states().empty());
}

TEST_CASE("The seals in the manifest are those of the files") {
  CaptureVault vault;
  const auto result = vault.end(CaptureVault::request("run-1"));
  const auto manifest = frontmatter(vault.vault.read(result.manifest_path));
  CHECK(manifest["summary_sha256"].as<std::string>() ==
        base::to_hex(base::sha256(vault.vault.read(result.summary_path))));
  CHECK(manifest["transcript_sha256"].as<std::string>() ==
        base::to_hex(base::sha256(vault.vault.read(result.transcript_path))));
}

TEST_CASE("The same request again returns the first result and writes nothing") {
  CaptureVault vault;
  const auto first = vault.end(CaptureVault::request("run-1"));
  const auto before = vault.files();
  vault.now += 60'000;

  SECTION("by its receipt") {}
  SECTION("by what is in the vault, when state.db is lost") {
    for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
      vault.vault.delete_state_file(name);
    }
  }
  SECTION("after the index and MEMORY.md were made") { vault.vault.reindex(); }

  const auto between = vault.files();
  const auto again = vault.end(CaptureVault::request("run-1"));
  CHECK(again.deed == CaptureDeed::already_captured);
  CHECK(again.paths() == first.paths());
  CHECK(again.captured_at == first.captured_at);
  CHECK(vault.files() == between);
  CHECK(vault.spooled() == 0);
}

TEST_CASE("A key is good for one content only") {
  CaptureVault vault;
  auto request = CaptureVault::request("run-1");
  request.session.idempotency_key = "key-1";
  const auto first = vault.end(request);
  CHECK(vault.end(request).paths() == first.paths());

  auto other = CaptureVault::request("run-1", "User: something else about src/other.cpp\n");
  other.session.idempotency_key = "key-1";
  const auto refused = vault.try_end(other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::usage);
  CHECK(refused.error().message.find("idempotency key") != std::string::npos);
  CHECK(vault.files().size() == 3);

  other.session.idempotency_key = "key-2";
  CHECK(vault.end(other).deed == CaptureDeed::captured);
}

TEST_CASE("A key that two sessions use at once is good for one of them, and the other is told") {
  CaptureVault vault;
  vault.end(CaptureVault::request("run-2", "User: an earlier text about src/other.cpp\n"));
  vault.now += 1000;
  const std::string said = "User: a later text about src/other.cpp\n";
  auto late = CaptureVault::request("run-2", said);
  late.session.idempotency_key = "k";
  auto quick = CaptureVault::request("run-1");
  quick.session.idempotency_key = "k";
  // It comes in after the key was looked up and before it is taken.
  test::EndingDisk disk("--transcript.md", 1, [&] { vault.end(quick); });
  {
    state::StateDb state = vault.vault.open_state();
    const auto refused = capture::end_session(vault.place(state, disk), late);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::usage);
    CHECK(refused.error().message.find("idempotency key") != std::string::npos);
  }
  CHECK(vault.files().size() == 6);
  CHECK(vault.spooled() == 0);
  // Under another key it is as good as ever.
  CHECK(vault.end(CaptureVault::request("run-2", said)).deed == CaptureDeed::captured);
}

TEST_CASE("A key that was answered from the vault stands for that answer") {
  CaptureVault vault;
  auto request = CaptureVault::request("run-1");
  vault.end(request);
  request.session.idempotency_key = "k";
  CHECK(vault.end(request).deed == CaptureDeed::already_captured);
  auto other = CaptureVault::request("run-2", "User: another text about src/other.cpp\n");
  other.session.idempotency_key = "k";
  CHECK_FALSE(vault.try_end(other));
  CHECK(vault.end(request).deed == CaptureDeed::already_captured);
  CHECK(vault.files().size() == 3);
}

TEST_CASE("What was captured before and has lost its manifest gets it back") {
  CaptureVault vault;
  const auto first = vault.end(CaptureVault::request("run-1"));
  vault.vault.unlink(first.manifest_path);
  for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
    vault.vault.delete_state_file(name);
  }
  const auto again = vault.end(CaptureVault::request("run-1"));
  CHECK(again.deed == CaptureDeed::already_captured);
  CHECK(again.paths() == first.paths());
  vault.vault.reindex();
  CHECK(vault.files().size() == 3);
  for (const auto& [path, bytes] : vault.files()) {
    INFO(path << vault.vault.messages(path));
    CHECK(vault.vault.codes(path).empty());
  }
}

TEST_CASE("A session with a key does not write into the manifest of one that has its id") {
  CaptureVault vault;
  vault.end(CaptureVault::request("abc"));
  vault.now += 1000;
  auto request = CaptureVault::request("abc", "User: another text about src/other.cpp\n");
  request.session.session_key = "main";
  const auto second = vault.end(request);
  vault.now += 1000;
  vault.vault.set_now(vault.now);
  CHECK(vault.files().size() == 6);
  vault.vault.reindex();
  for (const auto& [path, bytes] : vault.files()) {
    INFO(path << vault.vault.messages(path));
    CHECK(vault.vault.codes(path).empty());
  }
  CHECK(frontmatter(vault.vault.read(second.manifest_path))["session_key"].as<std::string>() ==
        "main");
}

TEST_CASE("A resumed session gets new files, and its one manifest names the newest") {
  CaptureVault vault;
  const auto first = vault.end(CaptureVault::request("run-1"));
  vault.vault.reindex();
  vault.now += 3'600'000;
  vault.vault.set_now(vault.now);
  const auto second = vault.end(
      CaptureVault::request("run-1", std::string(test::kSaid) + "\nUser: And src/moon.cpp?\n"));
  CHECK(second.manifest_path == first.manifest_path);
  CHECK(second.transcript_path != first.transcript_path);
  const std::string text = vault.vault.read(first.manifest_path);
  const auto manifest = frontmatter(text);
  CHECK(manifest["summary_path"].as<std::string>() == second.summary_path);
  CHECK(manifest["earlier_paths"].size() == 2);
  CHECK(text.find("- [[" + second.transcript_path + "|transcript]]") != std::string::npos);
  CHECK(text.find("- [[" + first.transcript_path + "]]") != std::string::npos);
  vault.vault.reindex();
  for (const auto& [path, bytes] : vault.files()) {
    INFO(path);
    CHECK(vault.vault.codes(path).empty());
  }
}

TEST_CASE(
    "A compaction before the session's end makes a manifest with nulls, one after it is added") {
  CaptureVault vault;
  const auto compaction =
      vault.compact("run-1", "The work on src/tide.cpp so far: the table is read, not yet mended.");
  const auto before = frontmatter(vault.vault.read(compaction.manifest_path));
  CHECK(before["summary_path"].IsNull());
  CHECK(before["transcript_path"].IsNull());
  CHECK(before["compaction_path"].as<std::string>() == compaction.compaction_path);

  vault.now += 1000;
  const auto end = vault.end(CaptureVault::request("run-1"));
  CHECK(end.manifest_path == compaction.manifest_path);
  vault.now += 1000;
  const auto later = vault.compact("run-1", "Compacted once more, after src/tide.cpp was mended.");
  const auto after = frontmatter(vault.vault.read(compaction.manifest_path));
  CHECK(after["summary_path"].as<std::string>() == end.summary_path);
  CHECK(after["compaction_path"].as<std::string>() == later.compaction_path);
  CHECK(after["earlier_paths"][0].as<std::string>() == compaction.compaction_path);
  CHECK(after["revision"].as<int>() == 3);
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  for (const auto& [path, bytes] : vault.files()) {
    INFO(path);
    CHECK(vault.vault.codes(path).empty());
  }
}

TEST_CASE("A manifest that somebody edited keeps what they wrote") {
  CaptureVault vault;
  const auto first = vault.end(CaptureVault::request("run-1"));
  std::string text = vault.vault.read(first.manifest_path);
  text.replace(text.find("device:"), 0, "tags: [harbour]\n");
  text += "\nMy own remark.\n";
  vault.vault.write(first.manifest_path, text);
  vault.now += 1000;
  const auto later = vault.compact("run-1", "Compacted after src/tide.cpp was mended.");
  const std::string now = vault.vault.read(first.manifest_path);
  CHECK(now.find("tags: [harbour]\n") != std::string::npos);
  CHECK(now.ends_with("\nMy own remark.\n"));
  CHECK(frontmatter(now)["compaction_path"].as<std::string>() == later.compaction_path);
}

TEST_CASE("A name that others have taken moves the capture by a millisecond") {
  CaptureVault vault;
  const auto elsewhere = vault.end(CaptureVault::request("run-1"));
  const std::string taken = elsewhere.transcript_path;
  for (const std::string& path : elsewhere.paths()) {
    vault.vault.unlink(path);
  }
  for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
    vault.vault.delete_state_file(name);
  }
  vault.vault.write(taken, "something else\n");
  const auto result = vault.end(CaptureVault::request("run-1"));
  CHECK(result.captured_at.ms == elsewhere.captured_at.ms + 1);
  CHECK(vault.vault.read(taken) == "something else\n");
  CHECK(vault.files().size() == 4);
}

TEST_CASE("Hostile names land as data") {
  const std::string hostile = GENERATE(as<std::string>(),
                                       "../../etc/passwd",
                                       "a\nkind: manifest\nb",
                                       "\"quoted\": {x: [1, 2]} # comment",
                                       "[[memory/x.md]] | # heading `code`",
                                       "---\n...\n---",
                                       "\x1b[31mred\x07",
                                       "<script>alert(1)</script>",
                                       "&anchor *alias !tag",
                                       "\xE2\x80\xAEgnp.exe");
  CaptureVault vault;
  auto request = CaptureVault::request(hostile);
  request.session.project = hostile;
  request.session.harness = hostile;
  request.session.session_key = hostile + " key";
  request.error = hostile;
  const auto result = vault.end(request);
  CHECK(vault.files().size() == 3);
  for (const std::string& path : result.paths()) {
    CHECK(path.find("..") == std::string::npos);
    CHECK(std::filesystem::path(path).parent_path() == "memory");
    const auto fields = frontmatter(vault.vault.read(path));
    CHECK(fields["kind"].as<std::string>() != hostile);
    CHECK(fields["agent_id"].as<std::string>() == "default");
  }
  vault.vault.reindex();
  for (const std::string& path : result.paths()) {
    INFO(vault.vault.messages(path));
    CHECK(vault.vault.codes(path).empty());
  }
}

TEST_CASE("Text of a summary makes no links among canonical files") {
  CaptureVault vault;
  auto request = CaptureVault::request("run-1");
  request.summary =
      "# Links\n\nSee [[memory/2026-01-01T00-00-00.000Z--aaaaaaaaaaaaaaaa--summary.md]] and "
      "![[../../x]] and [[Note|label]] in src/tide.cpp, but not `[[ -f x ]]`.\n";
  const auto result = vault.end(request);
  vault.vault.reindex();
  CHECK(vault.vault.codes(result.summary_path).empty());
  CHECK(vault.vault.read(result.summary_path).find("aaaaaaaaaaaaaaaa") != std::string::npos);
}

TEST_CASE("What cannot be meant is refused, and nothing is written") {
  CaptureVault vault;
  const auto refused = [&vault](const capture::SessionEnd& request, const std::string& word) {
    const auto result = vault.try_end(request);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::usage);
    CHECK(result.error().message.find(word) != std::string::npos);
    CHECK_FALSE(result.error().hint.empty());
  };
  refused(CaptureVault::request(""), "session_id");
  refused(CaptureVault::request(std::string(600, 'x')), "session_id");
  auto request = CaptureVault::request("run-1");
  request.session.agent_id = "a/b";
  refused(request, "agent_id");
  request = CaptureVault::request("run-1");
  request.session.idempotency_key = "a\nb";
  refused(request, "idempotency_key");
  request = CaptureVault::request("run-1");
  request.session.started_at = lineage::Timestamp{2000};
  request.session.ended_at = lineage::Timestamp{1000};
  refused(request, "ended_at");
  CHECK(vault.end(CaptureVault::request("run-1", "\n \n")).deed == CaptureDeed::nothing_said);
  request = CaptureVault::request("run-1", "");
  request.summary = " \n";
  CHECK(vault.end(request).deed == CaptureDeed::nothing_said);
  CHECK(vault.files().empty());
  CHECK(vault.spooled() == 0);
}

TEST_CASE("A removed session is not captured again, by whichever token it was removed") {
  CaptureVault vault;
  vault.end(CaptureVault::request("run-1"));
  vault.vault.reindex();
  vault.vault.remove_session("run-1");
  const auto before = vault.files();
  auto request = CaptureVault::request("run-1", "User: quite another text about src/other.cpp\n");
  CHECK(vault.end(request).deed == CaptureDeed::session_removed);
  CHECK(vault.try_compact("run-1", "Text about src/tide.cpp")->deed ==
        CaptureDeed::session_removed);

  SECTION("also when the tombstone's copy is lost") {
    for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
      vault.vault.delete_state_file(name);
    }
    CHECK(vault.end(request).deed == CaptureDeed::session_removed);
  }
  SECTION("also when the tombstone's file is lost") {
    for (const auto& [path, bytes] : before) {
      vault.vault.unlink(path);
    }
    CHECK(vault.end(request).deed == CaptureDeed::session_removed);
    CHECK(vault.files().empty());
    return;
  }
  SECTION("nor is its text, under another name") {
    auto renamed = CaptureVault::request("run-2");
    CHECK(vault.end(renamed).deed == CaptureDeed::session_removed);
  }
  CHECK(vault.files() == before);
  CHECK(vault.spooled() == 0);
}

TEST_CASE("Bytes that are no UTF-8 are replaced, counted and do not lose the session") {
  CaptureVault vault;
  const auto result =
      vault.end(CaptureVault::request("run-1", "User: broken \xff\xfe bytes in src/tide.cpp\n"));
  CHECK(result.replaced_bytes == 2);
  vault.vault.reindex();
  CHECK(vault.vault.codes(result.transcript_path).empty());
}

namespace {

/// A session file of Claude Code with one call of a tool.
std::string call_of_bash(const std::string& command) {
  return R"({"type":"user","sessionId":"s","message":{"role":"user","content":"Run it in src/tide.cpp."}})"
         "\n"
         R"({"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":")" +
         command + R"("}}]}})" + "\n";
}

}  // namespace

TEST_CASE("A secret is redacted wherever a text is cut") {
  const std::string secret = "ghp_" + std::string("aZ3kQ9wXv7LpT2mNb8RcY4dF6hJ1sG5uE0iO");
  const auto leaks = [&secret](const std::string& text) {
    for (std::size_t at = 4; at + 8 <= secret.size(); ++at) {
      if (text.find(secret.substr(at, 8)) != std::string::npos) {
        return true;
      }
    }
    return false;
  };
  const std::size_t before = GENERATE(80U, 100U, 112U, 118U, 4'060U, 4'090U);
  CaptureVault vault;
  const auto result = vault.end(CaptureVault::request(
      "run-1", call_of_bash("echo " + std::string(before, 'x') + " " + secret)));
  for (const auto& [path, bytes] : vault.files()) {
    INFO(path);
    CHECK_FALSE(leaks(bytes));
  }
  // The request is kept to its first 16 KiB: once in words, once behind a key that vanishes.
  const std::size_t bound = 16 * 1024;
  for (const std::size_t shift : {10U, 25U, 39U}) {
    const std::string key = "-----BEGIN RSA PRIVATE KEY-----\\n" + std::string(bound - 200, 'A') +
                            "\\n-----END RSA PRIVATE KEY-----\\n";
    for (const std::string& filler : {std::string(bound, 'w'), key}) {
      const std::size_t raw = filler == key ? filler.size() - 3 : filler.size();
      const std::string text =
          filler.substr(0, filler == key ? filler.size() : bound - shift - 1) +
          std::string(filler == key && raw + shift < bound ? bound - raw - shift - 1 : 0, 'y') +
          " " + secret + " and the rest in src/tide.cpp";
      const auto taken = vault.end(CaptureVault::request(
          "run-" + std::to_string(shift) + (filler == key ? "k" : "w"),
          R"({"type":"user","sessionId":"s","message":{"role":"user","content":")" + text +
              R"("}})" + "\n"));
      CHECK_FALSE(leaks(vault.vault.read(taken.summary_path)));
      CHECK_FALSE(leaks(vault.vault.read(taken.transcript_path)));
    }
  }
}

TEST_CASE("A summary that was made here of the same few facts is no removed text") {
  CaptureVault vault;
  vault.end(CaptureVault::request("run-1", "User: mend src/tide.cpp\n\nAssistant: done\n"));
  vault.vault.reindex();
  vault.vault.remove_session("run-1");
  const auto other = vault.end(CaptureVault::request(
      "run-2", "User: mend src/tide.cpp\n\nAssistant: hm\n\nUser: go on\n\nAssistant: done\n"));
  CHECK(other.deed == CaptureDeed::captured);
}

TEST_CASE("A receipt of files that are gone is no session") {
  CaptureVault vault;
  const auto first = vault.end(CaptureVault::request("run-1"));
  for (const std::string& path : first.paths()) {
    vault.vault.unlink(path);
  }
  const auto again = vault.end(CaptureVault::request("run-1"));
  CHECK(again.deed == CaptureDeed::captured);
  CHECK(vault.files().size() == 3);
}

TEST_CASE("What a capture has added since a removal was planned goes with it") {
  CaptureVault vault;
  vault.end(CaptureVault::request("run-1"));
  vault.vault.reindex();
  auto decisions = vault.vault.decisions();
  const auto plan =
      decisions.plan_removal({capture::RemovalTarget::By::session, "run-1", "default"}, "asked");
  REQUIRE(plan);
  vault.now += 1000;
  vault.end(CaptureVault::request("run-1", std::string(test::kSaid) + "\nUser: more?\n"));
  REQUIRE(decisions.remove(*plan));
  CHECK(vault.files().size() == 1);  // the tombstone
}

TEST_CASE("Only a file that is too old for a full list of earlier files may be missing from it") {
  CaptureVault vault;
  const auto first = vault.compact("run-1", "First text about src/tide.cpp\n");
  vault.now += 3'600'000;
  const auto second = vault.compact("run-1", "Second text about src/tide.cpp\n");
  const bool full = GENERATE(true, false);
  std::string lines;
  for (std::size_t i = 1; i < lineage::kMostEarlierPaths + (full ? 1 : 0); ++i) {
    const auto time = lineage::Timestamp{first.captured_at.ms + static_cast<std::int64_t>(i)};
    const auto token = lineage::SessionToken::derive("default", "run-1");
    lines += "  - \"memory/" +
             to_string(lineage::ArtifactName{token, time, lineage::Kind::compaction}) + "\"\n";
  }
  std::string manifest = vault.vault.read(second.manifest_path);
  const std::string listed = "  - \"" + first.compaction_path + "\"\n";
  REQUIRE(manifest.find(listed) != std::string::npos);
  manifest.replace(manifest.find(listed), listed.size(), lines);
  vault.vault.write(second.manifest_path, manifest);
  vault.now += 1000;
  vault.vault.set_now(vault.now);
  vault.vault.reindex();
  INFO(vault.vault.messages(first.compaction_path));
  CHECK(vault.vault.codes(first.compaction_path).empty() == full);
}

// SPDX-License-Identifier: MIT
#include "daybook/canon/manifest_writer.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace daybook::canon {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;
using support::SessionFiles;
using support::TempFolder;

const lineage::Timestamp kNow = lineage::parse_timestamp("2026-04-01T08:00:00.000Z").value();
const std::string kCompaction = "memory/2026-03-29T00-00-00.000Z--aaaaaaaaaaaaaaaa--compaction.md";

SessionFiles session() { return {"default", "key-1", "2026-03-28T22:34:06.792Z"}; }

FilePlace place_of(const TempFolder& folder,
                   const SessionFiles& files,
                   Kind kind = Kind::manifest) {
  return {folder.at("vault"), files.file(kind).path(), folder.at("locks")};
}

std::string bytes_of(const TempFolder& folder, const FilePlace& place) {
  return folder.read("vault/" + place.path);
}

lineage::Manifest manifest_in(const std::string& bytes, const SessionFiles& files) {
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  REQUIRE(parse::read_frontmatter(parse::split_file(bytes).yaml, fields, diagnostics));
  const std::string name = files.file_name(Kind::manifest);
  const auto record = parse::read_record(fields, lineage::read_artifact_name(name), diagnostics);
  CHECK(diagnostics.empty());
  return std::get<lineage::Manifest>(record);
}

ManifestEdit late_compaction(const lineage::Manifest&) {
  return ManifestEdit().set_text("compaction_path", kCompaction);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// Files of the vault that are neither what the session wrote nor expected here.
std::vector<std::string> names_in(const TempFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.at("vault/memory"))) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("allows late compaction_path updates only in manifest") {
  const TempFolder folder;
  SessionFiles files = session();
  files.compaction.present = true;
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  const auto outcome = update_manifest(base::real_disk(), place, kNow, late_compaction);
  REQUIRE(outcome.ok());
  CHECK(outcome->write == ManifestWrite::written);
  CHECK(outcome->revision == 2);
  const std::string bytes = bytes_of(folder, place);
  CHECK(outcome->sha256 == base::sha256(bytes));
  const lineage::Manifest manifest = manifest_in(bytes, files);
  CHECK(manifest.compaction.path->path == kCompaction);
  CHECK(manifest.revision == 2);
  CHECK(manifest.updated_at == kNow);

  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction}) {
    const FilePlace immutable = place_of(folder, files, kind);
    const std::string before = bytes_of(folder, immutable);
    const auto refused = update_manifest(base::real_disk(), immutable, kNow, late_compaction);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::usage);
    CHECK(bytes_of(folder, immutable) == before);
  }
}

TEST_CASE("a manifest keeps every byte that is not to be changed") {
  const TempFolder folder;
  SessionFiles files = session();
  files.manifest.extra_frontmatter =
      "# mine\nsummary_status: 'done'  # by hand\ntags: [a, \"b\"]\nnote: |\n  two\n  lines\n";
  files.manifest.body = "\n# Notes\n\nTrailing blanks  \n\n\n";
  std::string before = "\xEF\xBB\xBF" + files.text(Kind::manifest);
  for (std::size_t at = before.find('\n'); at != std::string::npos;
       at = before.find('\n', at + 2)) {
    before.insert(at, 1, '\r');
  }
  files.manifest.bytes = before;
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  REQUIRE(update_manifest(base::real_disk(), place, kNow, [](const auto&) {
            return ManifestEdit().set_list("memory_md_refs", {"a", "b"});
          }).ok());
  std::string expected = replaced(
      before, "  - \"MEMORY.md#Session Ledger (Last 30 Days)\"\r\n", "  - \"a\"\r\n  - \"b\"\r\n");
  expected = replaced(expected,
                      "updated_at: \"2026-03-28T22:34:06.792Z\"",
                      "updated_at: \"2026-04-01T08:00:00.000Z\"");
  expected = replaced(expected, "revision: 1\r\n", "revision: 2\r\n");
  CHECK(bytes_of(folder, place) == expected);
}

TEST_CASE("a manifest without revision gets one") {
  const TempFolder folder;
  SessionFiles files = session();
  files.manifest.fields.remove("revision");
  files.write(folder, "vault");
  const auto outcome =
      update_manifest(base::real_disk(), place_of(folder, files), kNow, late_compaction);
  REQUIRE(outcome.ok());
  CHECK(outcome->revision == 1);
  CHECK(manifest_in(bytes_of(folder, place_of(folder, files)), files).revision == 1);
}

TEST_CASE("no wanted change is no write") {
  const TempFolder folder;
  const SessionFiles files = session();
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  const std::string before = bytes_of(folder, place);
  struct stat known {};
  REQUIRE(::stat(folder.at("vault/" + place.path).c_str(), &known) == 0);
  for (const ManifestEdit& edit :
       {ManifestEdit(),
        ManifestEdit().set_text("compaction_path", std::nullopt),
        ManifestEdit().set_list("memory_md_refs", {"MEMORY.md#Session Ledger (Last 30 Days)"}),
        ManifestEdit().set_text("revision", "99").set_text("updated_at", "never")}) {
    const auto outcome = update_manifest(
        base::real_disk(), place, kNow, [&edit](const lineage::Manifest&) { return edit; });
    REQUIRE(outcome.ok());
    CHECK(outcome->write == ManifestWrite::unchanged);
    CHECK(outcome->revision == 1);
    CHECK(outcome->sha256 == base::sha256(before));
  }
  struct stat after {};
  REQUIRE(::stat(folder.at("vault/" + place.path).c_str(), &after) == 0);
  CHECK(after.st_ino == known.st_ino);
  CHECK(bytes_of(folder, place) == before);
}

TEST_CASE("a person's edit in between is not overwritten") {
  const TempFolder folder;
  const SessionFiles files = session();
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  int calls = 0;
  const auto outcome =
      update_manifest(base::real_disk(), place, kNow, [&](const lineage::Manifest& manifest) {
        if (++calls == 1) {  // Obsidian saves, and knows no lock
          folder.write("vault/" + place.path, bytes_of(folder, place) + "\nA person's line.\n");
        }
        return late_compaction(manifest);
      });
  REQUIRE(outcome.ok());
  CHECK(calls == 2);
  const std::string bytes = bytes_of(folder, place);
  CHECK(bytes.ends_with("\nA person's line.\n"));
  CHECK(manifest_in(bytes, files).compaction.path->path == kCompaction);
  CHECK(names_in(folder).size() == 3);  // no temporary is left
}

TEST_CASE("a file that never rests is left to its editor in the end") {
  const TempFolder folder;
  const SessionFiles files = session();
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  int calls = 0;
  const auto outcome =
      update_manifest(base::real_disk(), place, kNow, [&](const lineage::Manifest& manifest) {
        ++calls;
        folder.write("vault/" + place.path, bytes_of(folder, place) + "x");
        return late_compaction(manifest);
      });
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::busy);
  CHECK(calls > 1);
  CHECK(bytes_of(folder, place) ==
        files.text(Kind::manifest) + std::string(static_cast<std::size_t>(calls), 'x'));
  CHECK(names_in(folder).size() == 3);
}

TEST_CASE("a manifest that is a link or lies behind one is refused") {
  const TempFolder folder;
  const SessionFiles files = session();
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  const std::string outside = folder.at("outside.md");
  fs::rename(folder.at("vault/" + place.path), outside);
  folder.make_link("vault/" + place.path, outside);
  const std::string before = folder.read("outside.md");
  const auto outcome = update_manifest(base::real_disk(), place, kNow, late_compaction);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::not_regular);
  CHECK(fs::is_symlink(folder.at("vault/" + place.path)));
  CHECK(folder.read("outside.md") == before);

  fs::remove(folder.at("vault/" + place.path));
  fs::rename(outside, folder.at("vault/" + place.path));
  fs::rename(folder.at("vault/memory"), folder.at("elsewhere"));
  folder.make_link("vault/memory", folder.at("elsewhere"));
  CHECK_FALSE(update_manifest(base::real_disk(), place, kNow, late_compaction).ok());
}

TEST_CASE("a manifest that is not valid or cannot be edited is refused and stays") {
  const auto refused = [](const std::function<void(SessionFiles&)>& spoil) {
    const TempFolder folder;
    SessionFiles files = session();
    spoil(files);
    files.write(folder, "vault");
    const FilePlace place = place_of(folder, files);
    const std::string before = bytes_of(folder, place);
    const auto outcome = update_manifest(base::real_disk(), place, kNow, late_compaction);
    REQUIRE_FALSE(outcome.ok());
    CHECK(outcome.error().kind == ErrorKind::damaged);
    CHECK(outcome.error().path == place.path);
    CHECK_FALSE(outcome.error().hint.empty());
    CHECK(bytes_of(folder, place) == before);
  };
  refused([](SessionFiles& files) { files.manifest.bytes = "no frontmatter\n"; });
  refused([](SessionFiles& files) { files.manifest.fields.set("kind", "\"summary\""); });
  refused([](SessionFiles& files) { files.manifest.fields.set("agent_id", "\"a:b\""); });
  refused([](SessionFiles& files) { files.manifest.fields.set("compaction_path", ">-\n  x"); });
  refused([](SessionFiles& files) { files.manifest.extra_frontmatter = "revision: 2\n"; });
  refused([](SessionFiles& files) { files.manifest.fields.set("revision", "9007199254740991"); });
}

TEST_CASE("a missing manifest is not found") {
  const TempFolder folder;
  SessionFiles files = session();
  files.manifest.present = false;
  files.write(folder, "vault");
  const FilePlace place{
      folder.at("vault"), "memory/" + files.file_name(Kind::manifest), folder.at("locks")};
  const auto outcome = update_manifest(base::real_disk(), place, kNow, late_compaction);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::not_found);
}

TEST_CASE("a private manifest stays private") {
  const TempFolder folder;
  const SessionFiles files = session();
  files.write(folder, "vault");
  const std::string file = folder.at("vault/" + files.manifest.path());
  REQUIRE(::chmod(file.c_str(), 0600) == 0);
  REQUIRE(update_manifest(base::real_disk(), place_of(folder, files), kNow, late_compaction).ok());
  struct stat known {};
  REQUIRE(::stat(file.c_str(), &known) == 0);
  CHECK((known.st_mode & 0777U) == 0600U);
}

TEST_CASE("eight processes lose no update of one manifest") {
  constexpr int kProcesses = 8;
  constexpr int kUpdates = 12;
  const TempFolder folder;
  const SessionFiles files = session();
  files.write(folder, "vault");
  const FilePlace place = place_of(folder, files);
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::alarm(60);
      bool done = true;
      for (int update = 0; update < kUpdates && done; ++update) {
        const std::string mark = std::to_string(process) + "/" + std::to_string(update);
        const auto outcome =
            update_manifest(base::real_disk(), place, kNow, [&mark](const auto& manifest) {
              std::vector<std::string> refs = manifest.memory_md_refs;
              refs.push_back(mark);
              return ManifestEdit().set_list("memory_md_refs", refs);
            });
        done = outcome.ok() && outcome->write == ManifestWrite::written;
      }
      ::_exit(done ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  const lineage::Manifest manifest = manifest_in(bytes_of(folder, place), files);
  CHECK(manifest.revision == 1 + kProcesses * kUpdates);
  CHECK(manifest.memory_md_refs.size() == 1 + kProcesses * kUpdates);
  for (int process = 0; process < kProcesses; ++process) {
    for (int update = 0; update < kUpdates; ++update) {
      const std::string mark = std::to_string(process) + "/" + std::to_string(update);
      CHECK(std::count(manifest.memory_md_refs.begin(), manifest.memory_md_refs.end(), mark) == 1);
    }
  }
}

}  // namespace daybook::canon

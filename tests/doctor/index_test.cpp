// SPDX-License-Identifier: MIT
//
// What the doctor says of the index, its databases and the notes, and what a pass mends of it.
#include "daybook/state/state_db.hpp"
#include "doctor/patient.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using doctor::Depth;
using support::SessionFiles;

/// The real disk, on which nothing tells that a file was changed but its size and its bytes.
class TimelessDisk final : public base::Disk {
 public:
  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return wrapped(base::real_disk().open_root(path));
  }

 private:
  static base::FileStat timeless(base::FileStat stat) {
    stat.mtime_ns = 1'700'000'000'000'000'000;
    stat.ctime_ns = stat.mtime_ns;
    stat.inode = 1;
    return stat;
  }

  class TimelessFile final : public base::File {
   public:
    explicit TimelessFile(std::unique_ptr<base::File> file) : file_(std::move(file)) {}
    Result<base::FileStat> stat() override {
      TRY_ASSIGN(const base::FileStat stat, file_->stat());
      return timeless(stat);
    }
    Result<std::size_t> read(std::span<char> into) override { return file_->read(into); }

   private:
    std::unique_ptr<base::File> file_;
  };

  class TimelessFolder final : public base::Folder {
   public:
    explicit TimelessFolder(std::unique_ptr<base::Folder> folder) : folder_(std::move(folder)) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override {
      TRY_ASSIGN(const base::FileStat stat, folder_->stat(name));
      return timeless(stat);
    }
    Result<std::unique_ptr<base::Folder>> open_folder(const std::string& name) override {
      return wrapped(folder_->open_folder(name));
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      TRY_ASSIGN(auto file, folder_->open_file(name));
      return std::unique_ptr<base::File>(std::make_unique<TimelessFile>(std::move(file)));
    }

   private:
    std::unique_ptr<base::Folder> folder_;
  };

  static Result<std::unique_ptr<base::Folder>> wrapped(
      Result<std::unique_ptr<base::Folder>> opened) {
    if (!opened) {
      return opened;
    }
    return std::unique_ptr<base::Folder>(
        std::make_unique<TimelessFolder>(std::move(opened).value()));
  }
};

/// Overwrites the beginning of the last page, as a disk that fails does.
void spoil_last_page(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(file >= 0);
  const std::string noise(64, '\xA5');
  const auto end = static_cast<off_t>(fs::file_size(path));
  REQUIRE(end > 8192);
  const off_t page = path.find("index.db") != std::string::npos ? 8192 : 4096;
  CHECK(::pwrite(file, noise.data(), noise.size(), end - page) == 64);
  ::close(file);
}

/// Everything in the file itself, nothing in its -wal.
void checkpoint(const std::string& path) {
  auto database = store::Database::open(path, {store::Access::read_write, 1000});
  REQUIRE(database);
  REQUIRE(database->checkpoint());
}

}  // namespace

TEST_CASE("an index that is missing, unreadable or stale is told and made by the cure") {
  Patient patient;
  patient.settle();
  const auto spoil = [&patient](const std::string& how) {
    if (how == "index-missing") {
      patient.vault.delete_state_file("index.db");
    } else if (how == "index-damaged") {
      patient.vault.delete_state_file("index.db");
      patient.vault.place().write("state/index.db", std::string(8192, 'x'));
      ::chmod(patient.vault.place().at("state/index.db").c_str(), 0600);
    } else {
      patient.vault.add(SessionFiles("default", "new", "2026-03-29T22:34:06.792Z"));
    }
  };
  for (const char* reason : {"index-missing", "index-damaged", "index-stale"}) {
    INFO(reason);
    spoil(reason);
    const auto report = patient.examine();
    CHECK(problems(report) == Names{reason});
    const auto before = tree_of(patient.vault.at("memory"));
    const auto treatment = patient.treat();
    CHECK_FALSE(treatment.problem);
    CHECK(treatment.report.ok());
    CHECK(fixed(treatment.report) == Names{reason});
    CHECK(tree_of(patient.vault.at("memory")) == before);
    CHECK(problems(patient.examine(Depth::everything)).empty());
  }
}

TEST_CASE("what status finds is told under the same name, and mended where a pass does it") {
  Patient patient;
  patient.settle();
  REQUIRE(patient.vault.open_state().put_meta(state::kErasurePending, "1"));
  CHECK(problems(patient.examine()) == Names{"erasure-pending"});
  CHECK(fixed(patient.treat().report) == Names{"erasure-pending"});
  patient.vault.unlink("MEMORY.md");
  CHECK(problems(patient.examine()) == Names{"memory-md-differs"});
  CHECK(fixed(patient.treat().report) == Names{"memory-md-differs"});
  CHECK(patient.vault.exists("MEMORY.md"));
  patient.vault.delete_state_file("state.db");
  CHECK(problems(patient.examine()) == Names{"state-missing"});
  CHECK(fixed(patient.treat().report) == Names{"state-missing"});
}

TEST_CASE("a device that does not publish is not blamed for a MEMORY.md that differs") {
  Patient patient;
  patient.settle();
  patient.vault.unlink("MEMORY.md");
  patient.vault.write("daybook.yaml", "publisher: abcdefghijklmnop\n");
  CHECK(problems(patient.examine()).empty());
}

TEST_CASE("a file that says something else than its row, with the same stat, is found") {
  Patient patient;
  TimelessDisk disk;
  const base::FixedClock clock = patient.vault.clock();
  service::WorkProgress progress;
  REQUIRE(service::Pipeline(disk, patient.vault.folder(), clock).run({}, progress));
  CHECK(doctor::examine(disk, clock, patient.request, progress).ok());
  const SessionFiles session("default", "gate", "2026-03-28T22:34:06.792Z");
  const std::string path = "memory/" + session.file_name(lineage::Kind::transcript);
  std::string text = patient.vault.read(path);
  text.back() = text.back() == '\n' ? ' ' : '\n';
  text[text.size() - 2] = '#';
  patient.vault.write(path, text);
  const auto report = doctor::examine(disk, clock, patient.request, progress);
  CHECK(problems(report) == Names{"index-differs"});
  CHECK(find(report, "index-differs")->paths == Names{path});
  const auto treatment = doctor::treat(disk, clock, patient.request, report, progress);
  CHECK_FALSE(treatment.problem);
  CHECK(fixed(treatment.report) == Names{"index-differs"});
  // Now it is known what it is: a record that was changed.
  CHECK(problems(treatment.report) == Names{"notes-invalid"});
  CHECK(patient.vault.read(path) == text);
}

TEST_CASE("two hundred files are compared, and all of them if that is wished") {
  Patient patient;
  support::write_sessions(patient.vault.place(), 70, "vault");
  patient.settle();
  CHECK(find(patient.examine(), "index-rows-ok")->message.starts_with("200 files"));
  CHECK(
      find(patient.examine(Depth::everything), "index-rows-ok")->message.starts_with("213 files"));
  service::WorkProgress progress;
  static_cast<void>(
      doctor::examine(patient.disk, patient.vault.clock(), patient.request, progress));
  CHECK(progress.files_total == 213);
  CHECK(progress.files_done == 213);
  CHECK(progress.bytes_done > 0);
}

TEST_CASE("damaged pages are found by a deep look, and what is derived is built anew") {
  Patient patient;
  support::write_sessions(patient.vault.place(), 70, "vault");
  patient.settle();
  checkpoint(patient.vault.folder().file("index.db"));
  spoil_last_page(patient.vault.folder().file("index.db"));
  auto report = patient.examine(Depth::everything);
  REQUIRE(find(report, "index-damaged") != nullptr);
  CHECK(find(report, "index-damaged")->remedy == doctor::Remedy::run_full_pass);
  auto treatment = patient.treat(Depth::everything);
  CHECK_FALSE(treatment.problem);
  CHECK(treatment.report.ok());
  const std::string month =
      (*fs::directory_iterator(patient.vault.folder().file("text"))).path().string();
  spoil_last_page(month);
  report = patient.examine(Depth::everything);
  CHECK(problems(report) == Names{"full-text-damaged"});
  treatment = patient.treat(Depth::everything);
  CHECK(treatment.report.ok());
  CHECK(fixed(treatment.report) == Names{"full-text-damaged"});
}

TEST_CASE("a damaged state.db is told and left where it is until the cure sets it aside") {
  Patient patient;
  patient.settle();
  const std::string path = patient.vault.folder().file("state.db");
  checkpoint(path);
  spoil_last_page(path);
  const std::string bytes = patient.vault.place().read("state/state.db");
  for (const Depth depth : {Depth::sample, Depth::everything}) {
    const auto report = patient.examine(depth);
    REQUIRE(find(report, "state-damaged") != nullptr);
    CHECK(find(report, "index-unknown") != nullptr);
  }
  CHECK(patient.vault.place().read("state/state.db") == bytes);
  const auto treatment = patient.treat();
  CHECK_FALSE(treatment.problem);
  CHECK(treatment.report.ok());
  REQUIRE(find(treatment.report, "set-aside-files") != nullptr);
  CHECK(fs::exists(path + ".set-aside-1"));
}

TEST_CASE("notes that need a person are told, and never touched") {
  Patient patient;
  patient.vault.add(SessionFiles("default", "second", "2026-03-27T22:34:06.792Z"));
  SessionFiles wrong("default", "wrong", "2026-03-26T22:34:06.792Z");
  wrong.summary.fields.set_text("content_sha256", std::string(64, '0'));
  patient.vault.add(wrong);
  patient.vault.write("memory/Plan.sync-conflict-20260328-223406-ABCDEFG.md", "a copy\n");
  patient.vault.place().make_link("vault/memory/link.md", patient.vault.at("MEMORY.md"));
  patient.settle();
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"notes-unreadable", "notes-invalid", "conflict-copies-found"});
  CHECK(find(report, "conflict-copies-found")->paths ==
        Names{"memory/Plan.sync-conflict-20260328-223406-ABCDEFG.md"});
  CHECK(find(report, "notes-invalid")->paths.front().find("checksum-mismatch") !=
        std::string::npos);
  CHECK(find(report, "notes-unreadable")->paths == Names{"memory/link.md"});
  const auto before = tree_of(patient.vault.workspace());
  const auto treatment = patient.treat();
  CHECK(treatment.deeds.empty());
  CHECK_FALSE(treatment.report.ok());
  CHECK(tree_of(patient.vault.workspace()) == before);
}

TEST_CASE("the budget of each agent is told, and when it is nearly or wholly used") {
  Patient patient;
  support::write_sessions(patient.vault.place(), 20, "vault");
  patient.vault.add(SessionFiles("other", "gate", "2026-03-28T22:34:06.792Z"));
  patient.settle();
  auto report = patient.examine();
  CHECK(std::count_if(report.findings.begin(), report.findings.end(), [](const auto& finding) {
          return finding.name == "budget-ok";
        }) == 2);
  patient.vault.write("daybook.yaml", "memory_md:\n  max_lines: 20\n");
  patient.settle();
  report = patient.examine();
  const auto* clipped = find(report, "budget-clipped");
  REQUIRE(clipped != nullptr);
  CHECK(clipped->severity == doctor::FindingSeverity::info);
  CHECK(clipped->message.find("of 20 lines") != std::string::npos);
  CHECK(report.ok());
}

TEST_CASE("a workspace that is not the root of its Obsidian vault is told with why it matters") {
  Patient patient;
  patient.settle();
  patient.vault.place().make_folder("vault/.obsidian");
  CHECK(patient.examine().ok());
  fs::rename(patient.vault.at(".obsidian"), patient.vault.place().at(".obsidian"));
  auto report = patient.examine();
  CHECK(problems(report) == Names{"obsidian-root-elsewhere"});
  CHECK(find(report, "obsidian-root-elsewhere")->message.find("same folder") != std::string::npos);
  patient.vault.place().make_folder("vault/notes");
  fs::rename(patient.vault.place().at(".obsidian"), patient.vault.at("notes/.obsidian"));
  report = patient.examine();
  REQUIRE(find(report, "obsidian-root-elsewhere") != nullptr);
  CHECK(find(report, "obsidian-root-elsewhere")->paths.front().ends_with("vault/notes"));
}

}  // namespace daybook::test

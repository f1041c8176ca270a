// SPDX-License-Identifier: MIT
//
// What killed processes leave is found and removed; what anybody else has made, or somebody still
// writes, is not.
#include "daybook/base/atomic_file.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "doctor/patient.hpp"
#include "support/child.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

const std::string kTemporary = ".daybook-abcdefghijklmnop.tmp";

/// As a process leaves it that is killed while it writes there.
void leave_temporary(const std::string& folder) {
  const auto outcome = support::run_in_child([&folder]() -> std::string {
    auto file = base::AtomicFile::create(folder + "/note.md", 0600);
    if (file && file->write("half")) {
      ::kill(::getpid(), SIGKILL);
    }
    return "survived";
  });
  REQUIRE(outcome.signal == SIGKILL);
}

std::size_t count_temporaries(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    count += base::is_temporary_name(name) || name.find(".new") != std::string::npos ? 1U : 0U;
  }
  return count;
}

void write_private(const Patient& patient, const std::string& name) {
  patient.vault.place().write(name, "half");
  fs::permissions(patient.vault.place().at(name), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace

TEST_CASE("temporaries of killed writers are found wherever Daybook writes, and removed at once") {
  Patient patient;
  patient.settle();
  for (const char* folder : {"vault/memory/deep/er", "vault/agents/other", "state/replaced"}) {
    patient.vault.place().make_folder(folder);
  }
  fs::permissions(patient.vault.place().at("state/replaced"), fs::perms::owner_all);
  for (const char* folder : {"vault",
                             "vault/memory",
                             "vault/memory/deep/er",
                             "vault/agents/other",
                             "state",
                             "state/replaced"}) {
    leave_temporary(patient.vault.place().at(folder));
  }
  const auto report = patient.examine();
  CHECK(problems(report) == Names{"leftovers-found"});
  CHECK(find(report, "leftovers-found")->paths.size() == 6);
  CHECK(count_temporaries(patient.vault.place().path()) == 6);
  const auto treatment = patient.treat();
  CHECK_FALSE(treatment.problem);
  CHECK(treatment.deeds.size() == 6);
  CHECK(fixed(treatment.report) == Names{"leftovers-found"});
  CHECK(count_temporaries(patient.vault.place().path()) == 0);
  CHECK(problems(patient.examine()).empty());
}

TEST_CASE("what is being written, and what is not ours, is no leftover") {
  Patient patient;
  patient.settle();
  auto writing = base::AtomicFile::create(patient.vault.at("memory/new.md"));
  REQUIRE(writing);
  patient.vault.write("notes/" + kTemporary, "not where Daybook writes");
  patient.vault.write("memory/.hidden/" + kTemporary, "nor here");
  patient.vault.write("memory/.daybook-short.tmp", "not such a name");
  patient.vault.write("memory/draft.db.new", "a person's file");
  patient.vault.place().make_link("vault/memory/" + kTemporary, patient.vault.at("MEMORY.md"));
  CHECK(patient.examine().ok());
  CHECK(patient.treat().deeds.empty());
  REQUIRE(writing->write("a note\n"));
  REQUIRE(writing->commit(base::IfExists::keep));
  CHECK(patient.vault.read("memory/new.md") == "a note\n");
  CHECK(patient.vault.exists("memory/draft.db.new"));
}

TEST_CASE("databases that were never finished are removed, and nothing beside them") {
  Patient patient;
  patient.settle();
  for (const char* name : {"state/index.db.new",
                           "state/index.db.new-journal",
                           "state/text/2026-03.7.db.new",
                           "state/text/2026-03.7.db.new-journal"}) {
    write_private(patient, name);
  }
  const auto before = tree_of(patient.vault.at("memory"));
  CHECK(find(patient.examine(), "leftovers-found")->paths.size() == 4);
  const auto treatment = patient.treat();
  CHECK(treatment.report.ok());
  CHECK(count_temporaries(patient.request.state_path) == 0);
  CHECK(tree_of(patient.vault.at("memory")) == before);
  CHECK(patient.vault.degraded().empty());
}

TEST_CASE("beside a pass nothing of its work is taken for a leftover, and the cure waits for it") {
  Patient patient;
  patient.settle();
  write_private(patient, "state/index.db.new");
  leave_temporary(patient.vault.at("memory"));
  const auto lock =
      state::PipelineLock::acquire(patient.vault.folder(), {"daybook reindex", {0}, {}});
  REQUIRE(lock);
  const auto report = patient.examine();
  CHECK(find(report, "lock-held") != nullptr);
  REQUIRE(find(report, "leftovers-found") != nullptr);
  CHECK(find(report, "leftovers-found")->paths.size() == 1);
  const auto treatment = patient.treat();
  REQUIRE(treatment.problem);
  CHECK(treatment.problem->kind == ErrorKind::busy);
  CHECK(treatment.problem->message.find("daybook reindex") != std::string::npos);
  CHECK(fs::exists(patient.vault.folder().file("index.db.new")));
}

TEST_CASE("the note of a holder that is gone is cleared") {
  Patient patient;
  patient.settle();
  write_private(patient, "state/pipeline.lock");
  const auto report = patient.examine();
  CHECK(report.ok());
  REQUIRE(find(report, "lock-note-left") != nullptr);
  CHECK(find(report, "lock-note-left")->severity == doctor::FindingSeverity::info);
  const auto treatment = patient.treat();
  CHECK(fixed(treatment.report) == Names{"lock-note-left"});
  CHECK(patient.vault.place().read("state/pipeline.lock").empty());
  CHECK(find(patient.examine(), "locks-ok") != nullptr);
}

TEST_CASE("old derived databases that were set aside go; young ones and state.db stay") {
  Patient patient;
  patient.settle();
  write_private(patient, "state/index.db.set-aside-1");
  write_private(patient, "state/state.db.set-aside-1");
  auto report = patient.examine();
  CHECK(report.ok());
  REQUIRE(find(report, "set-aside-files") != nullptr);
  CHECK(find(report, "set-aside-files")->paths.size() == 2);
  patient.request.system.wall_clock_ms += 2LL * 60 * 60 * 1000;
  report = patient.examine();
  CHECK(problems(report) == Names{"leftovers-found"});
  CHECK(patient.treat().report.ok());
  CHECK_FALSE(fs::exists(patient.vault.folder().file("index.db.set-aside-1")));
  CHECK(fs::exists(patient.vault.folder().file("state.db.set-aside-1")));
}

TEST_CASE("without a state folder the vault's leftovers are removed all the same") {
  Patient patient;
  patient.request.state_path = patient.vault.place().at("nowhere");
  leave_temporary(patient.vault.at("memory"));
  const auto treatment = patient.treat();
  CHECK_FALSE(treatment.problem);
  CHECK(fixed(treatment.report) == Names{"never-indexed", "leftovers-found"});
  CHECK(count_temporaries(patient.vault.workspace()) == 0);
}

}  // namespace daybook::test

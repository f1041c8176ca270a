// SPDX-License-Identifier: MIT
//
// What the doctor says of the machine: inotify, room on the disks, the clock.
#include "doctor/patient.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::test {
namespace {

doctor::DiskSpace space(std::uint64_t bytes, std::optional<std::uint64_t> inodes) {
  return {bytes, inodes};
}

/// The first number in a sentence.
int number_in(const std::string& text) {
  return std::stoi(text.substr(text.find_first_of("0123456789")));
}

}  // namespace

TEST_CASE("on a healthy machine every check says so, and looking changes nothing") {
  Patient patient;
  patient.settle();
  static_cast<void>(patient.examine());  // opening a database may make its -wal
  const auto before = tree_of(patient.vault.place().path());
  const auto report = patient.examine(doctor::Depth::everything);
  CHECK(problems(report).empty());
  CHECK(report.ok());
  CHECK(report.indexed);
  CHECK(tree_of(patient.vault.place().path()) == before);
  for (const auto& finding : report.findings) {
    INFO(finding.name);
    CHECK(finding.severity == doctor::FindingSeverity::ok);
    CHECK(finding.name == finding.check + "-ok");
    CHECK_FALSE(finding.message.empty());
  }
  CHECK(patient.treat().deeds.empty());
}

TEST_CASE("watches that would not be enough are told, with the command that raises the limit") {
  Patient patient;
  patient.limit("max_user_watches", 100);
  patient.add_process(41, "editor", 60);
  patient.add_process(42, "browser", 20);
  auto report = patient.examine();
  REQUIRE(find(report, "inotify-watches-ok") != nullptr);
  CHECK(find(report, "inotify-watches-ok")->message.starts_with("80 of 100 watches"));
  for (int folder = 0; folder < 12; ++folder) {
    patient.vault.place().make_folder("vault/memory/f" + std::to_string(folder));
  }
  report = patient.examine();
  const auto* low = find(report, "inotify-watches-low");
  REQUIRE(low != nullptr);
  CHECK(low->severity == doctor::FindingSeverity::warning);
  CHECK(low->hint.find("fs.inotify.max_user_watches=524288") != std::string::npos);
  CHECK(low->remedy == doctor::Remedy::none);
  // A service that runs already has its watches: they are not needed once more.
  std::filesystem::remove_all(patient.vault.place().at("proc/42"));
  patient.add_process(43, "daybook", 13);
  CHECK(find(patient.examine(), "inotify-watches-ok") != nullptr);
}

TEST_CASE("only processes of this user count, and instances run out by themselves") {
  Patient patient;
  patient.add_process(41, "editor", 3);
  patient.limit("max_user_instances", 2);
  CHECK(find(patient.examine(), "inotify-instances-low") != nullptr);
  patient.add_process(42, "daybook", 1);
  CHECK(find(patient.examine(), "inotify-instances-low") == nullptr);
  patient.request.system.user += 1;
  const auto report = patient.examine();
  REQUIRE(find(report, "inotify-watches-ok") != nullptr);
  CHECK(find(report, "inotify-watches-ok")->message.starts_with("0 of 8192 watches"));
}

TEST_CASE("a process that ends while it is looked at ends no examination") {
  Patient patient;
  patient.add_process(41, "editor", 3);
  // As the kernel answers then: the file is open, and reading it fails.
  std::filesystem::remove(patient.vault.place().at("proc/41/comm"));
  std::filesystem::create_directory(patient.vault.place().at("proc/41/comm"));
  const auto report = patient.examine();
  REQUIRE(find(report, "inotify-watches-ok") != nullptr);
  CHECK(find(report, "inotify-watches-ok")->message.starts_with("3 of 8192 watches"));
}

TEST_CASE("a small queue is an info, and limits that cannot be read are no problem") {
  Patient patient;
  patient.settle();
  patient.limit("max_queued_events", 512);
  auto report = patient.examine();
  REQUIRE(find(report, "inotify-queue-small") != nullptr);
  CHECK(find(report, "inotify-queue-small")->severity == doctor::FindingSeverity::info);
  patient.request.system.proc = patient.vault.place().at("no-such-folder");
  report = patient.examine();
  REQUIRE(find(report, "inotify-unknown") != nullptr);
  CHECK(find(report, "inotify-unknown")->severity == doctor::FindingSeverity::info);
  CHECK(report.ok());
}

TEST_CASE("watches of a real process are counted from the real /proc") {
  Patient patient;
  patient.request.system.proc = "/proc";
  const auto used = [&patient] {
    const auto report = patient.examine();
    for (const auto& finding : report.findings) {
      if (finding.check == "inotify-watches") {
        return number_in(finding.message);
      }
    }
    return -1;
  };
  const int queue = ::inotify_init1(IN_CLOEXEC);
  REQUIRE(queue >= 0);
  for (const char* folder : {"vault", "vault/memory", "proc"}) {
    REQUIRE(::inotify_add_watch(queue, patient.vault.place().at(folder).c_str(), IN_MODIFY) >= 0);
  }
  CHECK(used() >= 3);
  ::close(queue);
}

TEST_CASE("little room and few inodes are told for each file system, by how little is left") {
  Patient patient;
  patient.settle();
  auto& ask = patient.request.system.disk_space;
  ask = [](const std::string&) -> Result<doctor::DiskSpace> { return space(100 << 20, 500); };
  auto report = patient.examine();
  CHECK(problems(report) == Names{"disk-space-low", "inodes-low"});
  CHECK(find(report, "disk-space-low")->severity == doctor::FindingSeverity::warning);
  ask = [](const std::string&) -> Result<doctor::DiskSpace> { return space(1 << 20, 3); };
  report = patient.examine();
  CHECK(find(report, "disk-space-low")->severity == doctor::FindingSeverity::error);
  CHECK(find(report, "inodes-low")->severity == doctor::FindingSeverity::error);
  ask = [](const std::string&) -> Result<doctor::DiskSpace> {
    return space(std::uint64_t{1} << 40U, std::nullopt);
  };
  CHECK(find(patient.examine(), "disk-space-ok") != nullptr);
  ask = [](const std::string&) -> Result<doctor::DiskSpace> {
    return Error{ErrorKind::io, "cannot ask", {}, {}};
  };
  report = patient.examine();
  CHECK(find(report, "disk-space-unknown") != nullptr);
  CHECK(report.ok());
}

TEST_CASE("the real file system tells how much room it has, also for a folder yet to be made") {
  Patient patient;
  const auto found = doctor::this_system().disk_space(patient.request.workspace);
  REQUIRE(found);
  CHECK(found->free_bytes > 0);
  patient.request.system.disk_space = doctor::this_system().disk_space;
  patient.request.state_path = patient.vault.place().at("not/made/yet");
  CHECK(find(patient.examine(), "disk-space-unknown") == nullptr);
}

TEST_CASE("a clock in the wrong year, behind the last publication, or behind the files is told") {
  Patient patient;
  patient.settle();
  patient.vault.set_now("1999-01-01T00:00:00Z");
  auto report = patient.examine();
  CHECK(find(report, "clock-wrong-year") != nullptr);
  patient.vault.set_now("2026-03-25T00:00:00Z");
  report = patient.examine();
  REQUIRE(find(report, "clock") != nullptr);
  CHECK(find(report, "clock")->severity == doctor::FindingSeverity::error);
  CHECK(find(report, "files-from-the-future") != nullptr);  // by the time in their names
  patient.vault.set_now(support::kTestNow);
  CHECK(problems(patient.examine()).empty());
  // By the time of their last change.
  patient.vault.write("memory/later.md", "a note\n");
  timespec times[2] = {{4'000'000'000, 0}, {4'000'000'000, 0}};
  REQUIRE(::utimensat(AT_FDCWD, patient.vault.at("memory/later.md").c_str(), times, 0) == 0);
  report = patient.examine();
  const auto* ahead = find(report, "files-from-the-future");
  REQUIRE(ahead != nullptr);
  CHECK(ahead->paths == Names{"memory/later.md"});
}

}  // namespace daybook::test

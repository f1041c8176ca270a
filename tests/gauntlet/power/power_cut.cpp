// SPDX-License-Identifier: MIT
#include "gauntlet/power/power_cut.hpp"

#include "daybook/base/atomic_file.hpp"
#include "faults/vault_end.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNow = "2026-03-30T12:00:00.000Z";
constexpr unsigned kEarliestMs = 150;
constexpr unsigned kLatestMs = 2000;
constexpr int kMostCopies = 20;

bool shell(const std::string& line) {
  support::Program program;
  program.command = {"/bin/sh", "-c", line};
  program.environment = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
  return support::run(program).exit_code == 0;
}

/// Empty: ready to be mounted. btrfs and xfs refuse smaller ones.
std::string make_command(FileSystem file_system, const std::string& image) {
  const auto sized = [&image](const std::string& size, const std::string& command) {
    return "truncate -s " + size + " '" + image + "' && " + command + " '" + image + "'";
  };
  switch (file_system) {
    case FileSystem::btrfs:
      return sized("160M", "mkfs.btrfs -q -f");
    case FileSystem::xfs:
      return sized("300M", "mkfs.xfs -q -f");
    case FileSystem::ext4:
      break;
  }
  return sized("64M", "mkfs.ext4 -q -F");
}

/// A file system in a file, mounted for as long as this lives.
class Mount {
 public:
  Mount(const std::string& image, std::string at) : at_(std::move(at)) {
    if (!shell("mount -o loop '" + image + "' '" + at_ + "'")) {
      throw std::runtime_error("cannot mount " + image);
    }
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  ~Mount() { shell("umount '" + at_ + "' || umount -l '" + at_ + "'"); }

 private:
  std::string at_;
};

/// Calls `visit` with every process of a session and the letter of its state. The programs that the
/// writer starts have groups of their own, but all are of its session.
template <typename Visit>
void each_process(pid_t session, const Visit& visit) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos) {
      continue;
    }
    std::istringstream rest(line.substr(end + 1));
    char state = 0;
    pid_t parent = 0;
    pid_t group = 0;
    pid_t own_session = 0;
    rest >> state >> parent >> group >> own_session;
    if (own_session == session) {
      visit(static_cast<pid_t>(std::stol(line)), state);
    }
  }
}

/// Sends the signal to all, until each is in one of these states or gone.
void bring_to(pid_t session, int signal, std::string_view states) {
  for (bool all = false; !all;) {
    all = true;
    each_process(session, [&](pid_t process, char state) {
      if (states.find(state) == std::string_view::npos) {
        all = false;
        ::kill(process, signal);
      }
    });
    if (!all) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

std::vector<std::string> lines_of_file(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

support::ProgramOutcome PowerDesk::daybook(const std::vector<std::string>& arguments,
                                           const std::string& input) const {
  support::Program program;
  program.command = {DAYBOOK_BINARY, "--workspace", vault(), "--state-dir", state(), "--now", kNow};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  if (sync_ == Sync::none) {
    program.environment = {std::string("LD_PRELOAD=") + DAYBOOK_FAULT_SHIM,
                           "ASAN_OPTIONS=verify_asan_link_order=0:exitcode=99",
                           "FAULT_MODE=no-sync"};
  }
  if (!input.empty()) {
    place_.write("input", input);
    program.stdin_file = place_.at("input");
  }
  return support::run(program);
}

void PowerDesk::judge_recovery(Complaints& complaints) const {
  if (const auto passed = daybook({"reindex"}); passed.exit_code != 0) {
    complaints.push_back("C: reindex fails: " + passed.err);
  }
  if (const auto checked = daybook({"check"}); checked.exit_code != 0) {
    complaints.push_back("A: check finds errors:\n" + checked.out + checked.err);
  }
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(state() + "/spool", none)) {
    complaints.push_back("A: still in the spool: " + entry.path().filename().string());
  }
  daybook({"doctor", "--fix"});  // temporaries of MEMORY.md are its to delete
  for (const auto& entry : fs::recursive_directory_iterator(disk())) {
    if (base::is_temporary_name(entry.path().filename().string())) {
      complaints.push_back("A: left over: " + entry.path().lexically_relative(disk()).string());
    }
  }
  judge_rebuild(complaints);
}

std::string PowerDesk::answers() const {
  std::string text = file_bytes(vault() + "/MEMORY.md");
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"--json", "log", "--all"},
        {"--json", "check"},
        {"--json", "search", "harbour"}}) {
    text += faults::without_counters(daybook(question).out);
  }
  return text;
}

void PowerDesk::judge_rebuild(Complaints& complaints) const {
  const std::string seen = answers();
  for (const char* derived : {"index.db", "index.db-wal", "index.db-shm", "text"}) {
    fs::remove_all(state() + "/" + derived);
  }
  if (const auto rebuilt = daybook({"reindex"}); rebuilt.exit_code != 0) {
    complaints.push_back("C: the rebuild fails: " + rebuilt.err);
  } else if (const std::string expected = answers(); expected != seen) {
    complaints.push_back("C: a rebuild gives something else:" + faults::difference(seen, expected));
  }
}

void PowerTrial::prepare() const {
  place_.make_folder("disk");
  if (!shell(make_command(file_system_, place_.at("template")))) {
    throw Skipped("no image of the file system can be made here");
  }
  if (!shell("mount -o loop '" + place_.at("template") + "' '" + place_.at("disk") +
             "' && umount '" + place_.at("disk") + "'")) {
    throw Skipped("no image can be mounted here (needs root and loop devices)");
  }
  const Mount mount(place_.at("template"), place_.at("disk"));
  if (!work_.prepare(PowerDesk(place_, Sync::real))) {
    throw std::runtime_error("preparing " + work_.name + " fails");
  }
}

/// In a session of its own, children included.
pid_t PowerTrial::start_writer() const {
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::runtime_error("no child");
  }
  if (child > 0) {
    return child;
  }
  ::setsid();
  try {
    const PowerDesk desk(place_, sync_);
    for (int number = 0; number < work_.most; ++number) {
      if (const std::string note = work_.act(desk, number); !note.empty()) {
        std::ofstream(place_.at("acknowledged"), std::ios::app) << note + "\n";
      }
    }
  } catch (const std::exception& error) {
    std::ofstream(place_.at("refused")) << error.what();
  }
  ::_exit(0);
}

/// As it is at one moment: the system may write to it meanwhile although all processes stand still.
void PowerTrial::copy_image() const {
  const std::string both = "'" + place_.at("image") + "' '" + place_.at("copy") + "'";
  for (int copy = 0; copy < kMostCopies; ++copy) {
    if (shell("cp --sparse=always " + both + " && cmp -s " + both)) {
      return;
    }
  }
  throw std::runtime_error("the image does not come to rest");
}

PowerCut PowerTrial::cut(std::mt19937_64& random) const {
  // Other files than before: one that is still mounted in somebody's namespace would be mounted
  // again as it is there.
  fs::remove(place_.at("image"));
  fs::remove(place_.at("copy"));
  fs::remove(place_.at("acknowledged"));
  shell("cp --sparse=always '" + place_.at("template") + "' '" + place_.at("image") + "'");
  {
    const Mount mount(place_.at("image"), place_.at("disk"));
    const pid_t writer = start_writer();
    std::this_thread::sleep_for(
        std::chrono::milliseconds(kEarliestMs + random() % (kLatestMs - kEarliestMs)));
    bring_to(writer, SIGSTOP, "TZ");
    copy_image();
    ::kill(writer, SIGKILL);  // first: it must not note what its child's end looks like
    bring_to(writer, SIGKILL, "Z");
    ::waitpid(writer, nullptr, 0);
  }
  if (fs::exists(place_.at("refused"))) {
    throw std::runtime_error("before the cut: " + file_bytes(place_.at("refused")));
  }
  const auto noted = lines_of_file(place_.at("acknowledged"));
  const Mount mount(place_.at("copy"), place_.at("disk"));
  return {noted.size(), work_.judge(PowerDesk(place_, Sync::real), noted)};
}

}  // namespace daybook::gauntlet

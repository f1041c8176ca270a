// SPDX-License-Identifier: MIT
//
// Eight writers in two processes change manifests by compare-and-swap, while an editor that knows
// no lock saves the same files, in both ways in which editors save: a new file over the old name,
// and into the file itself. The editor looks before it saves, and puts back what it overwrote all
// the same; so what is lost in the end was lost by the writers. Beside that, an editor saves at the
// worst moments of a single update, where it must find its text in the manifest itself.
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/save_between.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <linux/fs.h>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;
using support::TempFolder;

constexpr int kProcesses = 2;
constexpr int kThreads = 4;
// Of one trial. Frontmatter has a limit, which more marks in one file would reach.
constexpr int kUpdates = 250;
constexpr const char* kMark = "editor_marks: ";

const lineage::Timestamp kNow = lineage::parse_timestamp("2026-04-01T08:00:00.000Z").value();

SessionFiles session(int number) {
  SessionFiles files("default", "key-" + std::to_string(number), "2026-03-28T22:34:06.792Z");
  files.manifest.fields.set_text("editor_marks", "start");
  return files;
}

canon::FilePlace place_of(const TempFolder& folder, int number) {
  return {folder.at("vault"), session(number).manifest.path(), folder.at("locks")};
}

// --- the writers
// ----------------------------------------------------------------------------------
/// Until it is done: beside an editor that never rests, busy is a right answer.
bool add_reference(const canon::FilePlace& place, const std::string& mark) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const auto outcome =
        canon::update_manifest(base::real_disk(), place, kNow, [&mark](const auto& manifest) {
          std::vector<std::string> refs = manifest.memory_md_refs;
          refs.push_back(mark);
          return canon::ManifestEdit().set_list("memory_md_refs", refs);
        });
    if (outcome.ok()) {
      return true;
    }
    if (outcome.error().kind != ErrorKind::busy) {
      std::cerr << outcome.error().path << ": " << outcome.error().message << "\n";
      return false;
    }
  }
  return false;
}

/// One process of four threads. Exits with the number of updates that failed.
[[noreturn]] void write_updates(const TempFolder& folder, int process, int manifests) {
  std::array<int, kThreads> failed{};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&folder, &failed, manifests, process, thread] {
      for (int update = thread; update < kUpdates / kProcesses; update += kThreads) {
        const std::string mark = "u" + std::to_string(process) + "." + std::to_string(update);
        failed[static_cast<std::size_t>(thread)] +=
            add_reference(place_of(folder, update % manifests), mark) ? 0 : 1;
      }
    });
  }
  int sum = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads[static_cast<std::size_t>(thread)].join();
    sum += failed[static_cast<std::size_t>(thread)];
  }
  ::_exit(sum == 0 ? 0 : 1);
}

// --- the editor
// -----------------------------------------------------------------------------------
std::string read_all(int file) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (ssize_t count = 1; count > 0;) {
    count = ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
    bytes.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return bytes;
}

void write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    // In several pieces: whoever looks meanwhile sees half of it.
    const ssize_t count = ::write(file, bytes.data(), std::min<std::size_t>(bytes.size(), 300));
    if (count <= 0) {
      std::abort();
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string bytes = file < 0 ? std::string() : read_all(file);
  ::close(file);
  return bytes;
}

std::string with_mark(std::string bytes, const std::string& mark) {
  const std::size_t at = bytes.find(kMark);
  return at == std::string::npos ? std::string()
                                 : bytes.insert(bytes.find('\n', at) - 1, " " + mark);
}

/// The references of a manifest, one a line.
std::set<std::string> references(const std::string& bytes) {
  std::set<std::string> found;
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"u") != std::string::npos) {
      found.insert(line);
    }
  }
  return found;
}

/// Lines of `from` that `into` lacks, behind its own.
std::string with_references(std::string into, const std::string& from) {
  const std::set<std::string> known = references(into);
  for (const std::string& line : references(from)) {
    if (!known.contains(line)) {
      into.insert(into.find('\n', into.find("memory_md_refs:")) + 1, line + "\n");
    }
  }
  return into;
}

/// What the editor itself has put into a manifest.
std::set<std::string> marks(const std::string& bytes) {
  const std::size_t at = bytes.find(kMark);
  std::string line = at == std::string::npos ? "" : bytes.substr(at, bytes.find('\n', at) - at);
  std::replace(line.begin(), line.end(), '"', ' ');
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

/// Marks of `from` that `into` lacks, behind its own: a save into the old file may have got its
/// name back unseen.
std::string with_marks(std::string into, const std::string& from) {
  const std::set<std::string> known = marks(into);
  for (const std::string& mark : marks(from)) {
    if (!known.contains(mark)) {
      into = with_mark(into, mark);
    }
  }
  return into;
}

/// A new file over the old name. What it overwrote unseen goes into the next save.
bool save_by_rename(const std::string& path, const std::string& mark) {
  const std::string temporary = path + ".editor";
  std::string overwritten;
  std::string next = mark;
  while (true) {
    const std::string base = read_file(path);
    if (base.find("\n---\n") == std::string::npos) {
      return false;
    }
    const std::string wanted = with_marks(
        with_references(next.empty() ? base : with_mark(base, next), overwritten), overwritten);
    if (wanted.empty()) {
      return false;
    }
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    write_all(file, wanted);
    ::close(file);
    if (read_file(path) != base) {
      continue;
    }
    if (::syscall(
            SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) !=
        0) {
      std::abort();
    }
    next.clear();
    overwritten = read_file(temporary);
    ::unlink(temporary.c_str());
    if (references(overwritten) == references(base) && marks(overwritten) == marks(base)) {
      return true;
    }
  }
}

/// Whether a name still leads to it. If not, the system was still opening it when it was replaced,
/// and nobody can know of what will be written there.
bool has_name(int file) {
  struct stat known {};
  return ::fstat(file, &known) == 0 && known.st_nlink > 0;
}

/// Into the file itself, if it still says what was read.
bool save_in_place(const std::string& path, const std::string& mark) {
  const std::string base = read_file(path);
  const std::string wanted = with_mark(base, mark);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  const bool same = !wanted.empty() && file >= 0 && has_name(file) && read_all(file) == base;
  if (same) {
    if (::ftruncate(file, 0) != 0) {
      std::abort();
    }
    ::lseek(file, 0, SEEK_SET);
    write_all(file, wanted);
  }
  ::close(file);
  return same;
}

/// Saves until it is told to end, and says how often it has.
int edit_until(const TempFolder& folder,
               std::mt19937_64& random,
               int manifests,
               const std::function<bool()>& ended) {
  constexpr unsigned kLongestPause = 1000;
  int saves = 0;
  for (int round = 0; !ended(); ++round) {
    const std::string path = folder.at("vault/" + session(round / 2 % manifests).manifest.path());
    const std::string mark = "e" + std::to_string(saves);
    const bool saved = random() % 2 == 0 ? save_by_rename(path, mark) : save_in_place(path, mark);
    saves += saved ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % kLongestPause));
  }
  return saves;
}

/// All manifests and their conflict copies, in one text.
std::string all_manifests(const TempFolder& folder) {
  std::string text;
  for (const auto& entry : fs::directory_iterator(folder.at("vault/memory"))) {
    if (entry.path().string().find("--manifest") != std::string::npos) {
      text += read_file(entry.path().string());
    }
  }
  return text;
}

int missing_references(const std::string& text) {
  int missing = 0;
  for (int process = 0; process < kProcesses; ++process) {
    for (int update = 0; update < kUpdates / kProcesses; ++update) {
      const std::string mark =
          "\"u" + std::to_string(process) + "." + std::to_string(update) + "\"";
      missing += text.find(mark) == std::string::npos ? 1 : 0;
    }
  }
  return missing;
}

int missing_marks(std::string text, int saves) {
  for (char& c : text) {
    c = c == '"' || c == '\n' ? ' ' : c;
  }
  int missing = 0;
  for (int save = 0; save < saves; ++save) {
    missing += text.find(" e" + std::to_string(save) + " ") == std::string::npos ? 1 : 0;
  }
  return missing;
}

class WritersTrials final : public Trials {
 public:
  Complaints run(std::uint64_t number) override {
    std::mt19937_64 random(number);
    const int manifests = 1 + static_cast<int>(random() % 3);
    const TempFolder folder;
    for (int one = 0; one < manifests; ++one) {
      session(one).write(folder, "vault");
    }
    Complaints complaints = save_between(folder);
    std::vector<pid_t> children;
    for (int process = 0; process < kProcesses; ++process) {
      children.push_back(::fork());
      if (children.back() == 0) {
        write_updates(folder, process, manifests);
      }
    }
    std::size_t ended = 0;
    const int saves = edit_until(folder, random, manifests, [&] {
      int status = 0;
      if (::waitpid(-1, &status, WNOHANG) > 0) {
        ++ended;
        if (status != 0) {
          complaints.emplace_back("E: an update was refused for good");
        }
      }
      return ended == children.size();
    });
    updates_ += kProcesses * (kUpdates / kProcesses);
    saves_ += static_cast<std::uint64_t>(saves);
    judge(folder, saves, complaints);
    return complaints;
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const override {
    return {{"updates", updates_}, {"saves of an editor", saves_}};
  }

 private:
  static void judge(const TempFolder& folder, int saves, Complaints& complaints) {
    const std::string text = all_manifests(folder);
    if (const int missing = missing_references(text); missing > 0) {
      complaints.push_back("L: " + std::to_string(missing) + " updates are lost");
    }
    if (const int missing = missing_marks(text, saves); missing > 0) {
      complaints.push_back("L: " + std::to_string(missing) + " saves of the editor are lost");
    }
    for (const auto& entry : fs::directory_iterator(folder.at("vault/memory"))) {
      if (const std::string name = entry.path().filename().string(); name.starts_with(".")) {
        complaints.push_back("A: left over: " + name);
      }
    }
  }

  std::uint64_t updates_ = 0;
  std::uint64_t saves_ = 0;
};

}  // namespace

Row writers() {
  return {"writers",
          "eight writers of manifests beside an editor",
          "L W A",
          4,
          4000,
          [] { return std::make_unique<WritersTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet

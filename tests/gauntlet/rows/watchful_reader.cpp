// SPDX-License-Identifier: MIT
#include "gauntlet/rows/watchful_reader.hpp"

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/projection/memory_md.hpp"
#include "support/eventually.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;

// So many are enough to know what is wrong.
constexpr std::size_t kMostComplaints = 5;
constexpr std::size_t kNotesOfOneListing = 64;
// It is not to take the processor from those that it watches.
constexpr std::chrono::milliseconds kPause{1};

/// As any reader does it: opened once, read to the end. Nothing: there is no such file.
std::optional<std::string> bytes_of(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return std::nullopt;
  }
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (ssize_t count = 0; (count = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(fd);
  return bytes;
}

bool is_note(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".md") && !name.starts_with(".") && name.find("--") != std::string::npos;
}

std::string stated_hash(std::string_view yaml) {
  constexpr std::string_view kField = "\ncontent_sha256: \"";
  const std::size_t at = yaml.find(kField);
  return at == std::string_view::npos ? std::string()
                                      : std::string(yaml.substr(at + kField.size(), 64));
}

/// What is wrong with a note; empty: it is whole.
std::string flaw_of(const std::string& bytes) {
  const parse::FileParts parts = parse::split_file(bytes);
  if (parts.bounds != parse::FrontmatterBounds::found) {
    return "its frontmatter is not whole";
  }
  const std::string stated = stated_hash(parts.yaml);
  if (!stated.empty() && stated != base::to_hex(lineage::body_hash(parts.body))) {
    return "its body is not the one that it names";
  }
  return bytes.ends_with("\n") ? "" : "its last line is not whole";
}

}  // namespace

WatchfulReader::WatchfulReader(std::string workspace, Reads reads, Judge judge)
    : workspace_(std::move(workspace)),
      reads_what_(reads),
      judge_(std::move(judge)),
      thread_([this] { read_on(); }) {}

WatchfulReader::~WatchfulReader() { stop(); }

std::string WatchfulReader::whole(const std::string& memory_md) {
  return projection::is_intact_memory_md(memory_md)
             ? ""
             : "A: a torn MEMORY.md of " + std::to_string(memory_md.size()) +
                   " bytes: " + memory_md.substr(0, 100);
}

Complaints WatchfulReader::stop() {
  stopping_ = true;
  if (thread_.joinable()) {
    thread_.join();
  }
  return complaints_;
}

void WatchfulReader::complain(const std::string& text) {
  if (complaints_.size() < kMostComplaints) {
    complaints_.push_back(text);
  }
}

void WatchfulReader::read_on() {
  while (!stopping_) {
    look_at_projection(workspace_ + "/MEMORY.md");
    std::error_code ignored;
    for (auto at = fs::directory_iterator(workspace_ + "/agents", ignored);
         at != fs::directory_iterator();
         at.increment(ignored)) {
      look_at_projection(at->path().string() + "/MEMORY.md");
    }
    if (reads_what_ == Reads::memory_md_and_notes) {
      look_at_note();
    }
    support::let_pass(kPause);
  }
}

void WatchfulReader::look_at_projection(const std::string& path) {
  const bool was_there =
      std::find(projections_.begin(), projections_.end(), path) != projections_.end();
  const auto bytes = bytes_of(path);
  if (!bytes) {
    if (was_there) {
      complain("A: missing for a moment: " + path);
    }
    return;
  }
  if (!was_there) {
    projections_.push_back(path);
  }
  ++reads_;
  if (const std::string wrong = judge_(*bytes); !wrong.empty()) {
    complain(wrong + " (" + path + ")");
  }
}

void WatchfulReader::look_at_note() {
  if (next_note_ >= notes_.size()) {
    notes_.clear();
    next_note_ = 0;
    std::error_code ignored;
    for (auto at = fs::recursive_directory_iterator(workspace_ + "/memory", ignored);
         at != fs::recursive_directory_iterator();
         at.increment(ignored)) {
      if (is_note(at->path())) {
        notes_.push_back(at->path().string());
      }
    }
    // The youngest are the ones that are being written.
    std::sort(notes_.begin(), notes_.end(), std::greater<>());
    notes_.resize(std::min(notes_.size(), kNotesOfOneListing));
  }
  for (std::size_t i = 0; i < 4 && next_note_ < notes_.size(); ++i) {
    const std::string& path = notes_[next_note_++];
    if (const auto bytes = bytes_of(path)) {
      ++reads_;
      if (const std::string flaw = flaw_of(*bytes); !flaw.empty()) {
        complain("A: torn: " + path + ": " + flaw);
      }
    }
  }
}

}  // namespace daybook::gauntlet

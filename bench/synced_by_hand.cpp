// SPDX-License-Identifier: MIT
#include "synced_by_hand.hpp"

#include "watched_program.hpp"

#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace daybook::bench {
namespace {

/// Three pages of a database's log and their heads, as one note in state.db takes. Such a log is
/// written over and over in its place.
constexpr std::size_t kLogBytes = std::size_t{3} * (4096 + 24);
constexpr std::size_t kLogPlaces = 64;

bool write_all(int file, const std::string& text) {
  return ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

SyncedByHand::SyncedByHand(std::string folder, std::size_t bytes)
    : folder_(std::move(folder)), text_(bytes, 'x') {
  std::error_code ignored;  // without it nothing can be written, which is told
  std::filesystem::create_directory(folder_, ignored);
  log_ = ::open((folder_ + "/log").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  static_cast<void>(write_all(log_, std::string(kLogBytes * kLogPlaces, 'x')));
}

SyncedByHand::~SyncedByHand() {
  ::close(log_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

double SyncedByHand::replace_once() {
  const std::string fresh = folder_ + "/fresh";
  const auto begun = SteadyClock::now();
  const int file = ::open(fresh.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
  const std::string note(kLogBytes, 'y');
  const auto place = static_cast<off_t>(kLogBytes * (next_++ % kLogPlaces));
  const bool written = write_all(file, text_) && ::pwrite(log_, note.data(), note.size(), place) ==
                                                     static_cast<ssize_t>(note.size());
  const bool synced = written && ::fdatasync(log_) == 0 && ::fsync(file) == 0;
  ::close(file);
  const bool replaced = synced && std::rename(fresh.c_str(), (folder_ + "/file").c_str()) == 0;
  return replaced ? ms_since(begun) : -1;
}

}  // namespace daybook::bench

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

/// Three pages of a database's log and their heads, as one note in state.db takes.
constexpr std::size_t kLogBytes = std::size_t{3} * (4096 + 24);

bool write_all(int file, const std::string& text) {
  return ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

SyncedByHand::SyncedByHand(std::string folder, std::size_t bytes)
    : folder_(std::move(folder)), text_(bytes, 'x') {
  std::filesystem::create_directory(folder_);
  log_ = ::open((folder_ + "/log").c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
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
  const bool written = write_all(file, text_) && write_all(log_, std::string(kLogBytes, 'x'));
  const bool synced = written && ::fdatasync(log_) == 0 && ::fsync(file) == 0;
  ::close(file);
  const bool replaced = synced && std::rename(fresh.c_str(), (folder_ + "/file").c_str()) == 0;
  return replaced ? ms_since(begun) : -1;
}

}  // namespace daybook::bench

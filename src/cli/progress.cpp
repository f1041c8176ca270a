// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include "cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX
#include <sys/ioctl.h>
#include <unistd.h>

namespace daybook::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr auto kStep = std::chrono::milliseconds(100);
constexpr std::string_view kWipeLine = "\r\x1b[K";

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(::fileno(stderr), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::atomic<std::atomic<bool>*> flag_to_set{nullptr};  // what the handler sets

void on_signal(int /*signal*/) {
  if (auto* flag = flag_to_set.load()) {
    flag->store(true);
  }
}

}  // namespace

std::string progress_line(std::uint64_t done,
                          std::uint64_t total,
                          std::uint64_t bytes,
                          double seconds,
                          std::size_t width) {
  constexpr std::size_t kBar = 20;
  const double share = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total - std::min(done, total)) / rate : 0;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBar));
  std::array<char, 96> tail{};
  std::snprintf(tail.data(),
                tail.size(),
                "%.1f MB, %s files/s, %.0f s left",
                static_cast<double>(bytes) / 1e6,
                grouped(static_cast<unsigned long long>(rate)).c_str(),
                left);
  std::string line("[");
  line.append(filled, '#').append(kBar - filled, '.').append("] ");
  line.append(grouped(done)).append("/").append(grouped(total)).append(" files, ");
  line.append(tail.data());
  if (line.size() >= width) {
    line.resize(width > 0 ? width - 1 : 0);
  }
  return line;
}

ProgressBar::ProgressBar(const service::WorkProgress& progress, const Settings& settings)
    : progress_(progress) {
  if (settings.loudness != Loudness::quiet && is_terminal(stderr)) {
    thread_ = std::jthread([this] { run(); });
  }
}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
  if (drawn_) {
    print(stderr, kWipeLine);
  }
}

void ProgressBar::run() {
  std::unique_lock lock(mutex_);
  auto wait = kPatience;
  while (!ended_.wait_for(lock, wait, [this] { return done_; })) {
    draw();
    wait = kStep;
  }
}

void ProgressBar::draw() {
  drawn_ = true;
  std::string line(kWipeLine);
  line += progress_line(progress_.files_done,
                        progress_.files_total,
                        progress_.bytes_done,
                        stopwatch_.seconds(),
                        terminal_width());
  print(stderr, line);
}

InterruptFlag::InterruptFlag(std::atomic<bool>& flag) {
  flag_to_set = &flag;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

InterruptFlag::~InterruptFlag() {
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  flag_to_set = nullptr;
}

}  // namespace daybook::cli

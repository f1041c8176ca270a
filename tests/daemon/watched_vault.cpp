// SPDX-License-Identifier: MIT
#include "daemon/watched_vault.hpp"

#include "daybook/index/reader.hpp"
#include "daybook/service/ledger.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace daybook::daemon {
namespace {

namespace fs = std::filesystem;

/// The first line in which two texts differ.
std::string first_difference(const std::string& left, const std::string& right) {
  const auto [at, other] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto line = [](const std::string& text, std::string::const_iterator place) {
    const auto offset = static_cast<std::size_t>(place - text.begin());
    const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    return text.substr(begin, text.find('\n', offset) - begin);
  };
  return "is:      " + line(left, at) + "\nrebuilt: " + line(right, other);
}

}  // namespace

WatchedVault::WatchedVault(const std::string& config) {
  vault_.write("daybook.yaml", config);
  fs::create_directories(vault_.at("memory"));
}

WatchedVault::~WatchedVault() { stop(); }

void WatchedVault::start() { start(base::real_disk(), efsw_); }
void WatchedVault::start(watch::EventSource& source) { start(base::real_disk(), source); }
void WatchedVault::start(base::Disk& disk) { start(disk, efsw_); }

void WatchedVault::start(base::Disk& disk, watch::EventSource& source) {
  ready_ = false;
  service_ = std::make_unique<WatchService>(
      disk, vault_.folder(), clock_, source, Listener{[this] { ready_ = true; }, {}, {}});
  thread_ = std::thread([this] { static_cast<void>(service_->run()); });
  if (!support::eventually([this] { return ready_.load(); })) {
    throw std::runtime_error("the service does not get ready");
  }
}

void WatchedVault::stop() {
  if (thread_.joinable()) {
    service_->stop();
    thread_.join();
  }
}

bool WatchedVault::rests() const {
  return support::eventually([this] {
    const Health now = health();
    return now.state == State::watching && now.queue == 0;
  });
}

bool WatchedVault::is_degraded(std::string_view reason) const {
  const auto reasons = health().degraded;
  return std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
}

bool WatchedVault::shows_now(const std::string& text) const {
  return vault_.exists("MEMORY.md") && vault_.memory_md().find(text) != std::string::npos;
}

bool WatchedVault::shows(const std::string& text) const {
  return support::eventually([&] { return shows_now(text); });
}

bool WatchedVault::equals_rebuild(std::chrono::milliseconds most) {
  return support::eventually([this] { return equals_rebuild_now(); }, most);
}

bool WatchedVault::equals_rebuild_now() {
  if (!vault_.exists("MEMORY.md") || health().queue > 0) {
    return false;
  }
  // With this device's seals and another index; it publishes nothing.
  support::IndexedVault::Copy rebuilt(vault_, "rebuilt");
  service::PassRequest request;
  request.extent = service::Extent::everything;
  request.text = service::Text::without_full_text;
  request.config = parse::Config{};
  request.config->publisher = "nobody";
  service::WorkProgress progress;
  const auto report =
      service::Pipeline(base::real_disk(), rebuilt.folder(), clock_).run(request, progress);
  if (!report) {
    difference_ = report.error().message;
    return false;
  }
  const std::string ours = vault_.rows();
  const std::string theirs = vault_.rows(rebuilt.folder());
  auto reader = index::Reader::open(rebuilt.folder().file(index::kIndexFile));
  if (ours != theirs || !reader) {
    difference_ = first_difference(ours, theirs);
    return false;
  }
  const auto ledger = service::render_ledger(
      base::real_disk(), vault_.workspace(), *reader, {}, "default", {clock_.now_ms()});
  if (!ledger || ledger->md.text != vault_.memory_md()) {
    difference_ =
        ledger ? first_difference(vault_.memory_md(), ledger->md.text) : ledger.error().message;
    return false;
  }
  return true;
}

}  // namespace daybook::daemon

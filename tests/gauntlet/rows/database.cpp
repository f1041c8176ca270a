// SPDX-License-Identifier: MIT
//
// A database of the state folder is deleted, cut off, altered in some bits, or replaced by an older
// copy, by garbage or by an empty file; in some trials while the service has it open. After a pass
// everything is as a rebuild makes it, what was removed does not come back, and telemetry that was
// lost is told of. Bits that SQLite cannot know to be wrong are the one thing that a pass does not
// find: those of index.db the doctor must, when he reads everything; those of a seal in state.db
// make a false alarm when its file is read again.
#include "daybook/daemon/watch_service.hpp"
#include "daybook/watch/efsw_source.hpp"
#include "gauntlet/random_vault.hpp"
#include "gauntlet/rows.hpp"
#include "support/eventually.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;

constexpr const char* kSecret = "xenolithword";

enum class Damage : std::uint8_t { deleted, cut, bits, older, garbage, empty };
constexpr std::uint64_t kDamages = 6;

/// The service in a thread of this process, for as long as this lives.
class RunningService {
 public:
  explicit RunningService(const support::IndexedVault& vault)
      : clock_(vault.clock()),
        service_(base::real_disk(),
                 vault.folder(),
                 clock_,
                 source_,
                 daemon::Listener{[this] { ready_ = true; }, {}, {}}),
        thread_([this] { static_cast<void>(service_.run()); }) {
    if (!support::eventually([this] { return ready_.load(); })) {
      throw std::runtime_error("the service does not get ready");
    }
  }
  RunningService(const RunningService&) = delete;
  RunningService& operator=(const RunningService&) = delete;
  ~RunningService() {
    service_.stop();
    thread_.join();
  }

 private:
  base::FixedClock clock_;
  watch::EfswSource source_;
  std::atomic<bool> ready_{false};
  daemon::WatchService service_;
  std::thread thread_;
};

class DatabaseDamage {
 public:
  explicit DatabaseDamage(std::uint64_t number)
      : vault_(number), damage_(static_cast<Damage>(vault_.below(kDamages))) {}

  Complaints run() {
    prepare();
    if (vault_.one_in(5)) {
      under_the_service();
    } else {
      const std::string target = choose_target();
      spoil(target);
      change_something();
      pass();
      pass_lost_ = telemetry() < opened_;
      judge_telemetry(target);
      if (damage_ == Damage::bits && target.starts_with("index.db")) {
        vault_.treat();
      } else if (damage_ == Damage::bits && target.starts_with("state.db")) {
        vault_.treat();
        vault_.reindex(service::Extent::everything);
      }
    }
    judge_gone(vault_, kSecret, complaints_);
    judge_rebuild(vault_, complaints_);
    judge_gone(vault_, kSecret, complaints_);
    for (std::string& complaint : complaints_) {
      complaint.append("\n      (").append(told_).append(")");
    }
    return complaints_;
  }

 private:
  void prepare() {
    vault_.write("daybook.yaml",
                 "watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 3600\n");
    sessions_ = vault_.add_sessions(static_cast<int>(3 + vault_.below(6)));
    SessionFiles secret("default", "secret", "2026-03-20T10:00:00.000Z");
    secret.summary.body = "# The gate\n\nThe xenolithword of the gate is told here, at length.\n";
    secret.transcript.body = "## User\n\nWhere is the xenolithword of the gate, and who has it?\n";
    vault_.add(secret);
    vault_.add_notes();
    vault_.reindex();
    open_one();
    fs::copy(vault_.folder().path(), older(), fs::copy_options::recursive);
    vault_.add_sessions(2, 50);
    vault_.remove_session("secret");
    open_one();
    opened_ = telemetry();
  }

  [[nodiscard]] std::string older() const { return vault_.place().at("older"); }
  [[nodiscard]] lineage::SessionToken watched() const {
    return lineage::SessionToken::parse(sessions_.front().token()).value();
  }

  void open_one() {
    auto state = vault_.open_state();
    const std::vector<state::TelemetrySubject> one{{watched(), "default"}};
    if (!state.telemetry().record(state::TelemetryEvent::opened, one, {support::kTestNow})) {
      throw std::runtime_error("telemetry cannot be written");
    }
  }

  [[nodiscard]] std::int64_t telemetry() const {
    auto state = vault_.open_state();
    const auto found = state.telemetry().get(watched());
    return found && *found ? (*found)->opened.times : 0;
  }

  /// Below the state folder.
  std::string choose_target() {
    std::vector<std::string> names;
    for (const std::string& root : {vault_.folder().path(), older()}) {
      for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const std::string name = entry.path().lexically_relative(root).string();
        const bool database = name.ends_with(".db") || name.ends_with("-wal");
        if (entry.is_regular_file() && database && (root != older() || damage_ == Damage::older)) {
          names.push_back(name);
        }
      }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string name = vault_.one_of(names);
    told_ = name + ", damage " + std::to_string(static_cast<int>(damage_));
    return name;
  }

  void spoil(const std::string& name) {
    const std::string path = vault_.folder().file(name);
    const auto size = fs::exists(path) ? fs::file_size(path) : 0;
    switch (damage_) {
      case Damage::deleted:
        fs::remove(path);
        return;
      case Damage::cut:
        fs::resize_file(path, vault_.below(size + 1));
        return;
      case Damage::bits:
        flip_bits(path, size);
        return;
      case Damage::older:
        fs::remove(path);
        if (fs::exists(older() + "/" + name)) {
          fs::copy_file(older() + "/" + name, path);
        }
        return;
      case Damage::garbage:
        write(path, garbage(vault_.below(size + 5000)));
        return;
      case Damage::empty:
        write(path, "");
        return;
    }
  }

  void flip_bits(const std::string& path, std::uint64_t size) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (std::uint64_t count = size == 0 ? 0 : 1 + vault_.below(8); count > 0; --count) {
      const auto at = static_cast<std::streamoff>(vault_.below(size));
      file.seekg(at);
      const int byte = file.get();
      file.seekp(at);
      file.put(static_cast<char>(static_cast<unsigned>(byte) ^ (1U << vault_.below(8))));
      told_ += " @" + std::to_string(at);
    }
  }

  std::string garbage(std::uint64_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(vault_.below(256));
    }
    return bytes;
  }

  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  void change_something() {
    if (vault_.one_in(2)) {
      vault_.add_sessions(1, 70);
    }
  }

  void pass() {
    auto report = vault_.try_reindex();
    if (!report) {
      complaints_.push_back("C: the pass fails: " + report.error().message + " (" +
                            report.error().path + ")");
      report = vault_.try_reindex();
    }
    told_loss_ = report.ok() && !report->notices.empty();
  }

  /// An older one cannot be told from what it was then.
  void judge_telemetry(const std::string& target) {
    if (pass_lost_ && !told_loss_ && damage_ != Damage::older) {
      complaints_.push_back("E: telemetry is lost, and nobody says so: " + target);
    }
  }

  void under_the_service() {
    {
      const RunningService service(vault_);
      spoil(choose_target());
      told_ += ", under the service";
      const SessionFiles late("default", "late", "2026-03-29T10:00:00.000Z");
      vault_.add(late);
      if (!support::eventually(
              [&] { return vault_.memory_md().find("session=late") != std::string::npos; },
              std::chrono::seconds(30))) {
        complaints_.emplace_back("C: the service does not publish any more");
      }
    }
    pass();
  }

  RandomVault vault_;
  Damage damage_;
  std::vector<SessionFiles> sessions_;
  std::int64_t opened_ = 0;
  bool pass_lost_ = false;
  bool told_loss_ = false;
  std::string told_;
  Complaints complaints_;
};

}  // namespace

Row database() {
  return {"database",
          "a database deleted, cut, altered or older",
          "C T E",
          50,
          5000,
          each([](std::uint64_t number) { return DatabaseDamage(number).run(); }),
          Place::memory};
}

}  // namespace daybook::gauntlet

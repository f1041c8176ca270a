// SPDX-License-Identifier: MIT
//
// A vault, and the service over it as a child for as long as the given work takes; other commands
// of the program beside it. One thread may serve while others ask.
#pragma once

#include "cli/daybook_program.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "support/vault_builder.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace daybook::test {

inline constexpr std::int64_t kServedNow = 1774872000000;  // 2026-03-30T12:00:00Z
inline constexpr const char* kServedNowText = "2026-03-30T12:00:00Z";

/// In the window of kServedNow, the higher the number the older.
inline support::SessionFiles served_session(int number) {
  support::SessionFiles files("default",
                              "key-" + std::to_string(number),
                              lineage::to_string({kServedNow - 60'000 - number * 1000LL}));
  files.compaction.present = false;
  return files;
}

class ServedVault {
 public:
  ServedVault() {
    place_.make_folder("vault/memory");
    place_.write("vault/daybook.yaml", "watch:\n  settle_ms: 40\n  longest_ms: 400\n");
  }

  const support::TempFolder& place() const { return place_; }
  std::string workspace() const { return place_.at("vault"); }
  std::string state() const { return place_.at("state"); }
  void add(const support::SessionFiles& files) const { files.write(place_, "vault"); }
  std::vector<std::string> words(std::vector<std::string> command) const {
    return words_with(state(), std::move(command));
  }
  /// With another state folder of the same vault.
  std::vector<std::string> words_with(const std::string& state,
                                      std::vector<std::string> command) const {
    command.insert(command.end(), {"--workspace", workspace(), "--state-dir", state});
    if (!now_.empty()) {
      command.insert(command.end(), {"--now", now_});
    }
    return command;
  }
  /// Empty: the system's.
  void set_now(std::string now) { now_ = std::move(now); }
  /// Of those who wait for the service, in seconds; 0: as usual.
  void set_patience(unsigned seconds) { patience_ = seconds; }

  support::ProgramOutcome ask(std::vector<std::string> command) const {
    return run_daybook(words(std::move(command)));
  }
  nlohmann::json status() const {
    const auto outcome = ask({"status", "--json"});
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
  /// The service as it answers; null: it does not.
  nlohmann::json service() const {
    const nlohmann::json answer = status();
    return answer.is_object() ? answer.value("service", nlohmann::json()) : nlohmann::json();
  }
  bool is_ready() const {
    const nlohmann::json service = this->service();
    return service.is_object() && service["state"] == "watching";
  }
  bool shows(const std::string& text) const {
    return std::filesystem::exists(place_.at("vault/MEMORY.md")) &&
           place_.read("vault/MEMORY.md").find(text) != std::string::npos;
  }
  support::ProgramOutcome serve(std::function<void(pid_t)> meanwhile,
                                std::vector<std::string> environment = {}) const {
    support::Program program = daybook(words({"watch"}));
    program.environment = std::move(environment);
    program.patience_seconds = patience_;
    program.meanwhile = std::move(meanwhile);
    return support::run(program);
  }

  /// Every file of ours that a crash may have left in the vault or the state folder.
  std::vector<std::string> leftovers() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place_.path())) {
      const std::string name = entry.path().filename().string();
      if (base::is_temporary_name(name) || name.find(".tmp") != std::string::npos ||
          name.find(".new") != std::string::npos || name.starts_with(".daybook-")) {
        found.push_back(entry.path().string());
      }
    }
    return found;
  }

 private:
  support::TempFolder place_;
  std::string now_ = kServedNowText;
  unsigned patience_ = 0;
};

}  // namespace daybook::test

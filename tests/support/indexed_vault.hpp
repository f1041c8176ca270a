// SPDX-License-Identifier: MIT
//
// A vault with a state folder beside it, and passes over it in this process: what the tests of the
// whole pipeline begin with. Every question is asked of the real files. One thread.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/service/decisions.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "support/aged_disk.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <string>
#include <vector>

namespace daybook::support {

/// 2026-03-30T12:00:00Z: write_sessions() lie in the window.
inline constexpr std::int64_t kTestNow = 1774872000000;

class IndexedVault {
 public:
  /// Another state folder of the same vault with a copy of its state.db, for as long as it lives.
  class Copy {
   public:
    Copy(const IndexedVault& vault, const std::string& name);
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    ~Copy();
    [[nodiscard]] const state::StateFolder& folder() const { return *folder_; }

   private:
    std::string path_;
    std::optional<state::StateFolder> folder_;
  };

  IndexedVault();

  [[nodiscard]] const TempFolder& place() const { return place_; }
  [[nodiscard]] std::string workspace() const { return place_.at("vault"); }
  [[nodiscard]] std::string at(std::string_view path) const;
  void write(std::string_view path, std::string_view bytes) const;
  void add(const SessionFiles& session) const { session.write(place_, "vault"); }
  void unlink(std::string_view path) const;
  [[nodiscard]] bool exists(std::string_view path) const;
  [[nodiscard]] std::string read(std::string_view path) const;

  /// Another state folder for the same vault.
  void use_state(const std::string& name);
  [[nodiscard]] const state::StateFolder& folder() const { return *folder_; }
  state::StateDb open_state() const;
  void delete_state_file(const std::string& name) const;

  void set_now(std::int64_t ms) { now_ = ms; }
  void set_now(std::string_view rfc3339);
  [[nodiscard]] base::FixedClock clock() const { return base::FixedClock(now_); }

  /// A pass that must succeed, or one that may not.
  service::PassReport reindex(service::Extent extent = service::Extent::changes);
  Result<service::PassReport> try_reindex(service::Extent extent = service::Extent::changes);
  /// A pass that is told which paths have probably changed.
  service::PassReport follow(std::vector<std::string> hints);
  [[nodiscard]] service::Decisions decisions();

  /// Why the device is not all right, as status says.
  [[nodiscard]] std::vector<std::string> degraded();

  /// Removes by key, and runs the pass that follows.
  void remove_session(const std::string& key, const std::string& agent = "default");

  /// Every row of the index that does not depend on when or where it was made, as sorted lines.
  [[nodiscard]] std::string rows() const { return rows(*folder_); }
  [[nodiscard]] std::string rows(const state::StateFolder& folder) const;
  [[nodiscard]] std::string memory_md(std::string_view agent = "default") const;
  /// Paths of what a search finds, sorted.
  [[nodiscard]] std::vector<std::string> search(const std::string& words,
                                                const std::string& agent = {}) const;
  /// Codes of the findings about a path, sorted.
  [[nodiscard]] std::vector<std::string> codes(const std::string& path) const;
  [[nodiscard]] std::string messages(const std::string& path) const;
  /// Files of the state folder that hold these bytes, raw.
  [[nodiscard]] std::vector<std::string> state_files_with(std::string_view bytes) const;

 private:
  TempFolder place_;
  AgedDisk disk_;
  std::int64_t now_ = kTestNow;
  std::unique_ptr<base::FixedClock> decision_clock_;
  std::optional<state::StateFolder> folder_;
  // As a service has it: open from one to the next.
  std::unique_ptr<base::FixedClock> following_clock_;
  std::unique_ptr<service::Pipeline> following_;
};

}  // namespace daybook::support

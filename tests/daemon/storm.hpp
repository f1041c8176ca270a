// SPDX-License-Identifier: MIT
//
// Seeded storms over memory/: files and folders made, moved in, out and between, renamed, deleted,
// the root itself recreated; all as fast as the disk allows. The same seed gives the same storm.
#pragma once

#include "flow/disturbance.hpp"

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace daybook::daemon {

namespace fs = std::filesystem;

class Storm {
 public:
  Storm(const support::IndexedVault& vault, std::uint64_t seed)
      : vault_(vault), outside_(vault.place().at("outside")), random_(seed) {
    fs::create_directories(outside_);
  }

  void rage(int operations) {
    for (int i = 0; i < operations; ++i) {
      std::error_code ignored;  // what another operation has made impossible does not happen
      operate(ignored);
    }
    // Quiet comes with something there: an emptied vault is another matter.
    fs::create_directories(vault_.at("memory"));
    vault_.add(flow::session(next_++, flow::Naming::by_path));
  }

 private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  std::vector<fs::path> entries(bool folders) const {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (auto at = fs::recursive_directory_iterator(vault_.at("memory"), ignored);
         at != fs::recursive_directory_iterator();
         at.increment(ignored)) {
      if (at->is_directory(ignored) == folders) {
        found.push_back(at->path());
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path any(const std::vector<fs::path>& paths) {
    return paths.empty() ? fs::path(vault_.at("memory/none")) : paths[below(paths.size())];
  }

  fs::path any_folder() {
    auto folders = entries(true);
    folders.emplace_back(vault_.at("memory"));
    return any(folders);
  }

  std::string fresh_name() { return "f" + std::to_string(next_++); }

  void operate(std::error_code& ignored) {
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        auto session = flow::session(next_++, flow::Naming::by_path);
        const std::string folder = any_folder().lexically_relative(vault_.workspace()).string();
        session.summary.folder = session.transcript.folder = session.manifest.folder = folder;
        session.compaction.present = false;
        fs::create_directories(vault_.at("memory"), ignored);
        vault_.add(session);
        break;
      }
      case 4:
        fs::create_directories(any_folder() / fresh_name() / fresh_name(), ignored);
        break;
      case 5:  // a whole folder from elsewhere
      {
        const fs::path made = fs::path(outside_) / fresh_name();
        fs::create_directories(made, ignored);
        auto session = flow::session(next_++, flow::Naming::by_path);
        session.write(vault_.place(), made.lexically_relative(vault_.place().path()).string());
        fs::rename(made / "memory", any_folder() / fresh_name(), ignored);
        break;
      }
      case 6:
        fs::rename(any(entries(true)), fs::path(outside_) / fresh_name(), ignored);
        break;
      case 7:
      case 8:
        fs::rename(any(entries(true)), any_folder() / fresh_name(), ignored);
        break;
      case 9:
      case 10: {
        const fs::path file = any(entries(false));
        fs::rename(file, any_folder() / file.filename(), ignored);
        break;
      }
      case 11:
        fs::rename(any(entries(false)), fs::path(outside_) / fresh_name(), ignored);
        break;
      case 12:
        fs::remove(any(entries(false)), ignored);
        break;
      case 13:
        if (below(4) == 0) {
          fs::remove_all(any(entries(true)), ignored);
        }
        break;
      case 14: {
        const fs::path file = any(entries(false));
        fs::copy_file(file, any_folder() / file.filename(), ignored);
        break;
      }
      default:
        if (below(20) == 0) {
          recreate_root(ignored);
        }
        break;
    }
  }

  void recreate_root(std::error_code& ignored) {
    if (below(2) == 0) {
      fs::rename(vault_.at("memory"), fs::path(outside_) / fresh_name(), ignored);
    } else {
      fs::remove_all(vault_.at("memory"), ignored);
    }
    fs::create_directory(vault_.at("memory"), ignored);
    vault_.add(flow::session(next_++, flow::Naming::by_path));
  }

  const support::IndexedVault& vault_;
  std::string outside_;
  std::mt19937_64 random_;
  int next_ = 1;
};

}  // namespace daybook::daemon

// SPDX-License-Identifier: MIT
//
// Captures by the program beside whatever happens, and a record of what it acknowledged: L is that
// each of those files is there with its bytes and named by its manifest. One thread at a time.
#pragma once

#include "cli/served_vault.hpp"
#include "gauntlet/row.hpp"

#include <map>
#include <string>
#include <vector>

namespace daybook::gauntlet {

class Captures {
 public:
  explicit Captures(const test::ServedVault& vault) : vault_(vault) {}

  /// Captures the session of that number. Its files count from now on if it was acknowledged.
  support::ProgramOutcome capture(int number, std::function<void(pid_t)> meanwhile = {});
  [[nodiscard]] std::size_t acknowledged() const { return acknowledged_.size(); }
  [[nodiscard]] bool is_acknowledged(int number) const { return acknowledged_.contains(number); }

  /// L, and E for refusals that do not say why. Captures what was refused once more.
  void judge(Complaints& complaints);
  /// How MEMORY.md names such a session.
  static std::string mark(int number) { return "session=captured-" + std::to_string(number) + " "; }
  /// The numbers that were acknowledged.
  [[nodiscard]] std::vector<int> numbers() const;

 private:
  struct Acknowledged {
    std::string manifest;
    std::map<std::string, std::string> hashes;  ///< workspace-relative path -> of its bytes
  };
  void judge_files(int number, const Acknowledged& files, Complaints& complaints) const;
  void judge_refusal(int number, const support::ProgramOutcome& refusal, Complaints& complaints);

  const test::ServedVault& vault_;
  std::map<int, Acknowledged> acknowledged_;
  std::map<int, support::ProgramOutcome> refused_;
};

}  // namespace daybook::gauntlet

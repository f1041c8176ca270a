// SPDX-License-Identifier: MIT
//
// One operation of the program, on a vault that can be put back as it was, and a judge of what is
// left when the operation was cut off or refused.
//
//   L  what was acknowledged is there
//   A  nothing half-made: every file is as before the operation or as after it, no leftovers
//   C  rows, search results and MEMORY.md are those of a rebuild
//   T  removed text is in no byte of vault and state folder
//
// The judge compares whole ends (every file of the vault with its bytes, sessions, findings, a
// search) with the two that there may be: the untouched vault after a pass, and the operation
// carried out undisturbed and a pass. So an operation must give the same bytes each time; --now is
// fixed. One that goes session by session may stop between two: each session is whole or absent,
// and carried out once more it gets to the undisturbed end. One thread an object; each has its own
// folders.
#pragma once

#include "faults/durable_disk.hpp"
#include "faults/fault.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daybook::faults {

class Bench;

/// What may be left of an operation that was cut off.
enum class Parts {
  none,      ///< all of it or nothing
  sessions,  ///< some of its sessions, or of what it is to learn, each whole
};

/// A row of the bench.
struct Operation {
  std::string name;
  /// Writes the vault to bench.vault(), and brings it where the operation can begin.
  std::function<void(Bench&)> prepare;
  std::vector<std::string> arguments;
  std::string input = {};  ///< its stdin
  /// Text that is in no byte any more once the operation is done.
  std::vector<std::string> forbidden = {};
  /// What it answers when it is run although it is done: 0, and perhaps another code.
  int code_when_done = 0;
  Parts parts = Parts::none;
  /// Text that is in some byte whatever happens, wherever the operation moves it.
  std::vector<std::string> kept = {};
  /// Comes before each trial, for what does not outlive that the vault is put back: a copy of a
  /// file is not the file that the index knows.
  std::function<void(const Bench&)> begin = {};
  /// Whether the full text is up to date after it, so that a search answers for all of it.
  bool makes_text = false;
};

/// Complaints of one trial, each a line. Empty: all held.
using Complaints = std::vector<std::string>;

class Bench {
 public:
  explicit Bench(const Operation& operation);

  [[nodiscard]] const support::TempFolder& place() const { return place_; }
  [[nodiscard]] std::string vault() const { return place_.at("live/vault"); }
  [[nodiscard]] std::string state() const { return place_.at("live/state"); }

  /// `daybook ARGUMENTS…` on the vault.
  support::ProgramOutcome run(const std::vector<std::string>& arguments,
                              const Fault& fault = {},
                              const std::string& input = {}) const;

  /// The calls of an undisturbed operation, or of the pass that follows the one cut off by `fault`.
  std::vector<Call> calls(FaultCalls which = FaultCalls::changes) const;
  std::vector<Call> calls_of_recovery(const Fault& fault) const;

  /// How the operation ends with that fault.
  support::ProgramOutcome answer_to(const Fault& fault) const;

  /// The operation is killed, and then a pass runs.
  Complaints killed(const Fault& fault) const;
  /// The pass is killed as well, and then another one runs.
  Complaints killed_twice(const Fault& fault, const Fault& in_recovery) const;
  /// The power goes at that call, or, without one, when the operation has answered.
  Complaints powerless(Fault fault, Survivors survivors) const;
  /// A capture is killed behind its record in the spool, so that status calls it by this name. Two
  /// restarts follow: the first finishes it, the second changes nothing.
  Complaints halfway(const Fault& fault, const std::string& state) const;
  /// A call of the operation fails; when the trouble is over, it is run once more.
  Complaints refused(const Fault& fault) const;

 private:
  [[nodiscard]] support::Program daybook(const std::string& state,
                                         const std::vector<std::string>& arguments) const;
  void restore() const;
  support::ProgramOutcome operate(const Fault& fault) const;
  support::ProgramOutcome recover(const Fault& fault = {}) const;
  [[nodiscard]] std::string end(const std::string& state) const;
  [[nodiscard]] std::string undisturbed_end() const;
  void judge(bool must_be_done, Complaints& complaints) const;
  void judge_parts(const std::string& seen, Complaints& complaints) const;
  void judge_rerun(Complaints& complaints) const;
  void judge_restart(Complaints& complaints) const;
  void judge_rebuild(const std::string& seen, Complaints& complaints) const;
  /// What a search finds; nothing when it says itself that it is behind. What it makes durable is
  /// noted in the mirror, if there is one.
  [[nodiscard]] std::string search_called_whole(const std::string& mirror,
                                                Complaints& complaints) const;
  /// Of a search that comes before any pass.
  void judge_first_search(const std::string& found, Complaints& complaints) const;
  void judge_bytes(bool done, Complaints& complaints) const;
  void judge_kept(Complaints& complaints) const;

  support::TempFolder place_;
  Operation operation_;
  std::string before_;
  std::string after_;
};

}  // namespace daybook::faults

// SPDX-License-Identifier: MIT
//
// A reader beside whatever happens to a vault: a thread that reads each MEMORY.md, and if wanted
// notes at random, over and over. MEMORY.md must be whole by its last line and never be missing
// once it was there; a note must have its whole frontmatter and, where it says one, the hash of its
// body. So only for notes that everybody puts there in one step. Ends with stop().
#pragma once

#include "gauntlet/row.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace daybook::gauntlet {

enum class Reads { memory_md, memory_md_and_notes };

class WatchfulReader {
 public:
  /// What is wrong with a MEMORY.md, with the letter of its code; empty: nothing.
  using Judge = std::function<std::string(const std::string& memory_md)>;

  WatchfulReader(std::string workspace, Reads reads, Judge judge = whole);
  WatchfulReader(const WatchfulReader&) = delete;
  WatchfulReader& operator=(const WatchfulReader&) = delete;
  ~WatchfulReader();

  /// Whether its last line says that nothing is missing.
  static std::string whole(const std::string& memory_md);

  /// What it has seen that must not be.
  Complaints stop();
  [[nodiscard]] std::uint64_t reads() const { return reads_; }

 private:
  void read_on();
  void look_at_projection(const std::string& path);
  void look_at_note();
  void complain(const std::string& text);

  std::string workspace_;
  Reads reads_what_;
  Judge judge_;
  std::vector<std::string> projections_;  // full paths that were there
  std::vector<std::string> notes_;        // as listed a while ago
  std::size_t next_note_ = 0;
  Complaints complaints_;
  std::atomic<std::uint64_t> reads_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;  // the last: it uses all of the above
};

}  // namespace daybook::gauntlet

// SPDX-License-Identifier: MIT
//
// Sessions -> the lines of the ledger: rows under their days, newest first, and what stands for the
// sessions that are clipped. Which of them are clipped is decided by memory_md.cpp, which asks for
// one number of rows after the other. Borrows the sessions; one thread.
#pragma once

#include "daybook/projection/memory_md.hpp"
#include "projection/short_names.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::projection {

enum class BlankLines : std::uint8_t { between_parts, none };
enum class ProjectNames : std::uint8_t { shown, left_out };

/// `- {membership} | session=… | project=… | {sentence} [[…|summary]] …` with its line end.
std::string ledger_row(const LedgerSession& session);

/// "1 session", "2 sessions".
std::string counted(std::uint64_t count, std::string_view noun);

class Ledger {
 public:
  explicit Ledger(const MemoryMdInput& input);

  std::size_t sessions() const { return sessions_.size() + older_; }
  /// Days of which at least one session has no row when `rows` rows are shown.
  std::size_t clipped_days(std::size_t rows) const;

  /// The most rows that could fit if nothing else took room.
  std::size_t most_rows(std::uint64_t max_bytes, std::uint64_t max_lines);

  void append_rows(std::string& text, std::size_t rows, BlankLines blank_lines);
  /// How many sessions are not shown, of which days, and the command that lists them.
  void append_notice(std::string& text, std::size_t rows) const;
  /// One line for each of the newest `most_days` clipped days.
  void append_clipped_days(std::string& text,
                           std::size_t rows,
                           std::size_t most_days,
                           ProjectNames names) const;

 private:
  struct Day {
    std::string date;
    std::size_t first = 0;  // sessions [first, end)
    std::size_t end = 0;
    std::vector<Share> older = {};
    std::uint64_t older_sessions = 0;
    std::string clipped_whole = {};  // its line when none of its sessions has a row
  };

  void add_days_of_sessions();
  void add_days_of_older(const OlderSessions& older);
  std::size_t first_clipped_day(std::size_t rows) const;
  const std::string& row(std::size_t index);
  std::string day_line(const Day& day, std::size_t first, ProjectNames names) const;

  std::string_view agent_id_;
  std::vector<const LedgerSession*> sessions_;  // newest first
  std::size_t older_ = 0;                       // that come after them, and are only counted
  std::vector<Day> days_;                       // newest first
  std::vector<std::string> rows_;               // made when first asked for
  ShortNames names_;
  std::vector<std::size_t> names_of_sessions_;  // by place in sessions_
};

}  // namespace daybook::projection

// SPDX-License-Identifier: MIT
//
// A path -> an open database of ours, whatever stands there: made when missing, brought forward
// when older, set aside and made anew when damaged or another program's. Only a newer one is left
// alone, with a clear error. Whose it is and which version stands in it twice, so that one flipped
// bit in the header does not cost the rest. Making and setting aside happen under a file lock
// beside it, so that two processes that find the same damage do not set aside each other's new
// file. WAL, so that a stopped writer keeps nobody from reading; synchronous=FULL where what is
// told as done must be done after a power cut, too.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace daybook::state {

enum class Soundness : std::uint8_t {
  header,     ///< trust the pages until one of them proves wrong
  all_pages,  ///< read them all
};

struct DurableDatabase {
  std::string path;
  std::int64_t application_id = 0;  ///< tells ours from another program's
  std::string application;          ///< the same again as a word, in its table `meta`
  std::int64_t schema = 0;
  int busy_timeout_ms = 0;
  Soundness soundness = Soundness::all_pages;
  /// Whether a commit waits until it is on the disk, or a power cut may take back the last ones.
  bool survives_power_cut = true;
  /// Brings the tables from `version` (0: there are none) to `schema`; runs in a transaction. The
  /// table meta(name, value) is there already.
  std::function<Result<void>(store::Database&, std::int64_t version)> bring_forward;
  /// Whether the rows make sense; may be empty.
  std::function<Result<bool>(store::Database&)> rows_are_sound;
};

struct OpenedDatabase {
  store::Database database;
  std::string set_aside;  ///< the damaged predecessor's new name; empty: there was none
};

Result<OpenedDatabase> open_durable(const DurableDatabase& wanted);

/// The same file for reading alone: not_found when it is not there, damaged when it cannot be used,
/// usage when its tables are not those of this program. Nothing is made, mended or brought forward,
/// and what a killed writer has left in the -wal is read there and stays there.
Result<store::Database> look_at_durable(const DurableDatabase& wanted);

}  // namespace daybook::state

// SPDX-License-Identifier: MIT
//
// The safeties of the program, each of which can be left out of a build, alone, to see that the
// trials notice: -DDAYBOOK_WITHOUT=<name> for the sources that ask for it (src/CMakeLists.txt), and
// scripts/gauntlet --mutate for all of them in turn. In every other build each is kept, and the
// question costs nothing.
#pragma once

namespace daybook::base {

/// Behind each: the rows of the gauntlet of which at least one must fail without it.
enum class Safety {
  file_sync,             ///< rows: unsynced
  name_sync,             ///< rows: unsynced
  memory_folder_sync,    ///< rows: unsynced
  unlink_sync,           ///< rows: unsynced
  erasure_sync,          ///< rows: unsynced
  spool_erasure_sync,    ///< rows: unsynced
  trash_sync,            ///< rows: unsynced
  state_sync,            ///< rows: unsynced power-cut
  index_sync,            ///< rows: unsynced
  text_sync,             ///< rows: unsynced
  text_journal_sync,     ///< rows: unsynced
  fencing,               ///< rows: stopped-holder publishers
  newer_generation,      ///< rows: stopped-holder publishers
  swap_compare,          ///< rows: writers
  racy_rule,             ///< rows: same-moment
  overflow_detection,    ///< rows: overflow
  periodic_sweep,        ///< rows: liar
  unreadable_root,       ///< rows: root
  unreadable_folder,     ///< rows: root
  emptied_root,          ///< rows: root
  tombstone_of_token,    ///< rows: bypass
  tombstone_of_path,     ///< rows: bypass
  tombstone_of_fields,   ///< rows: bypass
  tombstone_of_body,     ///< rows: bypass
  tombstone_in_capture,  ///< rows: bypass
  tombstone_in_hook,     ///< rows: bypass
  tombstone_in_spool,    ///< rows: bypass
  tombstone_copy,        ///< rows: bypass
  seal,                  ///< rows: bit-flip
  redaction_before_cut,  ///< rows: secrets
};

// Of internal linkage: in a build that leaves one out, the sources differ in what they are told.
static constexpr bool keeps([[maybe_unused]] Safety safety) {
#ifdef DAYBOOK_WITHOUT
  return safety != Safety::DAYBOOK_WITHOUT;
#else
  return true;
#endif
}

}  // namespace daybook::base

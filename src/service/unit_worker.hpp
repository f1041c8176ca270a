// SPDX-License-Identifier: MIT
//
// Everything one thread needs to examine sessions, with handles of its own; and several of them at
// work on the same list. check and the index pass differ only in what they do with the notes.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "service/link_judge.hpp"
#include "service/note_examiner.hpp"
#include "service/session_check.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace daybook::service {

class UnitWorker {
 public:
  static Result<std::unique_ptr<UnitWorker>> make(base::Disk& disk,
                                                  const std::string& workspace,
                                                  const scan::VaultListing& listing,
                                                  const lineage::TombstoneSet& tombstones,
                                                  LazyNoteNames& names,
                                                  Detail detail,
                                                  SessionCheck::KnownSeal known_seal = {}) {
    TRY_ASSIGN(auto root, disk.open_root(workspace));
    return std::unique_ptr<UnitWorker>(
        new UnitWorker(std::move(root), listing, tombstones, names, detail, std::move(known_seal)));
  }

  /// Must outlive the worker.
  void use(const capture::LearningGuard& guard) { examiner_.use(guard); }
  ExaminedNote examine(scan::VaultListing::Index file) { return examiner_.examine(file); }
  void examine_unit(scan::VaultListing::Index first,
                    scan::VaultListing::Index last,
                    const SessionCheck::Report& report) {
    session_.run(first, last, report);
  }

 private:
  UnitWorker(std::unique_ptr<base::Folder> root,
             const scan::VaultListing& listing,
             const lineage::TombstoneSet& tombstones,
             LazyNoteNames& names,
             Detail detail,
             SessionCheck::KnownSeal known_seal)
      : root_(std::move(root)),
        links_(*root_, listing, tombstones, names),
        examiner_(*root_, listing, tombstones, links_, detail),
        session_(listing, examiner_, links_, std::move(known_seal)) {}

  std::unique_ptr<base::Folder> root_;
  LinkJudge links_;
  NoteExaminer examiner_;
  SessionCheck session_;
};

/// As many threads as asked for (0: as the machine has), at most eight and no more than units.
inline unsigned thread_count(unsigned asked, std::size_t units) {
  constexpr unsigned kMostThreads = 8;
  const unsigned wanted = asked != 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(
      std::min<std::size_t>(std::min(wanted, kMostThreads), std::max<std::size_t>(units, 1)));
}

/// Whether a file is a tombstone by its name, whatever else is wrong with that.
inline bool is_tombstone(const scan::VaultListing& listing, scan::VaultListing::Index file) {
  const auto& entry = listing.entries()[file];
  if (entry.belongs_to_session()) {
    return entry.name().kind == lineage::Kind::tombstone;
  }
  return entry.form() == lineage::NameForm::bad_timestamp &&
         lineage::read_artifact_name(listing.file_name(file)).kind == lineage::Kind::tombstone;
}

/// A tombstone that can be read counts as it says, another by the token in its name.
inline void honour(const ExaminedNote& note,
                   const std::string& file_name,
                   lineage::TombstoneSet& tombstones) {
  const auto token =
      lineage::SessionToken::parse(lineage::read_artifact_name(file_name).token_text);
  if (const auto* tombstone = std::get_if<lineage::Tombstone>(&note.record); tombstone && token) {
    tombstones.add(*tombstone);
  } else if (token) {
    tombstones.add_token(*token);
  }
}

/// A file with thousands of findings tells the first ones and how many there are beyond.
void sum_up_excess(std::vector<lineage::Diagnostic>& diagnostics);

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "daybook/service/decisions.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"
#include "service/file_facts.hpp"
#include "service/unit_worker.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

using lineage::Code;

Result<scan::VaultListing::Index> find_file(const scan::VaultListing& listing,
                                            const std::string& path) {
  for (scan::VaultListing::Index file = 0; file < listing.entries().size(); ++file) {
    if (listing.path(file) == path) {
      return file;
    }
  }
  return Error{ErrorKind::usage,
               "there is no such file below memory/",
               path,
               "Give the path from the workspace's root: memory/….md"};
}

/// Why a new seal would not help, or nothing.
std::optional<Error> objection(const ExaminedFile& examined, const std::string& path) {
  for (const lineage::Diagnostic& found : examined.facts.diagnostics) {
    if (found.code == Code::checksum_mismatch) {
      return Error{ErrorKind::usage,
                   "the body does not match content_sha256, so the file would stay invalid",
                   path,
                   "Put content_sha256: " + base::to_hex(*examined.facts.row.body_sha256) +
                       " into its frontmatter, then accept it."};
    }
    if (lineage::info(found.code).invalidates == lineage::Invalidates::yes) {
      return Error{ErrorKind::usage,
                   "something else is wrong with the file: " + std::string(found.sentence()),
                   path,
                   std::string(lineage::info(found.code).hint)};
    }
  }
  if (!examined.seal) {
    return Error{ErrorKind::usage,
                 "the file could not be read just now, so there is nothing to accept",
                 path,
                 "Try it again; 'daybook check' says what is wrong with it."};
  }
  return std::nullopt;
}

/// The seal in the manifest follows, where there is one for this very file.
Result<void> reseal_in_manifest(base::Disk& disk,
                                const state::StateFolder& folder,
                                const index::FileRow& row,
                                lineage::Timestamp now) {
  const auto updated =
      canon::update_manifest(disk,
                             {folder.workspace(), row.manifest_path, folder.file("locks")},
                             now,
                             [&row](const lineage::Manifest& manifest) {
                               canon::ManifestEdit edit;
                               const lineage::ManifestEntry& entry = manifest.entry(*row.kind);
                               if (entry.seal && entry.path && entry.path->path == row.path()) {
                                 edit.set_text(std::string(to_string(*row.kind)) + "_sha256",
                                               base::to_hex(*row.source_sha256));
                               }
                               return edit;
                             });
  // Without a manifest that can be edited, this device's own seal decides.
  const bool tolerable = updated || updated.error().kind != ErrorKind::io;
  return tolerable ? Result<void>() : updated.error();
}

}  // namespace

Result<capture::RemovalPlan> Decisions::plan_removal(const capture::RemovalTarget& target,
                                                     const std::string& reason) {
  TRY_ASSIGN(auto reader, index::Reader::open(folder_.file(index::kIndexFile)));
  return capture::plan_removal(disk_, folder_, reader, target, reason, {clock_.now_ms()});
}

Result<void> Decisions::remove(const capture::RemovalPlan& plan) {
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const auto lock,
             state::PipelineLock::acquire(folder_, {"daybook remove", now, wait_}));
  TRY_ASSIGN(auto state, state::StateDb::open(folder_));
  return capture::carry_out(disk_, folder_, state, plan, now);
}

Result<std::vector<std::string>> Decisions::purgeable() {
  TRY_ASSIGN(auto reader, index::Reader::open(folder_.file(index::kIndexFile)));
  return capture::purgeable(reader);
}

Result<std::vector<std::string>> Decisions::purge(const std::vector<std::string>& paths) {
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const auto lock,
             state::PipelineLock::acquire(folder_, {"daybook remove --purge", now, wait_}));
  TRY_ASSIGN(auto state, state::StateDb::open(folder_));
  return capture::purge(disk_, folder_, state, paths, now);
}

Result<std::size_t> Decisions::unremove(const std::string& text) {
  const auto token = lineage::SessionToken::parse(text);
  if (!token) {
    return Error{ErrorKind::usage,
                 base::quoted(text) + " is no token",
                 {},
                 "Tokens have 16 letters; they stand in the names of the tombstones in memory/."};
  }
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const auto lock,
             state::PipelineLock::acquire(folder_, {"daybook unremove", now, wait_}));
  TRY_ASSIGN(auto state, state::StateDb::open(folder_));
  TRY_ASSIGN(const std::size_t lifted, capture::lift(disk_, folder_, state, *token, now));
  if (lifted == 0) {
    return Error{ErrorKind::usage,
                 "no removal of " + text + " is in force",
                 {},
                 "'daybook status' lists the removals in force."};
  }
  return lifted;
}

Result<void> Decisions::accept(const std::string& path, const std::string& reason) {
  const lineage::Timestamp now{clock_.now_ms()};
  TRY_ASSIGN(const auto lock,
             state::PipelineLock::acquire(folder_, {"daybook accept", now, wait_}));
  TRY_ASSIGN(auto state, state::StateDb::open(folder_));
  TRY_ASSIGN(const auto root, disk_.open_root(folder_.workspace()));
  TRY_ASSIGN(const auto listing, scan::VaultListing::list(*root));
  TRY_ASSIGN(const auto file, find_file(listing, path));
  const auto& entry = listing.entries()[file];
  if (!entry.belongs_to_session() || !lineage::is_immutable(entry.name().kind)) {
    return Error{ErrorKind::usage,
                 "only summaries, transcripts and compactions are sealed",
                 path,
                 "There is nothing to accept."};
  }
  lineage::TombstoneSet tombstones;
  TRY_ASSIGN(const auto copies, state.tombstones().all());
  for (const lineage::Tombstone& copy : copies) {
    tombstones.add(copy);
  }
  LazyNoteNames names;
  TRY_ASSIGN(
      auto worker,
      UnitWorker::make(disk_, folder_.workspace(), listing, tombstones, names, Detail::facts));
  ExaminedFile examined(listing, file, worker->examine(file));
  if (auto wrong = objection(examined, path)) {
    return std::move(*wrong);
  }
  TRY_ASSIGN(const auto before, state.seals().find(entry.name()));
  if (before && before->file == examined.seal->file) {
    return Error{ErrorKind::usage, "the file is as it was sealed", path, "Nothing to accept."};
  }
  state::SealedFile sealed{entry.name(), std::move(*examined.seal)};
  sealed.second.accepted = true;
  sealed.second.first_seen = before ? before->first_seen : now;
  TRY(state.audit().append({now,
                            state::AuditAction::accept,
                            path,
                            reason,
                            (before ? base::to_hex(before->file) : std::string("unsealed")) +
                                " -> " + base::to_hex(sealed.second.file)}));
  TRY(state.seals().put({&sealed, 1}));
  return reseal_in_manifest(disk_, folder_, examined.facts.row, now);
}

}  // namespace daybook::service

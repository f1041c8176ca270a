// SPDX-License-Identifier: MIT
#include "daybook/service/freshness.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/scan/note_names.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/row_comparison.hpp"
#include "service/known_vault.hpp"
#include "service/unit_worker.hpp"

#include <string>
#include <utility>
#include <vector>

namespace daybook::service {
namespace {

using Index = scan::VaultListing::Index;

/// So much is read of files about which stat says nothing; beyond it they count as changed.
constexpr std::uint64_t kMostHashed = std::uint64_t{64} << 20U;

Error unusable(const KnownVault& known, const std::string& path) {
  const bool missing = known.usability == index::Usability::missing;
  return {missing ? ErrorKind::not_found : ErrorKind::damaged,
          missing ? "there is no index of this workspace yet"
                  : "the index cannot be read by this version of Daybook",
          path,
          "Make it with 'daybook reindex'; nothing is lost by that."};
}

/// Tells real changes from those that only stat suspects.
class ChangeCheck {
 public:
  ChangeCheck(base::Folder& root, const scan::VaultListing& listing, KnownVault& known)
      : reader_(root), listing_(listing), known_(known) {}

  Result<bool> has_changed(Index file, const scan::Fingerprint& fingerprint) {
    if (fingerprint.stat != scan::kNeverEqual) {
      return true;
    }
    TRY_ASSIGN(const auto row, known_.row(fingerprint.file));
    const auto opened = reader_.open(
        listing_.folder_path(file), listing_.file_name(file), scan::kLargestTranscript);
    if (!row || !opened || opened->too_large || !has_same_stat(*row, opened->stat)) {
      return true;
    }
    if (!row->source_sha256) {
      return row->status != index::FileStatus::note;  // of a plain note nothing is known
    }
    hashed_ += opened->size;
    if (hashed_ > kMostHashed) {
      return true;
    }
    return seal_of_rest(reader_, *opened) != row->source_sha256;
  }

 private:
  scan::FileReader reader_;
  const scan::VaultListing& listing_;
  KnownVault& known_;
  std::uint64_t hashed_ = 0;
};

/// Where a link that goes by name leads now.
std::string resolved_now(const scan::NoteNames& names, const index::FoundLink& found) {
  const std::string& target = found.link.target;
  if (found.link.form != lineage::LinkForm::note) {
    return names.contains(target) ? target : std::string();
  }
  const std::size_t slash = found.source.rfind('/');
  auto resolution = names.resolve(target, std::string_view(found.source).substr(0, slash));
  return resolution.outcome == scan::Resolution::Outcome::found ? std::move(resolution.path)
                                                                : std::string();
}

/// Paths of notes below memory/ are among the files that were compared already.
bool goes_by_name(const index::LinkRow& link) {
  return link.form == lineage::LinkForm::note || (link.form == lineage::LinkForm::memory_path &&
                                                  !link.target.ends_with(scan::kNoteExtension));
}

/// Names come and go all the time; what counts is whether a link leads elsewhere by that.
Result<bool> links_lead_elsewhere(base::Folder& root,
                                  const scan::VaultListing& listing,
                                  KnownVault& known) {
  if (known.names_digest.empty()) {
    return false;
  }
  const scan::NoteNames names = scan::NoteNames::list(root, listing);
  if (known.names_digest == std::to_string(names.digest())) {
    return false;
  }
  index::Reader reader(*known.database);
  std::vector<std::string> sources;
  TRY(reader.files_that_link_by_name(
      [&sources](const index::FileRow& row) { sources.push_back(row.path()); }));
  for (const std::string& source : sources) {
    TRY_ASSIGN(const auto links, reader.links_from(source));
    for (const index::FoundLink& found : links) {
      if (goes_by_name(found.link) && resolved_now(names, found) != found.link.resolved) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<Freshness> look_at_freshness(base::Disk& disk, const state::StateFolder& folder) {
  const std::string path = folder.file(index::kIndexFile);
  TRY_ASSIGN(KnownVault known, KnownVault::open(path, store::Access::read_only));
  if (!known.usable()) {
    return unusable(known, path);
  }
  TRY_ASSIGN(const auto root, disk.open_root(folder.workspace()));
  TRY_ASSIGN(const auto listing, scan::VaultListing::list(*root));
  TRY_ASSIGN(const scan::Survey survey,
             scan::survey(disk,
                          folder.workspace(),
                          listing,
                          known.meta.secret,
                          base::disk_clock_ms() * 1'000'000,
                          thread_count(0, listing.unit_starts().size())));
  const scan::Differences differences = scan::differences(survey, known.fingerprints);
  Freshness found;
  found.scanned = listing.entries().size();
  found.added = differences.added.size();
  found.removed = differences.gone.size();
  ChangeCheck check(*root, listing, known);
  for (const Index file : differences.changed) {
    const scan::Fingerprint* fingerprint = known.fingerprints.find(survey.files[file].path);
    TRY_ASSIGN(const bool changed, check.has_changed(file, *fingerprint));
    found.changed += changed ? 1U : 0U;
  }
  TRY_ASSIGN(found.links_changed, links_lead_elsewhere(*root, listing, known));
  return found;
}

}  // namespace daybook::service

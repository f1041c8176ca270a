// SPDX-License-Identifier: MIT
//
// An examined note -> what the index keeps of it, and its judgement against the seal that this
// device has of it: an immutable file that is whole is sealed when first seen, one that differs
// later keeps the place in the ledger that was sealed, and nothing of its new text. Belongs to the
// thread that writes. Seals are put in batches; flush() must have succeeded before the rows that
// rely on them are committed, so that no file is known to the index and never sealed.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/state/state_db.hpp"
#include "service/note_examiner.hpp"

#include <utility>
#include <vector>

namespace daybook::service {

/// What the ledger shows when the sealed sentence is not known.
inline constexpr const char* kChangedSinceSealed = "(changed since sealed)";

/// Without regard to seals of this device. Takes what it keeps out of the note.
index::FileFacts facts_of(const scan::VaultListing& listing,
                          scan::VaultListing::Index file,
                          ExaminedNote& note);

/// What is remembered of an immutable file that is whole now.
state::Seal seal_of(const ExaminedNote& note,
                    const index::FileFacts& facts,
                    lineage::Timestamp now);

class SealKeeper {
 public:
  SealKeeper(state::StateDb& state, lineage::Timestamp now) : state_(state), now_(now) {}

  /// Asks for the seals only when there are any.
  Result<void> begin();
  /// Completes the facts of a note that counts.
  Result<void> judge(const scan::VaultListing::Entry& entry,
                     const ExaminedNote& note,
                     index::FileFacts& facts);
  Result<void> flush();

 private:
  Result<void> judge_artifact(const lineage::ArtifactName& name,
                              const ExaminedNote& note,
                              index::FileFacts& facts);
  Result<void> judge_manifest(index::FileFacts& facts);

  state::StateDb& state_;
  lineage::Timestamp now_;
  bool any_known_ = true;
  std::vector<state::SealedFile> to_seal_;
  std::vector<std::pair<lineage::SessionToken, state::ManifestRevision>> revisions_;
};

}  // namespace daybook::service

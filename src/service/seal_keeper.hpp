// SPDX-License-Identifier: MIT
//
// Judges examined files against the seals that this device has of them: an immutable file that is
// whole is sealed when first seen, one that differs later keeps the place in the ledger that was
// sealed, and nothing of its new text. New seals are written in batches on a thread of their own,
// so that the one who writes rows need not wait; flush() must have succeeded before the rows that
// rely on them are committed. find() and erase() may be called from any thread, the others from
// one.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/state/state_db.hpp"
#include "service/file_facts.hpp"

#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace daybook::service {

/// What the ledger shows when the sealed sentence is not known.
inline constexpr const char* kChangedSinceSealed = "(changed since sealed)";

class SealKeeper {
 public:
  static constexpr std::size_t kUsualBatch = 4000;

  /// `state` must outlive it, and nobody else may use it between the first judgement and a flush.
  static Result<SealKeeper> make(state::StateDb& state,
                                 lineage::Timestamp now,
                                 std::size_t batch = kUsualBatch);

  Result<std::optional<state::Seal>> find(const lineage::ArtifactName& name);
  Result<void> erase(const lineage::ArtifactName& name);

  /// Completes the facts of a file that counts.
  Result<void> judge(const scan::VaultListing::Entry& entry, ExaminedFile& examined);
  /// Begins to seal what was judged so far, while the caller goes on.
  Result<void> write_beside();
  /// Everything that was judged so far is sealed.
  Result<void> flush();

 private:
  SealKeeper(state::StateDb& state, lineage::Timestamp now, std::size_t batch)
      : state_(&state), now_(now), batch_(batch) {}

  Result<void> judge_artifact(const lineage::ArtifactName& name, ExaminedFile& examined);
  Result<void> judge_manifest(index::FileFacts& facts);
  Result<void> wait();

  state::StateDb* state_;
  lineage::Timestamp now_;
  std::size_t batch_;
  bool any_seals_ = true;  // else nothing is asked
  bool any_revisions_ = true;
  std::unique_ptr<std::mutex> in_use_ = std::make_unique<std::mutex>();  // of state_
  std::vector<state::SealedFile> to_seal_;
  std::vector<std::pair<lineage::SessionToken, state::ManifestRevision>> revisions_;
  std::future<Result<void>> writing_;  // last, so that it ends before what it uses goes
};

}  // namespace daybook::service

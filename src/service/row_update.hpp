// SPDX-License-Identifier: MIT
//
// Plan and examined files -> rows, inside the caller's transaction: files as their units come in,
// then what is worked out of them: sessions, months of full text, meta. An index that is brought up
// to date and one that is made anew take the same way. One thread; the workers examine beside it.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/index/writer.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_db.hpp"
#include "service/index_pass.hpp"
#include "service/pass_plan.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace daybook::service {

class RowUpdate {
 public:
  /// All must outlive it. `text_folder`: where the full text of each month is.
  RowUpdate(PassPlan& plan,
            state::StateDb& state,
            SealKeeper& seals,
            store::Database& database,
            std::string text_folder);

  /// Fills in what the report says of rows. Ends early, without error, when cancelled: then nothing
  /// may be committed.
  Result<void> run(lineage::Timestamp now, WorkProgress& progress, IndexPassReport& report);

 private:
  using Index = scan::VaultListing::Index;

  Result<void> take_tombstones();
  Result<void> take_file(ExaminedFile& examined);
  Result<void> erase_seals(std::span<const ExaminedFile> unit);
  Result<void> put_session_of(std::span<const ExaminedFile> files);
  Result<void> keep_frozen(Index file,
                           std::int64_t id,
                           const std::vector<lineage::Diagnostic>& diagnostics);
  Result<void> erase_gone();
  Result<void> doubt_around_vanished();
  Result<void> copy_frozen();
  Result<void> erase_row(std::int64_t id);
  Result<void> compare_findings(std::int64_t id, const std::vector<lineage::Diagnostic>& now);
  void note_change(const std::optional<index::FileRow>& before, const index::FileRow& now);
  void note_learning(const index::FileRow& row);
  void mark_month(const index::FileRow& row);
  Result<void> write_sessions();
  Result<void> write_months();
  Result<void> write_other_diagnostics();
  Result<void> write_meta(lineage::Timestamp now);
  void begin_generation();
  Result<void> write_narrow_meta(const std::vector<std::string>& agents_before);
  scan::Fingerprints new_fingerprints() const;

  PassPlan& plan_;
  state::StateDb& state_;
  SealKeeper& seals_;
  store::Database& database_;
  std::string text_folder_;
  IndexPassReport* report_ = nullptr;  // of the run at hand
  std::uint64_t published_ = 0;        // the highest generation so far

  std::optional<index::Writer> writer_;
  std::vector<std::uint32_t> ids_;                // row of each listed file, 0: none
  std::vector<Index> vanished_;                   // listed, and gone when they were to be read
  std::vector<bool> look_again_;                  // by listed file: never equal
  std::set<lineage::SessionToken> sessions_;      // to be worked out at the end
  std::set<lineage::SessionToken> put_sessions_;  // done, in a new index
  std::set<std::uint64_t> learnings_;             // ids of which several notes may speak
  std::set<std::int64_t> months_;                 // whose full text will be behind
};

}  // namespace daybook::service

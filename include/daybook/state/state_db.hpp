// SPDX-License-Identifier: MIT
//
// `<state>/state.db`: what files cannot model and a rebuild of the index never touches. One
// connection, and its parts: seals, telemetry, publications, the second copy of tombstones, audit,
// flows, imported files, tracked runs, known manifest revisions. A damaged file is set aside and
// made anew, and says so. One thread uses a StateDb and its parts at a time; several processes may
// have it open. A failed call changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/state/audit.hpp"
#include "daybook/state/flows.hpp"
#include "daybook/state/imported.hpp"
#include "daybook/state/publications.hpp"
#include "daybook/state/seals.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/telemetry.hpp"
#include "daybook/state/tombstone_copies.hpp"
#include "daybook/state/tracked_runs.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace daybook::state {

/// In meta() while bytes of removed text may still stand in some file of the state folder: `1`.
inline constexpr const char* kErasurePending = "erasure_pending";
/// How much captures have redacted so far. A capture that was cut off at its very end counts twice.
inline constexpr const char* kRedactedSecrets = "redacted_secrets";
inline constexpr const char* kRedactedPii = "redacted_pii";

/// The highest revision of a session's manifest that was seen.
struct ManifestRevision {
  std::int64_t revision = 0;
  base::Digest sha256{};
  bool operator==(const ManifestRevision&) const = default;
};

class StateDb {
 public:
  /// usage when a newer program wrote it. In a folder that is only looked at it is only read: one
  /// that is missing, damaged or of an older program is an error then, and stays as it is.
  static Result<StateDb> open(const StateFolder& folder, int busy_timeout_ms = 5000);

  /// Whether one that has been open for a while is still the file that its path names, with the
  /// tables that this program knows, and nobody suspects it.
  bool is_current();
  /// As store::Database's.
  void hold_open();
  Result<void> write_log_back();

  StateDb(StateDb&&) noexcept;
  StateDb& operator=(StateDb&&) noexcept;
  ~StateDb();

  /// The name under which a damaged state.db was set aside while opening; else empty.
  const std::string& set_aside() const;

  Seals& seals();
  Telemetry& telemetry();
  Publications& publications();
  TombstoneCopies& tombstones();
  Audit& audit();
  Flows& flows();
  Imported& imported();
  TrackedRuns& runs();

  /// While one lives, commits do not wait for the disk: for notes on the way whose loss a power cut
  /// may cause, because something else that is durable says the same. The next commit without it
  /// makes them durable, too. Processes that only die lose nothing.
  class Relaxed {
   public:
    explicit Relaxed(StateDb& state);
    ~Relaxed();
    Relaxed(const Relaxed&) = delete;
    Relaxed& operator=(const Relaxed&) = delete;

   private:
    StateDb& state_;
  };

  Result<bool> has_manifest_revisions();
  Result<std::optional<ManifestRevision>> manifest_revision(const lineage::SessionToken& token);
  /// A lower revision than the known one changes nothing.
  Result<void> put_manifest_revision(const lineage::SessionToken& token,
                                     const ManifestRevision& revision);
  /// All of them in one transaction.
  Result<void> put_manifest_revisions(
      std::span<const std::pair<lineage::SessionToken, ManifestRevision>> revisions);

  /// Small facts by name.
  Result<std::optional<std::string>> meta(std::string_view name);
  Result<void> put_meta(std::string_view name, std::string_view value);
  /// Of a fact that is a number; one that is not there counts as 0.
  Result<void> add_to_meta(std::string_view name, std::uint64_t more);
  Result<std::uint64_t> meta_number(std::string_view name);

  /// Everything of that session but its tombstones, its removal and the audit, in one transaction.
  Result<void> erase_session(const lineage::SessionToken& token);
  /// All telemetry, also what is only noted (state/noted_uses.hpp).
  Result<void> reset_telemetry();
  /// Leaves no byte of anything that was erased in any of its files; busy, "erasure pending",
  /// beside a reader that holds it up.
  Result<void> scrub();

  /// Something went wrong that damage would explain: the next open() reads every page.
  void suspect();

 private:
  struct Parts;
  explicit StateDb(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace daybook::state

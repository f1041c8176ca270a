// SPDX-License-Identifier: MIT
#include "daybook/state/state_db.hpp"

#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/noted_uses.hpp"
#include "daybook/store/transaction.hpp"
#include "state/durable_database.hpp"
#include "state/meta_counter.hpp"
#include "state/state_schema.hpp"
#include "state/token_blob.hpp"

#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace daybook::state {
namespace {

using lineage::SessionToken;
using store::Database;
using store::Row;

constexpr std::int64_t kApplicationId = 0x44424B53;  // "DBKS"
// Reading every page of a file of this size costs some milliseconds; a larger one is read only
// under suspicion.
constexpr off_t kAlwaysChecked = off_t{4} << 20;
constexpr mode_t kPrivate = 0600;

std::string suspicion_path(const std::string& path) { return std::string(path).append(".suspect"); }

Soundness how_thoroughly(const std::string& path) {
  struct stat status {};
  const bool small = ::lstat(path.c_str(), &status) != 0 || status.st_size <= kAlwaysChecked;
  const bool suspected = ::access(suspicion_path(path).c_str(), F_OK) == 0;
  return small || suspected ? Soundness::all_pages : Soundness::header;
}

}  // namespace

struct StateDb::Parts {
  Parts(OpenedDatabase opened, std::string uses)
      : database(std::move(opened.database)),
        set_aside(std::move(opened.set_aside)),
        uses_path(std::move(uses)) {}

  Database database;
  std::string set_aside;
  std::string uses_path;  // empty: nothing is to be written
  Seals seals{database};
  Telemetry telemetry{database};
  Publications publications{database};
  TombstoneCopies tombstones{database};
  Audit audit{database};
  Flows flows{database};
  Imported imported{database};
  TrackedRuns runs{database};

  /// What was noted beside state.db goes into it, inside a transaction that the caller has begun
  /// and after whose end it calls drop_taken_uses(). Not what was noted of sessions that have been
  /// removed meanwhile: it would come back.
  Result<void> count_noted_uses() {
    TRY_ASSIGN(const auto uses, take_noted_uses(uses_path));
    if (uses.empty()) {
      return {};
    }
    lineage::TombstoneSet removed;
    TRY_ASSIGN(const auto copies, tombstones.all());
    for (const lineage::Tombstone& copy : copies) {
      removed.add(copy);
    }
    for (const NotedUse& use : uses) {
      std::vector<TelemetrySubject> left = use.sessions;
      std::erase_if(left, [&removed](const TelemetrySubject& session) {
        return removed.removes_session(session.token);
      });
      TRY(telemetry.add(use.event, left, use.time));
    }
    return {};
  }

  /// For a question, which does not wait: what another process's writing keeps out is counted
  /// later.
  void take_in_uses() {
    const store::NoWaiting at_once(database);
    constexpr int kBatches = 2;  // what a taking that was cut off has left, and the rest
    for (int batch = 0; batch < kBatches && has_noted_uses(uses_path); ++batch) {
      auto writing = store::Transaction::begin(database);
      if (!writing || !count_noted_uses() || !writing->commit()) {
        return;
      }
      drop_taken_uses(uses_path);
    }
  }
};

StateDb::StateDb(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
StateDb::StateDb(StateDb&&) noexcept = default;
StateDb& StateDb::operator=(StateDb&&) noexcept = default;
StateDb::~StateDb() = default;

Result<StateDb> StateDb::open(const StateFolder& folder, int busy_timeout_ms) {
  const std::string path = folder.file("state.db");
  const Soundness soundness = how_thoroughly(path);
  const DurableDatabase wanted{path,
                               kApplicationId,
                               "daybook state",
                               kStateDbSchema,
                               busy_timeout_ms,
                               soundness,
                               true,
                               bring_state_forward,
                               [](Database& database) -> Result<bool> {
                                 TRY_ASSIGN(const auto rows,
                                            database.integer("SELECT count(*) FROM highest"));
                                 return rows == 1;
                               }};
  if (folder.is_only_looked_at()) {
    TRY_ASSIGN(auto database, look_at_durable(wanted));
    // What is noted beside it is counted by whoever may write.
    return StateDb(std::make_unique<Parts>(OpenedDatabase{std::move(database), {}}, std::string()));
  }
  TRY_ASSIGN(auto opened, open_durable(wanted));
  if (soundness == Soundness::all_pages) {
    static_cast<void>(::unlink(suspicion_path(path).c_str()));
  }
  return StateDb(std::make_unique<Parts>(std::move(opened), folder.file(kUsesFile)));
}

bool StateDb::is_current() {
  Database& database = parts_->database;
  if (!database.is_current() || ::access(suspicion_path(database.path()).c_str(), F_OK) == 0) {
    return false;
  }
  const auto version = database.integer("PRAGMA user_version");
  return version && *version == kStateDbSchema;
}

void StateDb::hold_open() { parts_->database.hold_open(); }
Result<void> StateDb::write_log_back() { return parts_->database.write_log_back(); }

const std::string& StateDb::set_aside() const { return parts_->set_aside; }
Seals& StateDb::seals() { return parts_->seals; }

Telemetry& StateDb::telemetry() {
  if (!parts_->uses_path.empty() && has_noted_uses(parts_->uses_path)) {
    const Relaxed relaxed(*this);
    parts_->take_in_uses();
  }
  return parts_->telemetry;
}

Publications& StateDb::publications() { return parts_->publications; }
TombstoneCopies& StateDb::tombstones() { return parts_->tombstones; }
Audit& StateDb::audit() { return parts_->audit; }
Flows& StateDb::flows() { return parts_->flows; }
Imported& StateDb::imported() { return parts_->imported; }
TrackedRuns& StateDb::runs() { return parts_->runs; }

// Should one of these fail, commits wait as they did: slower, and as safe.
StateDb::Relaxed::Relaxed(StateDb& state) : state_(state) {
  static_cast<void>(state_.parts_->database.execute("PRAGMA synchronous=NORMAL"));
}
StateDb::Relaxed::~Relaxed() {
  static_cast<void>(state_.parts_->database.execute("PRAGMA synchronous=FULL"));
}

Result<bool> StateDb::has_manifest_revisions() {
  TRY_ASSIGN(const auto any, parts_->database.integer("SELECT 1 FROM manifest_revision LIMIT 1"));
  return any.has_value();
}

Result<std::optional<ManifestRevision>> StateDb::manifest_revision(const SessionToken& token) {
  TRY_ASSIGN(
      auto select,
      parts_->database.prepare("SELECT revision, sha256 FROM manifest_revision WHERE token = ?"));
  std::optional<ManifestRevision> found;
  const TokenBytes bytes = to_bytes(token);
  TRY(select.each(
      [&found](const Row& row) {
        found = ManifestRevision{row.integer(0), digest_from_blob(row.blob(1))};
      },
      store::as_blob(bytes)));
  return found;
}

Result<void> StateDb::put_manifest_revision(const SessionToken& token,
                                            const ManifestRevision& revision) {
  const std::pair<SessionToken, ManifestRevision> one(token, revision);
  return put_manifest_revisions({&one, 1});
}

Result<void> StateDb::put_manifest_revisions(
    std::span<const std::pair<SessionToken, ManifestRevision>> revisions) {
  if (revisions.empty()) {
    return {};
  }
  TRY_ASSIGN(auto transaction, store::Transaction::begin(parts_->database));
  TRY_ASSIGN(auto insert,
             parts_->database.prepare(
                 "INSERT INTO manifest_revision(token, revision, sha256) VALUES(?,?,?)"
                 " ON CONFLICT DO UPDATE SET revision = excluded.revision,"
                 " sha256 = excluded.sha256 WHERE excluded.revision >= revision"));
  for (const auto& [token, revision] : revisions) {
    const TokenBytes bytes = to_bytes(token);
    TRY(insert.run(store::as_blob(bytes), revision.revision, store::as_blob(revision.sha256)));
  }
  return transaction.commit();
}

Result<std::optional<std::string>> StateDb::meta(std::string_view name) {
  TRY_ASSIGN(auto select, parts_->database.prepare("SELECT value FROM meta WHERE name = ?"));
  std::optional<std::string> found;
  TRY(select.each([&found](const Row& row) { found = std::string(row.text(0)); }, name));
  return found;
}

Result<void> StateDb::put_meta(std::string_view name, std::string_view value) {
  TRY_ASSIGN(auto insert, parts_->database.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)"));
  return insert.run(name, value);
}

Result<void> StateDb::add_to_meta(std::string_view name, std::uint64_t more) {
  return add_to_counter(parts_->database, name, more);
}

Result<std::uint64_t> StateDb::meta_number(std::string_view name) {
  TRY_ASSIGN(const auto text, meta(name));
  std::uint64_t number = 0;
  if (text) {
    std::from_chars(text->data(), text->data() + text->size(), number);
  }
  return number;
}

Result<void> StateDb::erase_session(const SessionToken& token) {
  Database& database = parts_->database;
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database));
  // Or what is noted of the session would come back afterwards. Counts may rather be lost.
  if (!parts_->count_noted_uses()) {
    TRY(forget_noted_uses(parts_->uses_path));
  }
  TRY(parts_->seals.erase(token));
  TRY(parts_->telemetry.erase(token));
  TRY(parts_->imported.erase(token));
  TRY(parts_->runs.erase(token));
  TRY_ASSIGN(auto revisions, database.prepare("DELETE FROM manifest_revision WHERE token = ?"));
  const TokenBytes bytes = to_bytes(token);
  TRY(revisions.run(store::as_blob(bytes)));
  TRY_ASSIGN(auto flows, database.prepare("DELETE FROM flow WHERE subject = ? AND kind <> ?"));
  TRY(flows.run(token.to_string(), kRemovalFlow));
  TRY(transaction.commit());
  drop_taken_uses(parts_->uses_path);
  return {};
}

Result<void> StateDb::reset_telemetry() {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(parts_->database));
  TRY(parts_->telemetry.reset());
  TRY(forget_noted_uses(parts_->uses_path));
  return transaction.commit();
}

Result<void> StateDb::scrub() {
  // Pages freed before secure_delete was on, and what is left over inside pages, go with VACUUM;
  // older versions of pages stand in the -wal until it is emptied.
  Result<void> done = parts_->database.execute("VACUUM");
  if (done) {
    done = parts_->database.checkpoint();
  }
  if (!done && done.error().kind == ErrorKind::busy) {
    return std::move(done.error()).in_context("erasure pending");
  }
  return done;
}

void StateDb::suspect() {
  const std::string path = suspicion_path(parts_->database.path());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kPrivate);
  if (file >= 0) {
    ::close(file);
  }
}

}  // namespace daybook::state

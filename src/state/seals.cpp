// SPDX-License-Identifier: MIT
#include "daybook/state/seals.hpp"

#include "daybook/store/transaction.hpp"
#include "state/kept_statement.hpp"
#include "state/token_blob.hpp"

namespace daybook::state {
namespace {

using lineage::ArtifactName;
using lineage::Timestamp;
using store::Row;

constexpr const char* kColumns =
    "file, body, fields, sentence, project, membership, started, ended, accepted, first_seen";
constexpr int kColumnCount = 10;

std::optional<Timestamp> optional_time(const Row& row, int column) {
  const auto ms = row.optional_integer(column);
  return ms ? std::optional(Timestamp{*ms}) : std::nullopt;
}

std::optional<std::int64_t> ms_of(const std::optional<Timestamp>& time) {
  return time ? std::optional(time->ms) : std::nullopt;
}

Seal read_seal(const Row& row) {
  return {digest_from_blob(row.blob(0)),
          digest_from_blob(row.blob(1)),
          std::string(row.blob(2)),
          std::string(row.text(3)),
          std::string(row.text(4)),
          {row.integer(5)},
          optional_time(row, 6),
          optional_time(row, 7),
          row.integer(8) != 0,
          {row.integer(9)}};
}

}  // namespace

struct Seals::Statements {
  KeptStatement find{
      "SELECT file, body, fields, sentence, project, membership, started, ended, accepted,"
      " first_seen FROM seal WHERE token = ? AND captured_at = ? AND kind = ?"};
  KeptStatement put{
      // Not OR REPLACE, before which SQLite takes a savepoint each time.
      "INSERT INTO seal(token, captured_at, kind, file, body, fields, sentence, project,"
      " membership, started, ended, accepted, first_seen) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"
      " ON CONFLICT DO UPDATE SET file = excluded.file, body = excluded.body,"
      " fields = excluded.fields, sentence = excluded.sentence, project = excluded.project,"
      " membership = excluded.membership, started = excluded.started, ended = excluded.ended,"
      " accepted = excluded.accepted, first_seen = excluded.first_seen"};
};

Seals::Seals(store::Database& database)
    : database_(database), statements_(std::make_unique<Statements>()) {}
Seals::~Seals() = default;

Result<std::optional<Seal>> Seals::find(const ArtifactName& name) {
  TRY_ASSIGN(store::Statement * select, statements_->find.in(database_));
  std::optional<Seal> found;
  const TokenBytes token = to_bytes(name.token);
  TRY(select->each([&found](const Row& row) { found = read_seal(row); },
                   store::as_blob(token),
                   name.captured_at.ms,
                   name.kind));
  return found;
}

Result<void> Seals::put(std::span<const SealedFile> seals) {
  if (seals.empty()) {
    return {};
  }
  TRY_ASSIGN(store::Statement * insert, statements_->put.in(database_));
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  for (const auto& [name, seal] : seals) {
    const TokenBytes token = to_bytes(name.token);
    TRY(insert->run(store::as_blob(token),
                    name.captured_at.ms,
                    name.kind,
                    store::as_blob(seal.file),
                    store::as_blob(seal.body),
                    store::Blob{seal.fields},
                    seal.sentence,
                    seal.project,
                    seal.membership.ms,
                    ms_of(seal.started),
                    ms_of(seal.ended),
                    seal.accepted,
                    seal.first_seen.ms));
  }
  return transaction.commit();
}

Result<void> Seals::erase(const lineage::SessionToken& token) {
  TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM seal WHERE token = ?"));
  const TokenBytes bytes = to_bytes(token);
  return erase.run(store::as_blob(bytes));
}

Result<void> Seals::erase(const ArtifactName& name) {
  TRY_ASSIGN(
      auto erase,
      database_.prepare("DELETE FROM seal WHERE token = ? AND captured_at = ? AND kind = ?"));
  const TokenBytes bytes = to_bytes(name.token);
  return erase.run(store::as_blob(bytes), name.captured_at.ms, name.kind);
}

Result<bool> Seals::empty() {
  TRY_ASSIGN(const auto any, database_.integer("SELECT 1 FROM seal LIMIT 1"));
  return !any.has_value();
}

Result<void> Seals::each(const std::function<void(const ArtifactName&, const Seal&)>& visit) {
  TRY_ASSIGN(auto select,
             database_.prepare(std::string("SELECT ").append(kColumns).append(
                 ", token, captured_at, kind FROM seal"
                 " ORDER BY token, captured_at, kind")));
  return select.each([&visit](const Row& row) {
    visit({token_from_blob(row.blob(kColumnCount)),
           {row.integer(kColumnCount + 1)},
           static_cast<lineage::Kind>(row.integer(kColumnCount + 2))},
          read_seal(row));
  });
}

Result<std::int64_t> Seals::count() {
  TRY_ASSIGN(const auto count, database_.integer("SELECT count(*) FROM seal"));
  return count.value_or(0);
}

}  // namespace daybook::state

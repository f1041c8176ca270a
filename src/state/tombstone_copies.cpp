// SPDX-License-Identifier: MIT
#include "daybook/state/tombstone_copies.hpp"

#include "state/token_blob.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::state {
namespace {

using lineage::SessionToken;
using lineage::Timestamp;
using lineage::Tombstone;
using store::Row;

// A key column holds no NULL.
constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

std::string_view view_of(const auto& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string pack_tokens(const std::vector<SessionToken>& tokens) {
  std::string packed;
  packed.reserve(tokens.size() * sizeof(TokenBytes));
  for (const SessionToken& token : tokens) {
    const TokenBytes bytes = to_bytes(token);
    packed.append(view_of(bytes));
  }
  return packed;
}

std::string pack_digests(const std::vector<base::Digest>& digests) {
  std::string packed;
  packed.reserve(digests.size() * sizeof(base::Digest));
  for (const base::Digest& digest : digests) {
    packed.append(view_of(digest));
  }
  return packed;
}

template <typename Value, typename Read>
std::vector<Value> unpack(std::string_view packed, std::size_t size, Read read) {
  std::vector<Value> values;
  values.reserve(packed.size() / size);
  for (; packed.size() >= size; packed.remove_prefix(size)) {
    values.push_back(read(packed.substr(0, size)));
  }
  return values;
}

Tombstone read_tombstone(const Row& row) {
  Tombstone tombstone;
  tombstone.token = token_from_blob(row.blob(0));
  if (row.integer(1) != kNoTime) {
    tombstone.removed_at = Timestamp{row.integer(1)};
  }
  tombstone.scope = static_cast<lineage::TombstoneScope>(row.integer(2));
  tombstone.agent_id = row.text(3);
  tombstone.reason = row.text(4);
  if (const auto lifted = row.optional_integer(5)) {
    tombstone.lifted_at = Timestamp{*lifted};
  }
  tombstone.also_tokens = unpack<SessionToken>(row.blob(6), sizeof(TokenBytes), token_from_blob);
  tombstone.removed_paths = unpack_texts(row.blob(7));
  tombstone.removed_sha256 =
      unpack<base::Digest>(row.blob(8), sizeof(base::Digest), digest_from_blob);
  if (const auto learning = row.optional_integer(9)) {
    tombstone.learning_id = static_cast<std::uint64_t>(*learning);
  }
  return tombstone;
}

}  // namespace

Result<void> TombstoneCopies::put(const Tombstone& tombstone) {
  TRY_ASSIGN(auto insert,
             database_.prepare(
                 "INSERT INTO tombstone(token, removed_at, scope, agent_id, reason, lifted_at,"
                 " also_tokens, removed_paths, removed_sha256, learning_id)"
                 " VALUES(?,?,?,?,?,?,?,?,?,?)"
                 " ON CONFLICT DO UPDATE SET agent_id = excluded.agent_id,"
                 " reason = excluded.reason,"
                 " lifted_at = coalesce(excluded.lifted_at, lifted_at),"
                 " also_tokens = excluded.also_tokens, removed_paths = excluded.removed_paths,"
                 " removed_sha256 = excluded.removed_sha256,"
                 " learning_id = excluded.learning_id"));
  const TokenBytes token = to_bytes(tombstone.token);
  const std::string also_tokens = pack_tokens(tombstone.also_tokens);
  const std::string paths = pack_texts(tombstone.removed_paths);
  const std::string digests = pack_digests(tombstone.removed_sha256);
  return insert.run(store::as_blob(token),
                    tombstone.removed_at ? tombstone.removed_at->ms : kNoTime,
                    tombstone.scope,
                    tombstone.agent_id,
                    tombstone.reason,
                    tombstone.lifted_at ? std::optional(tombstone.lifted_at->ms) : std::nullopt,
                    store::Blob{also_tokens},
                    store::Blob{paths},
                    store::Blob{digests},
                    tombstone.learning_id
                        ? std::optional(static_cast<std::int64_t>(*tombstone.learning_id))
                        : std::nullopt);
}

Result<std::vector<Tombstone>> TombstoneCopies::all() {
  TRY_ASSIGN(
      auto select,
      database_.prepare("SELECT token, removed_at, scope, agent_id, reason, lifted_at,"
                        " also_tokens, removed_paths, removed_sha256, learning_id FROM tombstone"
                        " ORDER BY token, removed_at, scope"));
  std::vector<Tombstone> found;
  TRY(select.each([&found](const Row& row) { found.push_back(read_tombstone(row)); }));
  return found;
}

Result<std::int64_t> TombstoneCopies::lift(const SessionToken& token, Timestamp time) {
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE tombstone SET lifted_at = ? WHERE token = ? AND"
                               " lifted_at IS NULL"));
  const TokenBytes bytes = to_bytes(token);
  TRY(update.run(time.ms, store::as_blob(bytes)));
  return database_.changes();
}

}  // namespace daybook::state

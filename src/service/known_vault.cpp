// SPDX-License-Identifier: MIT
#include "service/known_vault.hpp"

#include "daybook/index/newer_fingerprints.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <sstream>
#include <utility>

namespace daybook::service {

bool KnownVault::could_not_read(const std::string& path) const {
  return ("\n" + unreadable).find("\n" + path + "\n") != std::string::npos;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text.append(line).append(1, '\n');
  }
  return text;
}

Result<KnownVault> KnownVault::without_fingerprints(index::OpenedIndex opened) {
  KnownVault known;
  known.usability = opened.usability;
  if (!opened.database) {
    return known;
  }
  known.meta = std::move(opened.meta);
  known.database.emplace(std::move(*opened.database));
  const auto text = [&](const char* key) -> Result<std::string> {
    TRY_ASSIGN(auto value, index::meta_text(*known.database, key));
    return value.value_or("");
  };
  TRY_ASSIGN(const std::string facts, text("tombstones"));
  known.tombstone_facts = split_lines(facts);
  TRY_ASSIGN(known.names_digest, text("names_digest"));
  TRY_ASSIGN(known.state_id, text("state_id"));
  TRY_ASSIGN(known.unreadable, text("unreadable"));
  TRY_ASSIGN(known.guard, text("guard"));
  return known;
}

Result<KnownVault> KnownVault::open(const std::string& path, store::Access access) {
  TRY_ASSIGN(auto opened, index::open_index(path, access));
  TRY_ASSIGN(KnownVault known, without_fingerprints(std::move(opened)));
  if (!known.usable()) {
    return known;
  }
  std::optional<scan::Fingerprints> fingerprints;
  TRY(index::visit_large_meta(*known.database, "fingerprints", [&](std::string_view blob) {
    fingerprints = scan::Fingerprints::decode(blob);
  }));
  if (!fingerprints) {
    known.usability = index::Usability::damaged;
    known.database.reset();
    return known;
  }
  known.fingerprints = std::move(*fingerprints);
  TRY_ASSIGN(const auto kept, index::newer_fingerprints(*known.database));
  std::vector<scan::Fingerprint> newer;
  newer.reserve(kept.size());
  for (const index::NewerFingerprint& fingerprint : kept) {
    newer.push_back({fingerprint.path, fingerprint.stat, fingerprint.file});
  }
  known.newer_fingerprints = newer.size();
  known.fingerprints.renew(newer);
  return known;
}

Result<std::optional<index::FileRow>> KnownVault::row(std::int64_t id) {
  if (id == 0 || !database) {
    return std::optional<index::FileRow>();
  }
  return index::Reader(*database).file(id);
}

Error cannot_list(Error error, const std::string& workspace, const KnownVault& known) {
  error.kind =
      known.usability == index::Usability::missing ? ErrorKind::no_workspace : ErrorKind::io;
  error.path = workspace + "/" + std::string(scan::kMemoryFolder);
  if (error.kind == ErrorKind::io) {
    error.hint = "The index and MEMORY.md were left as they are. Is the vault mounted?";
  }
  return error;
}

}  // namespace daybook::service

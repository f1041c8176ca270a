// SPDX-License-Identifier: MIT
//
// What an immutable file was when it was first found whole: the hashes that tell a later change,
// and the sentence, project and times that the ledger shows meanwhile. Rows of state.db, keyed by
// what the file's name says, so that moving a file keeps its seal. Belongs to the StateDb's thread;
// a failed call changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace daybook::state {

struct Seal {
  base::Digest file{};  ///< lineage::file_seal
  base::Digest body{};  ///< lineage::body_hash
  std::string fields;   ///< hashes of the frontmatter's fields, in their reader's own form
  std::string sentence;
  std::string project;
  lineage::Timestamp membership;
  std::optional<lineage::Timestamp> started;
  std::optional<lineage::Timestamp> ended;
  bool accepted = false;  ///< re-sealed by a person's decision
  lineage::Timestamp first_seen;
  bool operator==(const Seal&) const = default;
};

using SealedFile = std::pair<lineage::ArtifactName, Seal>;

class Seals {
 public:
  explicit Seals(store::Database& database);
  ~Seals();

  Result<std::optional<Seal>> find(const lineage::ArtifactName& name);
  /// All or none, in one transaction; a seal that is there is replaced.
  Result<void> put(std::span<const SealedFile> seals);
  Result<void> erase(const lineage::SessionToken& token);
  Result<void> erase(const lineage::ArtifactName& name);
  /// All, in the order of their names.
  Result<void> each(const std::function<void(const lineage::ArtifactName&, const Seal&)>& visit);
  Result<bool> empty();
  Result<std::int64_t> count();

 private:
  struct Statements;
  store::Database& database_;
  std::unique_ptr<Statements> statements_;
};

}  // namespace daybook::state

// SPDX-License-Identifier: MIT
//
// What has changed -> the sessions whose rows may say something else now. A session's rows follow
// from its own files, from which of the files that its links name are there, from the tombstones,
// and (where a link goes by name) from the names in the whole workspace; whatever of these has
// changed makes it dirty, and it is examined as a whole. Erring on the side of dirty costs a
// reading; erring on the other side would leave a stale row. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/scan/vault_listing.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::service {

class DirtyUnits {
 public:
  DirtyUnits(const scan::VaultListing& listing, const scan::Survey& survey, std::uint64_t secret);

  void add_all();
  void add_file(scan::VaultListing::Index file);
  void add_token(lineage::SessionToken token);
  /// If it is listed.
  void add_path(std::string_view workspace_path);

  /// Files that link to this path, which has come or gone.
  Result<void> add_linking_to(index::Reader& known, const std::string& path);
  /// What a tombstone fact (TombstoneSet::facts) that has come or gone concerns.
  Result<void> add_concerned_by(index::Reader& known, const std::string& tombstone_fact);
  /// Files whose links go by name.
  Result<void> add_names_used(index::Reader& known);

  /// First and last+1 of each dirty unit, in the listing's order.
  std::vector<std::pair<scan::VaultListing::Index, scan::VaultListing::Index>> units() const;

 private:
  std::optional<scan::VaultListing::Index> listed(std::string_view workspace_path);

  /// Files of a session, whatever their names say: it has a token by its key and one by its id.
  Result<void> add_session(index::Reader& known, lineage::SessionToken token);

  /// Notes of that id, or of any; with a token only those whose agent and id give it.
  Result<void> add_learnings(index::Reader& known,
                             std::optional<std::uint64_t> id,
                             std::optional<lineage::SessionToken> token = std::nullopt);

  /// Those whose body has that hash, or whose learned words have, as a tombstone lists it.
  Result<void> add_saying(index::Reader& known, const base::Digest& body);

  const scan::VaultListing& listing_;
  const scan::Survey& survey_;
  std::uint64_t secret_;
  std::vector<bool> dirty_;
  std::vector<std::pair<std::uint64_t, scan::VaultListing::Index>> by_path_;  // made when needed
  std::optional<std::multimap<base::Digest, std::string>> said_;  // hash -> path, likewise
  using OfToken = std::pair<lineage::SessionToken, scan::VaultListing::Index>;
  std::optional<std::vector<OfToken>> by_id_;  // sorted, likewise
};

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
//
// A note -> the links in it and the links to it, by the index; and, when asked, why each leads
// where it does: judged anew by the names that are in the workspace now, step by step as Obsidian
// decides. No path that a note names is opened or followed. Reads only; one thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/scan/note_names.hpp"
#include "daybook/scan/vault_listing.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

struct LinksOfNote {
  std::string path;
  std::vector<index::FoundLink> links;
  std::vector<index::FoundLink> backlinks;
};

/// With an agent: only backlinks from its notes; what belongs to no agent is `default`'s.
Result<LinksOfNote> links_of(index::Reader& reader,
                             const std::string& path,
                             const std::string& agent);

/// How a link was decided, one sentence a step; the last one is the outcome.
using Explanation = std::vector<std::string>;

class LinkExplainer {
 public:
  /// Lists the whole workspace.
  static Result<LinkExplainer> make(base::Disk& disk, const std::string& workspace);

  Explanation explain(const index::FoundLink& link) const;

 private:
  LinkExplainer(scan::VaultListing listing, scan::NoteNames names)
      : listing_(std::move(listing)), names_(std::move(names)) {}

  void explain_memory_path(const index::FoundLink& link, Explanation& steps) const;
  void explain_by_name(const index::FoundLink& link, Explanation& steps) const;
  void explain_short_memory_path(const index::FoundLink& link, Explanation& steps) const;

  scan::VaultListing listing_;
  scan::NoteNames names_;
};

}  // namespace daybook::service

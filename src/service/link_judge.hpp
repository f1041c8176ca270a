// SPDX-License-Identifier: MIT
//
// A link or path field -> where it leads and what is wrong with it, if anything. Judged by lists
// alone: no path that a note names is ever opened, followed or even looked at. One judge belongs to
// one thread; the names of the whole workspace are listed once for all of them, when the first link
// needs them.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/scan/note_names.hpp"
#include "daybook/scan/vault_listing.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace daybook::service {

/// NoteNames, made by the first thread that asks.
class LazyNoteNames {
 public:
  const scan::NoteNames& get(base::Folder& workspace, const scan::VaultListing& memory) {
    if (memory.is_partial()) {
      memory.ask_too_much();  // all names take a listing of all files
    }
    std::call_once(once_, [&] {
      names_.emplace(memory.is_partial() ? scan::NoteNames()
                                         : scan::NoteNames::list(workspace, memory));
    });
    return *names_;
  }
  bool made() const { return names_.has_value(); }

 private:
  std::once_flag once_;
  std::optional<scan::NoteNames> names_;
};

struct LinkJudgement {
  lineage::LinkForm form = lineage::LinkForm::note;
  std::string_view target;  ///< as written, without heading and label; points into the link
  std::string resolved;     ///< the workspace path that it leads to; empty: nowhere
  std::optional<lineage::Diagnostic> finding;
};

class LinkJudge {
 public:
  LinkJudge(base::Folder& workspace,
            const scan::VaultListing& listing,
            const lineage::TombstoneSet& tombstones,
            LazyNoteNames& names)
      : workspace_(workspace), listing_(listing), tombstones_(tombstones), names_(names) {}

  LinkJudgement judge_wikilink(std::string_view inside,
                               std::string_view source_folder,
                               std::uint32_t line);
  LinkJudgement judge_path_field(const lineage::PathField& field);

  /// Whether a judgement since the last call hung on the names of the whole workspace.
  bool take_names_used() { return std::exchange(names_used_, false); }

 private:
  void judge_memory_path(LinkJudgement& link, std::uint32_t line);
  void judge_by_name(LinkJudgement& link, std::string_view source_folder, std::uint32_t line);
  const scan::Resolution& resolve(std::string_view target, std::string_view source_folder);
  const scan::NoteNames& names() {
    names_used_ = true;
    return names_.get(workspace_, listing_);
  }

  base::Folder& workspace_;
  const scan::VaultListing& listing_;
  const lineage::TombstoneSet& tombstones_;
  LazyNoteNames& names_;
  bool names_used_ = false;
  std::unordered_map<std::string, scan::Resolution> resolved_;  // source folder, NUL, target
};

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
//
// memory/ -> every note in it, in memory of 32 bytes a file, so that a vault of 300,000 files is
// listed in 10 MB: a name in canonical form is kept as its parts, only odd names as text. Sorted so
// that the files of one session lie side by side. Built once, then only read; any thread. What
// could not be listed is told beside it and never looks like an absence. A listing of some files
// only, for when little has changed, knows where its knowledge ends; it belongs to one thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace daybook::scan {

class VaultListing {
 public:
  class Entry {
   public:
    lineage::NameForm form() const { return form_; }
    /// Token, time and kind; meaningful for NameForm::artifact.
    lineage::ArtifactName name() const { return {token_, captured_at_, kind_}; }
    bool belongs_to_session() const { return form_ == lineage::NameForm::artifact; }

   private:
    friend class VaultListing;
    lineage::Timestamp captured_at_;
    lineage::SessionToken token_;
    lineage::Kind kind_ = lineage::Kind::summary;
    lineage::NameForm form_ = lineage::NameForm::other;
    std::uint32_t folder_ = 0;
    std::uint32_t odd_name_ = kCanonical;
  };

  using Index = std::uint32_t;

  // The folder index points into the folder names, so a listing moves but is never copied.
  VaultListing(VaultListing&&) = default;
  VaultListing& operator=(VaultListing&&) = default;
  VaultListing(const VaultListing&) = delete;
  VaultListing& operator=(const VaultListing&) = delete;
  ~VaultListing() = default;

  /// Lists memory/ below the workspace. Fails when memory/ itself is missing or unreadable.
  /// `expected`: as many files as there probably are, so that the list need not move as it grows.
  static Result<VaultListing> list(base::Folder& workspace, std::size_t expected = 0);

  /// Says whether a file that is not in a partial listing is there; nothing: it cannot be told.
  using Elsewhere = std::function<std::optional<bool>(std::string_view workspace_path)>;
  /// Just these notes below memory/, which must be there.
  static VaultListing of(const std::vector<std::string>& workspace_paths, Elsewhere elsewhere);
  /// False: a partial listing was asked what it cannot know, and what came of that must not count.
  bool knew_enough() const { return knew_enough_; }
  bool is_partial() const { return static_cast<bool>(elsewhere_); }
  /// Notes that a question went beyond a partial listing.
  void ask_too_much() const { knew_enough_ = false; }

  std::span<const Entry> entries() const { return entries_; }
  /// The session's files and those without a session, as ranges of entries(): the units of work.
  std::span<const Index> unit_starts() const { return unit_starts_; }

  std::string file_name(Index file) const;
  /// Workspace-relative: `memory/…`.
  const std::string& folder_path(Index file) const { return folders_[entries_[file].folder_]; }
  std::string path(Index file) const;

  bool contains(std::string_view workspace_path) const;
  /// Whether some file has the name, in whatever folder and spelling.
  bool contains_artifact(const lineage::ArtifactName& name) const;
  /// Whether a path goes over or ends at a symbolic link below memory/.
  bool meets_symlink(std::string_view workspace_path) const;
  bool contains_folder(std::string_view workspace_path) const {
    return folder_index_.contains(workspace_path);
  }
  /// memory/ and the folders below it.
  std::size_t folder_count() const { return folders_.size(); }
  bool path_less(Index left, Index right) const;

  /// Regular files below memory/ that are no notes: pictures and the like.
  const std::vector<std::string>& attachments() const { return attachments_; }

  /// Entries that are no regular files, and folders that could not be read.
  const std::vector<std::pair<std::string, lineage::Diagnostic>>& unreadable() const {
    return unreadable_;
  }

 private:
  static constexpr std::uint32_t kCanonical = 0xFFFFFFFF;

  VaultListing() = default;
  void add(std::string_view name, std::uint32_t folder);
  Result<void> list_folder(base::Folder& folder, std::uint32_t index);
  void finish();
  bool lists(std::string_view workspace_path) const;

  std::vector<Entry> entries_;
  std::vector<Index> unit_starts_;
  std::vector<std::string> folders_;
  std::unordered_map<std::string_view, std::uint32_t> folder_index_;
  std::vector<std::string> odd_names_;
  std::unordered_set<std::string> odd_paths_;
  std::vector<std::string> attachments_;
  std::unordered_set<std::string> symlinks_;
  std::vector<std::pair<std::string, lineage::Diagnostic>> unreadable_;
  Elsewhere elsewhere_;              // only of a partial listing
  mutable bool knew_enough_ = true;  // only a partial listing changes it
};

}  // namespace daybook::scan

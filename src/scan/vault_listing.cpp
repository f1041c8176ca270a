// SPDX-License-Identifier: MIT
#include "daybook/scan/vault_listing.hpp"

#include "daybook/base/safety.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>

namespace daybook::scan {
namespace {

using base::EntryType;
using lineage::Code;

constexpr std::size_t kSlack = 512;  // one in so many files more than expected finds room

Error explain(Error error) {
  switch (error.kind) {
    case ErrorKind::not_found:
      error.kind = ErrorKind::no_workspace;
      error.message = "there is no memory/ folder in the workspace";
      error.hint = "Make one with 'daybook init', or name the workspace with --workspace DIR.";
      break;
    case ErrorKind::not_regular:
      error.kind = ErrorKind::io;
      error.message = "memory/ is a symbolic link, and links are never followed out of a workspace";
      error.hint = "Make the folder that holds the real memory/ the workspace.";
      break;
    default:
      error.kind = ErrorKind::io;
      if (error.hint.empty()) {
        error.hint = "Check that you may read the folder.";
      }
      break;
  }
  error.path = kMemoryFolder;
  return error;
}

/// A linked folder would hold notes that are not read, and is worth a word; a linked picture is
/// not.
bool may_be_linked_folder(std::string_view name, EntryType type) {
  return type == EntryType::symlink && name.find('.') == std::string_view::npos;
}

std::string joined(const std::string& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  return path.append(folder).append(1, '/').append(name);
}

std::string describe(EntryType type) {
  return type == EntryType::symlink ? "This is a symbolic link; links are not followed"
                                    : "This is no regular file but a pipe, a socket or a device";
}

}  // namespace

Result<VaultListing> VaultListing::list(base::Folder& workspace, std::size_t expected) {
  VaultListing listing;
  listing.entries_.reserve(expected + expected / kSlack);
  auto memory = workspace.open_folder(std::string(kMemoryFolder));
  if (!memory && !base::keeps(base::Safety::unreadable_root)) {
    listing.finish();
    return listing;
  }
  if (!memory) {
    return explain(std::move(memory).error());
  }
  listing.folders_.emplace_back(kMemoryFolder);
  // The first folder decides: if it cannot be listed, nothing is known.
  if (auto listed = listing.list_folder(**memory, 0); !listed) {
    return explain(std::move(listed).error());
  }
  listing.finish();
  return listing;
}

VaultListing VaultListing::of(const std::vector<std::string>& workspace_paths,
                              Elsewhere elsewhere) {
  VaultListing listing;
  listing.elsewhere_ = std::move(elsewhere);
  std::map<std::string_view, std::uint32_t> folders;
  for (const std::string& path : workspace_paths) {
    const std::size_t slash = path.rfind('/');
    const std::string_view folder = std::string_view(path).substr(0, slash);
    const auto [known, is_new] =
        folders.try_emplace(folder, static_cast<std::uint32_t>(listing.folders_.size()));
    if (is_new) {
      listing.folders_.emplace_back(folder);
    }
    listing.add(std::string_view(path).substr(slash + 1), known->second);
  }
  listing.finish();
  return listing;
}

Result<void> VaultListing::list_folder(base::Folder& folder, std::uint32_t index) {
  const std::string here = folders_[index];
  std::vector<std::string> below;
  const auto listed = folder.list([&](std::string_view name, EntryType type) {
    if (is_hidden(name)) {
      return;
    }
    if (type == EntryType::symlink) {
      symlinks_.insert(joined(here, name));
    }
    if (type == EntryType::folder) {
      below.emplace_back(name);
    } else if (type == EntryType::file) {
      if (is_note(name)) {
        add(name, index);
      } else {
        attachments_.push_back(joined(here, name));
      }
    } else if (is_note(name) || may_be_linked_folder(name, type)) {
      unreadable_.emplace_back(joined(here, name),
                               lineage::Diagnostic{Code::unreadable, 0, describe(type)});
    }
  });
  if (!listed) {
    return listed.error();
  }
  std::sort(below.begin(), below.end());
  for (const std::string& name : below) {
    const std::string path = joined(here, name);
    const auto cannot_read = [&](std::string why) {
      unreadable_.emplace_back(path, lineage::Diagnostic{Code::unreadable, 0, std::move(why)});
    };
    auto opened = folder.open_folder(name);
    if (!opened) {
      cannot_read(opened.error().message);
      continue;
    }
    if (std::count(path.begin(), path.end(), '/') > std::ptrdiff_t{kDeepestFolder}) {
      cannot_read("Folders are nested too deeply");
      continue;
    }
    folders_.push_back(path);
    const auto child = static_cast<std::uint32_t>(folders_.size() - 1);
    if (const auto read = list_folder(**opened, child); !read) {
      cannot_read(read.error().message);
    }
  }
  return {};
}

void VaultListing::add(std::string_view name, std::uint32_t folder) {
  const lineage::NameReading reading = lineage::read_artifact_name(name);
  Entry entry;
  entry.folder_ = folder;
  entry.form_ = reading.form;
  if (reading.form == lineage::NameForm::artifact) {
    entry.token_ = reading.name.token;
    entry.captured_at_ = reading.name.captured_at;
    entry.kind_ = reading.name.kind;
  }
  if (!reading.canonical) {
    entry.odd_name_ = static_cast<std::uint32_t>(odd_names_.size());
    odd_names_.emplace_back(name);
    odd_paths_.insert(joined(folders_[folder], name));
  }
  entries_.push_back(entry);
}

void VaultListing::finish() {
  if (entries_.capacity() > entries_.size() + entries_.size() / (kSlack / 2)) {
    entries_.shrink_to_fit();
  }
  for (std::uint32_t i = 0; i < folders_.size(); ++i) {
    folder_index_.emplace(folders_[i], i);
  }
  const auto order = [](const Entry& entry) {
    return std::make_tuple(!entry.belongs_to_session(),
                           entry.token_,
                           entry.captured_at_,
                           entry.kind_,
                           entry.folder_,
                           entry.odd_name_);
  };
  std::sort(entries_.begin(), entries_.end(), [&order](const Entry& left, const Entry& right) {
    return order(left) < order(right);
  });
  for (Index i = 0; i < entries_.size(); ++i) {
    const bool continues = i > 0 && entries_[i].belongs_to_session() &&
                           entries_[i - 1].belongs_to_session() &&
                           entries_[i].token_ == entries_[i - 1].token_;
    if (!continues) {
      unit_starts_.push_back(i);
    }
  }
}

std::string VaultListing::file_name(Index file) const {
  const Entry& entry = entries_[file];
  return entry.odd_name_ == kCanonical ? to_string(entry.name()) : odd_names_[entry.odd_name_];
}

std::string VaultListing::path(Index file) const {
  return folder_path(file) + "/" + file_name(file);
}

bool VaultListing::contains(std::string_view workspace_path) const {
  if (lists(workspace_path)) {
    return true;
  }
  if (!elsewhere_) {
    return false;
  }
  const auto is_elsewhere = elsewhere_(workspace_path);
  // Why something is missing (a link that is not followed, another spelling) takes all names.
  knew_enough_ = knew_enough_ && is_elsewhere.value_or(false);
  return is_elsewhere.value_or(false);
}

bool VaultListing::lists(std::string_view workspace_path) const {
  const std::size_t slash = workspace_path.rfind('/');
  if (slash == std::string_view::npos) {
    return false;
  }
  const auto folder = folder_index_.find(workspace_path.substr(0, slash));
  if (folder == folder_index_.end()) {
    return false;
  }
  const lineage::NameReading reading =
      lineage::read_artifact_name(workspace_path.substr(slash + 1));
  if (!reading.canonical) {
    return odd_paths_.contains(std::string(workspace_path));
  }
  const auto key = [](const Entry& entry) {
    return std::make_tuple(
        !entry.belongs_to_session(), entry.token_, entry.captured_at_, entry.kind_, entry.folder_);
  };
  const auto wanted = std::make_tuple(
      false, reading.name.token, reading.name.captured_at, reading.name.kind, folder->second);
  // Links mostly go to files of the same session, which stand beside each other: a look around the
  // last one that was found spares the search.
  constexpr std::size_t kAround = 3;
  thread_local std::size_t last_found = 0;
  const std::size_t first = last_found > kAround ? last_found - kAround : 0;
  for (std::size_t at = first; at < std::min(last_found + kAround + 1, entries_.size()); ++at) {
    if (entries_[at].odd_name_ == kCanonical && key(entries_[at]) == wanted) {
      last_found = at;
      return true;
    }
  }
  // Names that say the same in another spelling sort behind the canonical one.
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), wanted, [&key](const Entry& entry, const auto& sought) {
        return key(entry) < sought;
      });
  for (auto at = found; at != entries_.end() && key(*at) == wanted; ++at) {
    if (at->odd_name_ == kCanonical) {
      last_found = static_cast<std::size_t>(at - entries_.begin());
      return true;
    }
  }
  return false;
}

bool VaultListing::contains_artifact(const lineage::ArtifactName& name) const {
  const auto key = [](const Entry& entry) {
    return std::make_tuple(
        !entry.belongs_to_session(), entry.token_, entry.captured_at_, entry.kind_);
  };
  const auto wanted = std::make_tuple(false, name.token, name.captured_at, name.kind);
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), wanted, [&key](const Entry& entry, const auto& sought) {
        return key(entry) < sought;
      });
  return found != entries_.end() && key(*found) == wanted;
}

bool VaultListing::meets_symlink(std::string_view workspace_path) const {
  if (symlinks_.empty()) {
    return false;
  }
  std::string clean;  // without empty parts and dots, which would hide a link from the set
  for (std::size_t parts = 0; !workspace_path.empty() && parts <= kDeepestFolder;) {
    const std::size_t size = std::min(workspace_path.find('/'), workspace_path.size());
    const std::string_view part = workspace_path.substr(0, size);
    workspace_path.remove_prefix(std::min(size + 1, workspace_path.size()));
    if (part.empty() || part == ".") {
      continue;
    }
    clean.append(clean.empty() ? "" : "/").append(part);
    ++parts;
    if (symlinks_.contains(clean)) {
      return true;
    }
  }
  return false;
}

bool VaultListing::path_less(Index left, Index right) const {
  const Entry& a = entries_[left];
  const Entry& b = entries_[right];
  const bool quick = a.odd_name_ == kCanonical && b.odd_name_ == kCanonical &&
                     a.folder_ == b.folder_ && a.captured_at_ != b.captured_at_;
  // Canonical names begin with a time of fixed width, so time order is text order.
  return quick ? a.captured_at_ < b.captured_at_ : path(left) < path(right);
}

}  // namespace daybook::scan

// SPDX-License-Identifier: MIT
#include "daybook/scan/note_names.hpp"

#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>

namespace daybook::scan {
namespace {

constexpr int kDeepest = 64;
constexpr std::uint64_t kDigestKey = 0x6E61'6D65'7300'0001;  // stored, so it never changes

bool ends_with_path(std::string_view path, std::string_view tail) {
  return path == tail || (path.size() > tail.size() && path.ends_with(tail) &&
                          path[path.size() - tail.size() - 1] == '/');
}

}  // namespace

NoteNames NoteNames::list(base::Folder& workspace, const VaultListing& memory) {
  NoteNames names;
  names.add_folder(workspace, "", 0);
  const auto entries = memory.entries();
  // Those of sessions come first and are left out.
  for (std::size_t file = entries.size(); file > 0 && !entries[file - 1].belongs_to_session();
       --file) {
    names.add(memory.path(static_cast<VaultListing::Index>(file - 1)));
  }
  for (const std::string& path : memory.attachments()) {
    names.add(path);
  }
  return names;
}

void NoteNames::add_folder(base::Folder& folder, const std::string& path, int depth) {
  std::vector<std::string> below;
  // A folder that cannot be read holds nothing to link to; check reports it where it matters.
  (void)folder.list([&](std::string_view name, base::EntryType type) {
    if (is_hidden(name)) {
      return;
    }
    if (type == base::EntryType::folder) {
      const bool listed_already = depth == 0 && name == kMemoryFolder;
      if (!listed_already) {
        below.emplace_back(name);
      }
    } else if (type == base::EntryType::file &&
               lineage::read_artifact_name(name).form != lineage::NameForm::artifact) {
      add(path + std::string(name));
    }
  });
  if (depth == kDeepest) {
    return;
  }
  for (const std::string& name : below) {
    if (auto opened = folder.open_folder(name)) {
      add_folder(**opened, path + name + "/", depth + 1);
    }
  }
}

void NoteNames::add(std::string path) {
  digest_ += base::keyed_hash(path, kDigestKey);
  std::string folded = base::fold_case(path);
  std::string name(base::file_name_of(folded));
  by_name_[std::move(name)].push_back({std::move(path), std::move(folded)});
}

bool NoteNames::contains(const std::string& workspace_path) const {
  const std::string folded = base::fold_case(workspace_path);
  const auto found = by_name_.find(std::string(base::file_name_of(folded)));
  return found != by_name_.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const Name& name) {
           return name.path == workspace_path;
         });
}

Resolution NoteNames::resolve(std::string_view target, std::string_view source_folder) const {
  const std::string wanted = base::fold_case(target);
  const std::string own =
      source_folder.empty() ? wanted : base::fold_case(source_folder) + "/" + wanted;
  std::vector<const Name*> nearest;
  for (const std::string& suffix : {std::string(), std::string(kNoteExtension)}) {
    const std::string tail = wanted + suffix;
    const auto found = by_name_.find(std::string(base::file_name_of(tail)));
    if (found == by_name_.end()) {
      continue;
    }
    for (const Name& candidate : found->second) {
      if (candidate.folded == tail || candidate.folded == own + suffix) {
        return {Resolution::Outcome::found, candidate.path};
      }
      if (!ends_with_path(candidate.folded, tail)) {
        continue;
      }
      if (!nearest.empty() && candidate.folded.size() < nearest.front()->folded.size()) {
        nearest.clear();
      }
      if (nearest.empty() || candidate.folded.size() == nearest.front()->folded.size()) {
        nearest.push_back(&candidate);
      }
    }
  }
  if (nearest.empty()) {
    return {};
  }
  return {nearest.size() == 1 ? Resolution::Outcome::found : Resolution::Outcome::ambiguous,
          nearest.front()->path};
}

}  // namespace daybook::scan

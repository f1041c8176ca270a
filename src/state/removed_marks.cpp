// SPDX-License-Identifier: MIT
#include "daybook/state/removed_marks.hpp"

#include "daybook/base/descriptor.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace daybook::state {
namespace {

constexpr std::string_view kMarksFolder = "removed";
/// No token: those have 16 letters.
constexpr std::string_view kFilesMark = "files";
constexpr mode_t kPrivate = 0600;

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

void mark(const std::string& folder, std::string_view name) {
  const std::string path = std::string(folder).append("/").append(name);
  if (!is_there(path)) {
    const base::Descriptor made(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kPrivate));
  }
}

}  // namespace

bool has_removed_marks(const StateFolder& folder) { return is_there(folder.file(kMarksFolder)); }

void mark_removed(const StateFolder& folder, std::span<const lineage::Tombstone> tombstones) {
  const auto marks = folder.make_private_folder(kMarksFolder);
  if (!marks) {
    return;
  }
  for (const lineage::Tombstone& tombstone : tombstones) {
    if (tombstone.lifted_at) {
      continue;
    }
    if (tombstone.scope == lineage::TombstoneScope::paths) {
      mark(*marks, kFilesMark);
    } else if (tombstone.scope == lineage::TombstoneScope::session) {
      mark(*marks, tombstone.token.to_string());
      for (const lineage::SessionToken& token : tombstone.also_tokens) {
        mark(*marks, token.to_string());
      }
    }
  }
}

bool may_be_removed(const StateFolder& folder, std::span<const lineage::SessionToken> tokens) {
  const std::string marks = folder.file(kMarksFolder) + "/";
  return std::any_of(tokens.begin(), tokens.end(), [&marks](const lineage::SessionToken& token) {
    return is_there(marks + token.to_string());
  });
}

bool may_lack_files(const StateFolder& folder) {
  return is_there(folder.file(kMarksFolder) + "/" + std::string(kFilesMark));
}

}  // namespace daybook::state

// SPDX-License-Identifier: MIT
//
// Workspace -> which file a wikilink by name means, as Obsidian decides it: the exact vault path,
// else a file in the note's own folder, else the one with the shortest path; case and Unicode form
// do not count. Two that are equally near are told as ambiguous, never guessed. Artifacts are left
// out: links to them must give their path. Built once, then only read; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/scan/vault_listing.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace daybook::scan {

struct Resolution {
  enum class Outcome : std::uint8_t { missing, found, ambiguous };
  Outcome outcome = Outcome::missing;
  std::string path;  ///< workspace-relative, as on disk; one of them when ambiguous
};

class NoteNames {
 public:
  /// Lists the whole workspace but hidden folders and memory/, which is listed already. What cannot
  /// be listed resolves to nothing.
  static NoteNames list(base::Folder& workspace, const VaultListing& memory);

  /// Whether exactly this file is there.
  bool contains(const std::string& workspace_path) const;
  Resolution resolve(std::string_view target, std::string_view source_folder) const;
  /// The same for the same names: tells whether anything that resolves by name can have changed.
  std::uint64_t digest() const { return digest_; }

 private:
  struct Name {
    std::string path;
    std::string folded;
  };

  void add_folder(base::Folder& folder, const std::string& path, int depth);
  void add(std::string path);

  std::unordered_map<std::string, std::vector<Name>> by_name_;  // folded file name -> files
  std::uint64_t digest_ = 0;                                    // a sum: order does not count
};

}  // namespace daybook::scan

// SPDX-License-Identifier: MIT
//
// A file of the vault -> a durable copy in `<state>/trash/<time>/<workspace-relative path>`, made
// before the file itself may go, so that whatever a clean-up takes from the vault can be put back
// by hand. A copy, not a rename: the state folder may lie on another file system. Folders 0700,
// files 0600, no link followed. Nothing empties it but a person, and a removal, which takes what it
// removes from here, too. A plain value; one thread. Failure leaves at most empty folders.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace daybook::state {

inline constexpr std::string_view kTrashFolder = "trash";

class Trash {
 public:
  struct Item {
    std::string folder;  ///< full path: <state>/trash/<time>
    std::string path;    ///< below it, as it was in the workspace

    std::string full_path() const { return std::string(folder).append("/").append(path); }
  };
  struct Kept {
    Item item;
    base::Digest sha256{};  ///< of what was copied
  };

  /// The folder must outlive it.
  explicit Trash(const StateFolder& folder) : folder_(folder) {}

  /// `path` is workspace-relative. A time at which another file of that path is kept already is
  /// passed over by a millisecond.
  Result<Kept> keep(base::Disk& disk, const std::string& path, lineage::Timestamp now) const;
  /// What stood at that path, handed over.
  Result<Kept> keep_bytes(const std::string& path,
                          std::string_view bytes,
                          lineage::Timestamp now) const;

  /// Every file in it, sorted. None when there is no trash yet.
  Result<std::vector<Item>> items() const;
  /// Gone for good, with the folders that are empty then.
  Result<void> erase(const Item& item) const;

 private:
  const StateFolder& folder_;
};

}  // namespace daybook::state

// SPDX-License-Identifier: MIT
//
// A folder of the real disk, what it lists and what its files say.
#pragma once

#include "daybook/base/disk.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace daybook::base {

using Listing = std::map<std::string, EntryType>;

inline std::unique_ptr<Folder> opened(const support::TempFolder& folder) {
  auto root = real_disk().open_root(folder.path().string());
  REQUIRE(root.ok());
  return std::move(root).value();
}

inline Listing listing_of(Folder& folder) {
  Listing entries;
  const auto outcome = folder.list(
      [&entries](std::string_view name, EntryType type) { entries.emplace(name, type); });
  REQUIRE(outcome.ok());
  return entries;
}

inline std::string read_whole(File& file, std::size_t step = 4096) {
  std::string text;
  std::vector<char> buffer(step);
  while (true) {
    const auto count = file.read(buffer);
    REQUIRE(count.ok());
    text.append(buffer.data(), *count);
    if (*count < buffer.size()) {
      return text;
    }
  }
}

}  // namespace daybook::base

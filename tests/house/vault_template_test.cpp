// SPDX-License-Identifier: MIT
// What `daybook init` writes is what vault-template/ holds, dot-files and odd bytes included.
#include "cli/vault_template.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace daybook::house {

namespace fs = std::filesystem;

TEST_CASE("the program carries vault-template byte for byte") {
  std::map<std::string, std::string> on_disk;
  const fs::path root = fs::path{DAYBOOK_SOURCE_DIR} / "vault-template";
  for (const auto& entry : fs::recursive_directory_iterator{root}) {
    if (entry.is_regular_file()) {
      std::ifstream stream{entry.path(), std::ios::binary};
      on_disk[entry.path().lexically_relative(root).generic_string()] =
          std::string{std::istreambuf_iterator<char>{stream}, {}};
    }
  }

  std::map<std::string, std::string> carried;
  for (const cli::EmbeddedFile& file : cli::vault_template()) {
    carried[std::string{file.path}] = std::string{file.bytes};
  }

  CHECK(carried == on_disk);
}

}  // namespace daybook::house

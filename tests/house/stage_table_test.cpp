// SPDX-License-Identifier: MIT
// The table of stages in docs/ARCHITECTURE.md is where a newcomer looks first: it names every
// header that other stages may use, and nothing that is not there.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace daybook::house {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

fs::path at(const std::string& path) { return fs::path{DAYBOOK_SOURCE_DIR} / path; }

/// Words of letters, digits and `_`, without what stands in parentheses.
Names words_of(const std::string& cell) {
  Names words;
  std::string word;
  int depth = 0;
  for (const char c : cell + " ") {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')) {
      word.push_back(c);
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

/// Stage -> what the table's last column names. A stage in parentheses is named, too: `state_db
/// (…)`.
std::map<std::string, std::string> cells_by_stage() {
  std::ifstream document{at("docs/ARCHITECTURE.md")};
  REQUIRE(document);
  std::map<std::string, std::string> cells;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (line == "| stage | room | here now |") {
      inside = true;
    } else if (inside && !line.starts_with("|")) {
      break;
    } else if (inside && line.starts_with("| `")) {
      const std::size_t last = line.rfind('|');
      const std::size_t begin = line.rfind('|', last - 1) + 1;
      cells[line.substr(3, line.find('`', 3) - 3)] = line.substr(begin, last - begin);
    }
  }
  return cells;
}

Names files_in(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator{folder}) {
    names.insert(entry.path().stem().string());
  }
  return names;
}

}  // namespace

TEST_CASE("the table of stages names every public header") {
  const auto cells = cells_by_stage();
  for (const auto& stage : fs::directory_iterator{at("include/daybook")}) {
    const std::string name = stage.path().filename().string();
    INFO(name);
    REQUIRE(cells.contains(name));
    std::string cell = cells.at(name);
    std::replace(cell.begin(), cell.end(), '(', ',');
    std::replace(cell.begin(), cell.end(), ')', ',');
    const Names named = words_of(cell);
    for (const std::string& header : files_in(stage.path())) {
      INFO(header);
      CHECK(named.contains(header));
    }
  }
}

TEST_CASE("the table of stages names no file that is not there") {
  for (const auto& [stage, cell] : cells_by_stage()) {
    if (stage == "cli") {
      continue;  // its rooms are described, not listed
    }
    INFO(stage);
    Names there = files_in(at("src/" + stage));
    there.merge(files_in(at("include/daybook/" + stage)));
    for (const std::string& word : words_of(cell)) {
      INFO(word);
      CHECK(there.contains(word));
    }
  }
}

}  // namespace daybook::house

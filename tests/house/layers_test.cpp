// SPDX-License-Identifier: MIT
// The layering rule, held to the sources: who may include whom is what src/CMakeLists.txt says.
#include "house/layers.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace daybook::house {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream{path, std::ios::binary};
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>{stream}, {}};
}

std::vector<SourceFile> sources_of_the_repository() {
  const fs::path root{DAYBOOK_SOURCE_DIR};
  std::vector<SourceFile> files;
  for (const char* folder : {"include/daybook", "src"}) {
    for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
      const auto extension = entry.path().extension();
      if (extension == ".hpp" || extension == ".cpp") {
        files.push_back({entry.path().lexically_relative(root).generic_string(), read(entry)});
      }
    }
  }
  std::sort(
      files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

// A small rule of the same shape as the real one.
const std::vector<Stage>& example() {
  static const auto stages = parse_stages(R"(
    # daybook_stage(ghost USES base) is a comment
    daybook_stage(base SOURCES log.cpp HIDES fmt)
    daybook_stage(
      scan
      SOURCES scanner.cpp "${generated}"  # a comment
      USES base)
    daybook_stage(parse HIDES yaml-cpp USES base SOURCES frontmatter.cpp)
    daybook_stage(service SOURCES pass.cpp USES scan parse))");
  return stages;
}

std::string complaint(const std::string& path, const std::string& text) {
  return to_text(check_includes(example(), {path, text}));
}

}  // namespace

TEST_CASE("no source includes what its stage may not know") {
  const auto stages = parse_stages(read(fs::path{DAYBOOK_SOURCE_DIR} / "src" / "CMakeLists.txt"));
  REQUIRE(stages.size() > 2);
  const auto files = sources_of_the_repository();
  REQUIRE(files.size() > 10);

  auto violations = check_order(stages);
  for (const SourceFile& file : files) {
    const auto found = check_includes(stages, file);
    violations.insert(violations.end(), found.begin(), found.end());
    const auto slow = check_slow_vendors(file);
    violations.insert(violations.end(), slow.begin(), slow.end());
    const auto sql = check_sql(file);
    violations.insert(violations.end(), sql.begin(), sql.end());
  }
  const auto found = check_sole_users(files);
  violations.insert(violations.end(), found.begin(), found.end());

  INFO("the rule is written in src/CMakeLists.txt\n" << to_text(violations));
  CHECK(violations.empty());
}

TEST_CASE("the stage declarations are read as CMake reads them") {
  const auto& stages = example();
  REQUIRE(stages.size() == 4);
  CHECK(stages[1].name == "scan");
  CHECK(stages[1].uses == std::vector<std::string>{"base"});
  CHECK(stages[2].uses == std::vector<std::string>{"base"});
  CHECK(stages[2].hides == std::vector<std::string>{"yaml-cpp"});
  CHECK(check_order(stages).empty());
}

TEST_CASE("a stage that uses a later one is named") {
  const auto stages = parse_stages("daybook_stage(scan USES index)\ndaybook_stage(index)");
  CHECK(to_text(check_order(stages)) ==
        "src/CMakeLists.txt:0: stage scan USES index, not declared before it\n");
}

TEST_CASE("a forbidden include is named with its line") {
  CHECK(complaint("src/scan/scanner.cpp",
                  "// why\n#include \"daybook/base/log.hpp\"\n\n"
                  "#  include \"daybook/parse/frontmatter.hpp\"\n") ==
        "src/scan/scanner.cpp:4: daybook/parse/frontmatter.hpp: "
        "stage scan does not USE stage parse\n");
}

TEST_CASE("what a used stage uses is not thereby allowed") {
  CHECK(complaint("include/daybook/service/pass.hpp", "#include \"daybook/base/log.hpp\"\n") ==
        "include/daybook/service/pass.hpp:1: daybook/base/log.hpp: "
        "stage service does not USE stage base\n");
}

TEST_CASE("a private header stays inside its stage") {
  CHECK(complaint("src/scan/scanner.cpp", "#include \"scan/walk.hpp\"\n").empty());
  CHECK(complaint("src/scan/scanner.cpp", "#include \"base/buffer.hpp\"\n") ==
        "src/scan/scanner.cpp:1: base/buffer.hpp: headers in src/base are private to that stage\n");
  CHECK(complaint("src/scan/scanner.cpp", "#include \"../base/buffer.hpp\"\n") ==
        "src/scan/scanner.cpp:1: ../base/buffer.hpp: "
        "an include names its file from the root, never through ..\n");
  CHECK(complaint("include/daybook/scan/scanner.hpp", "#include \"scan/walk.hpp\"\n") ==
        "include/daybook/scan/scanner.hpp:1: scan/walk.hpp: "
        "a public header may not include a private one\n");
}

TEST_CASE("a vendor is known to the .cpp files of the stage that hides it, and to no others") {
  const std::string include = "#include <yaml-cpp/yaml.h>\n";
  CHECK(complaint("src/parse/frontmatter.cpp", include).empty());
  CHECK(complaint("src/scan/scanner.cpp", include) ==
        "src/scan/scanner.cpp:1: yaml-cpp/yaml.h: stage scan does not HIDE vendor yaml-cpp\n");
  CHECK(complaint("src/parse/frontmatter.hpp", include) ==
        "src/parse/frontmatter.hpp:1: yaml-cpp/yaml.h: "
        "vendor yaml-cpp may be included by a .cpp file only\n");
  CHECK(complaint("include/daybook/parse/frontmatter.hpp", include) ==
        "include/daybook/parse/frontmatter.hpp:1: yaml-cpp/yaml.h: "
        "vendor yaml-cpp may be included by a .cpp file only\n");
}

TEST_CASE("a folder that no stage declares is named") {
  CHECK(complaint("src/helpers/strings.cpp", "") ==
        "src/helpers/strings.cpp:1: no daybook_stage() declares the folder 'helpers'\n");
}

TEST_CASE("a second user of a wrapped vendor is named") {
  const std::string include = "#include <efsw/efsw.hpp>\n";
  CHECK(check_sole_users({{"src/watch/efsw_source.cpp", include}}).empty());
  CHECK(to_text(check_sole_users(
            {{"src/watch/efsw_source.cpp", include}, {"src/watch/other.cpp", "\n" + include}})) ==
        "src/watch/other.cpp:2: efsw/efsw.hpp: "
        "src/watch/efsw_source.cpp is the one file that may know it\n");
}

TEST_CASE("a further user of a vendor that is slow to compile is named") {
  const std::string include = "#include <CLI/CLI.hpp>\n";
  CHECK(check_slow_vendors({"src/cli/command.cpp", include}).empty());
  CHECK(to_text(check_slow_vendors({"src/cli/log_command.cpp", "\n" + include})) ==
        "src/cli/log_command.cpp:2: CLI/CLI.hpp: "
        "cli11 takes seconds to compile, and is behind a header of ours\n");
}

TEST_CASE("SQL outside the stages that keep tables is named with its line") {
  const auto complaint_about = [](const std::string& path, const std::string& text) {
    return to_text(check_sql({path, text}));
  };
  const std::string select = "\nconst char* sql = \"SELECT id FROM file\";\n";
  for (const char* keeper : {"src/index/reader.cpp", "src/state/seals.cpp", "src/store/fts5.cpp"}) {
    CHECK(complaint_about(keeper, select).empty());
  }
  const std::string rule = ": stage service keeps no tables, and may hold no SQL\n";
  CHECK(complaint_about("src/service/pass.cpp", select) == "src/service/pass.cpp:2" + rule);
  CHECK(complaint_about("include/daybook/service/pass.hpp", select) ==
        "include/daybook/service/pass.hpp:2" + rule);
  for (const char* sql : {"INSERT INTO file VALUES(1)",
                          "INSERT OR REPLACE INTO file VALUES(1)",
                          "UPDATE file SET id = 1",
                          "DELETE FROM file",
                          " WHERE id = 1"}) {
    CHECK(complaint_about("src/service/pass.cpp", "f(\"" + std::string(sql) + "\");") ==
          "src/service/pass.cpp:1" + rule);
  }
  // In the middle of a raw string, behind digits with marks, behind an escaped quote.
  CHECK(
      complaint_about("src/service/pass.cpp", "auto a = 1'000; // it's\nR\"s(\n\"\nSELECT 1)s\"") ==
      "src/service/pass.cpp:4" + rule);
  CHECK(complaint_about("src/service/pass.cpp", R"(f('"', "\"SELECT 1");)") ==
        "src/service/pass.cpp:1" + rule);
}

TEST_CASE("words of SQL in comments and in other words are nobody's SQL") {
  CHECK(check_sql(
            {"src/service/pass.cpp",
             "// as \"SELECT id\" does\n/* \"WHERE x\"\n */ f(\"NOWHERE to\", 'S', \"select\");\n"})
            .empty());
}

TEST_CASE("standard headers and the version are everyone's") {
  CHECK(complaint("src/base/log.cpp",
                  "#include \"daybook/version.hpp\"\n#include <vector>\n#include <fmt/core.h>\n")
            .empty());
}

}  // namespace daybook::house

// SPDX-License-Identifier: MIT
// Reads the layering rule from src/CMakeLists.txt and holds include lines to it, and string
// literals to the rule that SQL stays with the tables. Pure functions over (path, text), so that a
// test can plant a forbidden include and see it caught.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daybook::house {

struct Stage {
  std::string name;
  std::vector<std::string> uses;   // stages
  std::vector<std::string> hides;  // vendors
};

struct Violation {
  std::string path;
  int line = 0;
  std::string rule;
};

struct SourceFile {
  std::string path;  // relative to the repository, with '/'
  std::string text;
};

// The daybook_stage() declarations of a CMake file, in order.
std::vector<Stage> parse_stages(std::string_view cmake_text);

// What is wrong with the order of the stages themselves: a stage may use only those before it.
std::vector<Violation> check_order(const std::vector<Stage>& stages);

// What is wrong with the includes of one file under include/daybook/ or src/.
std::vector<Violation> check_includes(const std::vector<Stage>& stages, const SourceFile& file);

// Vendors that exactly one file may know, and a second file that knows one.
std::vector<Violation> check_sole_users(const std::vector<SourceFile>& files);

// Vendors that are slow to compile, and a file that knows one but is not among those that may.
std::vector<Violation> check_slow_vendors(const SourceFile& file);

// SQL in a file of a stage that keeps no tables.
std::vector<Violation> check_sql(const SourceFile& file);

// "path:line: rule" a line.
std::string to_text(const std::vector<Violation>& violations);

}  // namespace daybook::house

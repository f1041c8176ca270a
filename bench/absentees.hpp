// SPDX-License-Identifier: MIT
//
// Sessions of a MEMORY.md, moved out of their vault, to arrive there one by one. What has not
// arrived goes back at the end. One thread; throws std::filesystem::filesystem_error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace daybook::bench {

class Absentees {
 public:
  Absentees(const std::string& vault, const std::string& memory_md, std::size_t most);
  Absentees(const Absentees&) = delete;
  Absentees& operator=(const Absentees&) = delete;
  ~Absentees();

  /// False: all of them are there.
  bool one_arrives();

 private:
  std::filesystem::path memory_;
  std::filesystem::path aside_;
  std::vector<std::string> tokens_;
};

}  // namespace daybook::bench

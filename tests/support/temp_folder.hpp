// SPDX-License-Identifier: MIT
//
// A folder for one test, on the real disk, gone when the test ends. Readable by everybody, so that
// a child without privileges can look into it. Not for two threads at once, but for its constants.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::support {

class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The full path of a name in it.
  [[nodiscard]] std::string at(std::string_view name) const;

  /// Makes the folders on the way, too.
  void write(std::string_view name, std::string_view bytes) const;
  void make_folder(std::string_view name) const;
  void make_link(std::string_view name, const std::string& target) const;
  void make_pipe(std::string_view name) const;
  void make_socket(std::string_view name) const;

  [[nodiscard]] std::string read(std::string_view name) const;
  /// The names directly in it, sorted.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

}  // namespace daybook::support

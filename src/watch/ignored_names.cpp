// SPDX-License-Identifier: MIT
#include "daybook/watch/ignored_names.hpp"

#include <algorithm>
#include <array>

namespace daybook::watch {

bool is_ignored(std::string_view file_name) {
  constexpr std::array<std::string_view, 8> kEndings{
      "~", ".tmp", ".temp", ".swp", ".swx", ".part", ".partial", ".crdownload"};
  constexpr std::string_view kVimTest = "4913";  // vim tries with it whether it may write here
  const bool is_emacs_autosave =
      file_name.size() > 1 && file_name.front() == '#' && file_name.back() == '#';
  return file_name.empty() || file_name.front() == '.' || file_name == kVimTest ||
         is_emacs_autosave ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
           return file_name.ends_with(ending);
         });
}

}  // namespace daybook::watch

// SPDX-License-Identifier: MIT
#include "daybook/service/workspace_config.hpp"

#include "daybook/scan/file_reader.hpp"

namespace daybook::service {

Result<parse::Config> load_config(base::Disk& disk, const std::string& workspace) {
  TRY_ASSIGN(auto root, disk.open_root(workspace));
  scan::FileReader reader(*root);
  auto opened = reader.open("", std::string(parse::kConfigFile), parse::kLargestConfig);
  if (!opened && opened.error().kind == ErrorKind::not_found) {
    return parse::Config{};
  }
  if (!opened || opened->too_large) {
    Error error = opened ? Error{ErrorKind::usage, "the file is larger than 64 KiB", {}, {}}
                         : std::move(opened).error();
    error.path = parse::kConfigFile;
    error.hint = "Make it a small regular file that you may read, or delete it.";
    return error;
  }
  return parse::read_config(opened->first_piece);
}

}  // namespace daybook::service

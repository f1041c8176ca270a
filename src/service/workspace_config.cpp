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
  if (!opened && opened.error().kind == ErrorKind::io) {
    Error trouble = opened.error();  // the machine's, not the file's: it is not to be deleted
    trouble.path = parse::kConfigFile;
    return trouble;
  }
  if (!opened || opened->too_large) {
    const std::string why = opened ? "the file is larger than 64 KiB"
                            : opened.error().kind == ErrorKind::not_regular
                                ? "settings must be a regular file, not a link or a pipe"
                                : opened.error().message;
    return Error{ErrorKind::usage,
                 why,
                 std::string(parse::kConfigFile),
                 "Make it a small regular file that you may read, or delete it."};
  }
  return parse::read_config(opened->first_piece);
}

}  // namespace daybook::service

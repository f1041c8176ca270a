// SPDX-License-Identifier: MIT
// The files of vault-template/, carried inside the program so that `daybook init` works from the
// executable alone. Constant data: any thread, nothing to own, cannot fail. The definition is
// generated during the build (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace daybook::cli {

struct EmbeddedFile {
  std::string_view path;   // relative to the workspace, with '/'
  std::string_view bytes;  // exactly those of the file
};

// Sorted by path. Folders are implied by the files in them.
std::span<const EmbeddedFile> vault_template();

}  // namespace daybook::cli

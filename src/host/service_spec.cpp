// SPDX-License-Identifier: MIT
#include "daybook/host/service_spec.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::host {

bool is_service_file(std::string_view text) {
  constexpr std::size_t kHead = 512;
  return text.substr(0, kHead).find(kServiceMarker) != std::string_view::npos;
}

Result<void> check_paths(const ServiceSpec& spec) {
  for (const std::string* path :
       {&spec.program, &spec.workspace, &spec.state_dir, &spec.log_path}) {
    const bool has_control = std::any_of(path->begin(), path->end(), [](char letter) {
      const auto byte = static_cast<unsigned char>(letter);
      return byte < 0x20 || byte == 0x7F;
    });
    if (has_control || !base::is_valid_utf8(*path)) {
      return Error{ErrorKind::usage,
                   "the path holds a control character or is not UTF-8, which no service file can "
                   "express",
                   *path,
                   "Rename the folder, or run 'daybook watch --detach' without a service file."};
    }
    if (!path->starts_with('/')) {
      return Error{ErrorKind::usage, "the path is not absolute", *path, {}};
    }
  }
  return {};
}

}  // namespace daybook::host

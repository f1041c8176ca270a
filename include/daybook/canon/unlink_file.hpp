// SPDX-License-Identifier: MIT
//
// A canonical file -> gone, durably. Reached folder by folder without following a link, and only if
// it is a regular file. Failure leaves the vault as it was.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <string>

namespace daybook::canon {

enum class Unlinked : std::uint8_t { done, was_not_there };

/// `path` is workspace-relative and lies below memory/; anything else is ErrorKind::usage.
Result<Unlinked> unlink_file(const std::string& workspace, const std::string& path);

}  // namespace daybook::canon

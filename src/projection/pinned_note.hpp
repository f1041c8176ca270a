// SPDX-License-Identifier: MIT
//
// memory/pinned.md -> its section of MEMORY.md. A person wrote it, so its markdown is kept, links
// and lists included. Only what would damage the rest of the file is mended: headings are two
// levels lower, so that they stay inside the section; code fences, comments and the like that are
// left open are closed, so that they do not swallow the ledger. Pure; any thread; cannot fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::projection {

/// Of everything from the section's heading to its last line.
struct Room {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
};

/// The section with its heading, whole lines as long as there is room, and a notice if there is
/// more. Empty if the note is. Without enough room for anything: what pinned_pointer() says.
std::string pinned_section(std::string_view note, Room room);

/// One line that says where the note is. Empty if the note is.
std::string pinned_pointer(std::string_view note);

}  // namespace daybook::projection

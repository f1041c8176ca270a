// SPDX-License-Identifier: MIT
#include "mcp/memory_id.hpp"

namespace daybook::mcp {
namespace {

constexpr std::string_view kOpen = "[[";
constexpr std::string_view kClose = "]]";
constexpr std::string_view kSessions = "daybook://sessions/";

}  // namespace

std::string memory_id(std::string_view written) {
  if (written.starts_with(kOpen) && written.ends_with(kClose) &&
      written.size() > kOpen.size() + kClose.size()) {
    written.remove_prefix(kOpen.size());
    written.remove_suffix(kClose.size());
    return std::string(written.substr(0, written.rfind('|')));
  }
  if (written.starts_with(kSessions)) {
    written.remove_prefix(kSessions.size());
  }
  return std::string(written);
}

}  // namespace daybook::mcp

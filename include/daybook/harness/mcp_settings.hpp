// SPDX-License-Identifier: MIT
//
// The text of a client's settings -> the same with our server among those that it starts, or
// without it: every other byte stays. `mcpServers` of Claude Code and Cursor, `servers` of Visual
// Studio Code. Strict JSON only: comments and trailing commas are refused, and nothing is changed
// then. Pure.
#pragma once

#include "daybook/base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

struct McpServer {
  std::string list;  ///< `mcpServers` or `servers`
  std::string name;  ///< in that list
  std::string command;
  std::vector<std::string> arguments;
};

/// What is started under the server's name now.
struct McpEntry {
  bool is_ours = false;            ///< the command is called as the server's: an earlier install
  std::vector<std::string> words;  ///< command and arguments; none where it is no local command
};

/// Nothing when no entry has that name.
Result<std::optional<McpEntry>> entry_in(std::string_view settings, const McpServer& server);

/// Added, or brought to this command: of an entry that is there only `type`, `command` and `args`
/// change, whatever else somebody has put into it. The same text if it says so already. An empty
/// text is a new file.
Result<std::string> with_server(std::string_view settings, const McpServer& server);

/// An empty text when nothing is left of a file that we made. Only `list` and `name` are looked at.
Result<std::string> without_server(std::string_view settings, const McpServer& server);

}  // namespace daybook::harness

// SPDX-License-Identifier: MIT
//
// workspace.json <-> what it says: which workspace a state folder belongs to. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::state {

struct WorkspaceRecord {
  std::string workspace;         ///< for people: bytes that are no UTF-8 are replaced
  std::string workspace_sha256;  ///< of the real path, hex: what is compared
  std::int64_t schema = 0;
  std::string program_version;
  std::string device;
};

std::string to_json(const WorkspaceRecord& record);

/// Nothing when it is damaged. Of a newer schema only `schema` and `program_version` are certain.
std::optional<WorkspaceRecord> read_workspace_record(std::string_view json);

}  // namespace daybook::state

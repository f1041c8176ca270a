// SPDX-License-Identifier: MIT
//
// Which session files of harnesses were read, at which size and time, and what became of them: so
// that an import that is run again opens only what is new. Losing it costs time, never a session.
// Belongs to the StateDb's thread; a failed call changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace daybook::state {

enum class ImportOutcome : std::uint8_t {
  captured,  ///< by the import or before it
  empty,     ///< nothing was said in it
};

struct ImportedFile {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  lineage::SessionToken token;
  ImportOutcome outcome = ImportOutcome::captured;
  bool operator==(const ImportedFile&) const = default;
};

class Imported {
 public:
  explicit Imported(store::Database& database) : database_(database) {}

  Result<std::optional<ImportedFile>> find(std::string_view source_path);
  Result<void> put(std::string_view source_path, const ImportedFile& file);
  Result<void> erase(const lineage::SessionToken& token);

 private:
  store::Database& database_;
};

}  // namespace daybook::state

// SPDX-License-Identifier: MIT
#include "daybook/state/imported.hpp"

#include "daybook/base/sha256.hpp"
#include "state/token_blob.hpp"

namespace daybook::state {

Result<std::optional<ImportedFile>> Imported::find(std::string_view source_path) {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT size, mtime_ns, token, outcome FROM imported"
                               " WHERE source = ?"));
  std::optional<ImportedFile> found;
  const base::Digest source = base::sha256(source_path);
  TRY(select.each(
      [&found](const store::Row& row) {
        found = ImportedFile{static_cast<std::uint64_t>(row.integer(0)),
                             row.integer(1),
                             token_from_blob(row.blob(2)),
                             static_cast<ImportOutcome>(row.integer(3))};
      },
      store::as_blob(source)));
  return found;
}

Result<void> Imported::put(std::string_view source_path, const ImportedFile& file) {
  TRY_ASSIGN(auto insert, database_.prepare("INSERT OR REPLACE INTO imported VALUES(?,?,?,?,?)"));
  const base::Digest source = base::sha256(source_path);
  const TokenBytes token = to_bytes(file.token);
  return insert.run(
      store::as_blob(source), file.size, file.mtime_ns, store::as_blob(token), file.outcome);
}

Result<void> Imported::erase(const lineage::SessionToken& token) {
  TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM imported WHERE token = ?"));
  const TokenBytes bytes = to_bytes(token);
  return erase.run(store::as_blob(bytes));
}

}  // namespace daybook::state

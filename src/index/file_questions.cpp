// SPDX-License-Identifier: MIT
//
// What Reader answers about files that have something in common.
#include "daybook/index/reader.hpp"
#include "index/file_columns.hpp"

namespace daybook::index {
namespace {

using store::Row;

template <typename... Values>
Result<void> each_file(store::Database& database,
                       const char* where,
                       const Reader::FileVisitor& visit,
                       const Values&... values) {
  TRY_ASSIGN(auto select, database.prepare(std::string(kSelectFiles).append(where)));
  return select.each([&visit](const Row& row) { visit(file_row(row)); }, values...);
}

}  // namespace

Result<void> Reader::removed_files(const FileVisitor& visit) {
  // Not valid, so that SQLite sees that the index of the others will do.
  return each_file(
      *database_, "WHERE file.status = ? AND file.status <> 0", visit, FileStatus::removed);
}

Result<void> Reader::files_with_body(const base::Digest& body, const FileVisitor& visit) {
  return each_file(
      *database_, "WHERE coalesce(body_sha256, content_sha256) = ?", visit, store::as_blob(body));
}

Result<void> Reader::files_that_link_by_name(const FileVisitor& visit) {
  return each_file(*database_, "WHERE names_used = 1", visit);
}

Result<bool> Reader::has_links_by_name() {
  TRY_ASSIGN(const auto found,
             database_->integer("SELECT 1 FROM file WHERE names_used = 1 LIMIT 1"));
  return found.has_value();
}

Result<void> Reader::learned_files(std::optional<std::uint64_t> id, const FileVisitor& visit) {
  return id ? each_file(*database_, "WHERE learning_id = ?", visit, *id)
            : each_file(*database_, "WHERE learning_id IS NOT NULL", visit);
}

Result<void> Reader::learned_files_with_body(const FileVisitor& visit) {
  return each_file(
      *database_,
      "WHERE learning_id IS NOT NULL AND coalesce(body_sha256, content_sha256) IS NOT NULL",
      visit);
}

Result<void> Reader::files_with_session_key(const FileVisitor& visit) {
  return each_file(*database_, "WHERE file.session IS NOT NULL AND file.session_key <> ''", visit);
}

Result<void> Reader::files_naming_projections_of(const std::string& device,
                                                 const FileVisitor& visit) {
  return each_file(*database_, "WHERE device = ? AND memory_md_refs IS NOT NULL", visit, device);
}

Result<std::optional<std::string>> Reader::first_path_of(const std::string& agent) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT folder.text || '/' || name AS path FROM file"
                                " JOIN word AS folder ON folder.id = file.folder"
                                " WHERE agent = (SELECT id FROM word WHERE text = ?)"
                                " ORDER BY path LIMIT 1"));
  std::optional<std::string> path;
  TRY(select.each([&path](const Row& row) { path = std::string(row.text(0)); }, agent));
  return path;
}

}  // namespace daybook::index

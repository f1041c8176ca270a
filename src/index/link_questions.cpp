// SPDX-License-Identifier: MIT
//
// What Reader answers about links.
#include "daybook/index/reader.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "index/link_columns.hpp"

#include <utility>

namespace daybook::index {
namespace {

using store::Row;

FoundLink read_link(const Row& row) {
  FoundLink found;
  found.source.assign(row.text(0)).append(1, '/').append(row.text(1));
  found.agent_id = row.text(2);
  found.link.line = static_cast<std::uint32_t>(row.integer(3));
  found.link.origin = static_cast<LinkOrigin>(row.integer(4));
  found.link.form = static_cast<lineage::LinkForm>(row.integer(5));
  found.link.target = found.source.substr(0, static_cast<std::size_t>(row.integer(6)));
  found.link.target.append(row.text(7));
  if (!row.is_null(8)) {
    found.link.resolved = row.text(8).empty() ? found.link.target : std::string(row.text(8));
  }
  return found;
}

constexpr const char* kSelectLinks = R"sql(
SELECT folder.text, file.name, agent.text, link.line, link.origin, link.form,
       link.target_shared, link.target_rest, link.resolved
FROM link JOIN file ON file.id = link.file JOIN word AS folder ON folder.id = file.folder
LEFT JOIN word AS agent ON agent.id = file.agent
)sql";

}  // namespace

Result<std::vector<FoundLink>> Reader::links_from(const std::string& path) {
  TRY_ASSIGN(const auto source, file_at(path));
  return source ? links_of_file(source->id) : Result(std::vector<FoundLink>());
}

Result<std::vector<FoundLink>> Reader::links_of_file(std::int64_t file) {
  std::vector<FoundLink> links;
  TRY_ASSIGN(
      auto select,
      database_->prepare(
          std::string(kSelectLinks).append(" WHERE link.id BETWEEN ? AND ? ORDER BY link.id")));
  TRY(select.each([&](const Row& row) { links.push_back(read_link(row)); },
                  first_link(file),
                  first_link(file + 1) - 1));
  return links;
}

Result<std::vector<FoundLink>> Reader::links_to(const std::string& path) {
  std::vector<FoundLink> links;
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelectLinks)
                                    .append(" WHERE link.id IN"
                                            " (SELECT id FROM link WHERE target_mark = ?2"
                                            " UNION SELECT id FROM link WHERE resolved = ?1"
                                            " AND resolved IS NOT NULL AND resolved <> '')"
                                            " ORDER BY folder.text, file.name, link.line")));
  const auto take = [&](const Row& row) {
    FoundLink found = read_link(row);
    if (found.link.target == path || found.link.resolved == path) {  // marks may collide
      links.push_back(std::move(found));
    }
  };
  TRY(select.each(take, path, target_mark(path)));
  return links;
}

Result<std::vector<FoundLink>> Reader::links_to_session(lineage::SessionToken token) {
  std::vector<FoundLink> links;
  TRY_ASSIGN(auto select, database_->prepare(kSelectLinks));
  const std::string part = "--" + token.to_string() + "--";
  TRY(select.each([&](const Row& row) {
    FoundLink found = read_link(row);
    if (found.link.target.find(part) != std::string::npos) {
      links.push_back(std::move(found));
    }
  }));
  return links;
}

Result<bool> Reader::may_be_meant(const std::string& stem) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT 1 FROM file JOIN word AS folder ON folder.id = file.folder"
                                " JOIN link ON link.id BETWEEN file.id * 8192"
                                " AND file.id * 8192 + 8191 WHERE names_used = 1 AND"
                                " substr(folder.text || '/' || file.name, 1, target_shared)"
                                " || target_rest LIKE '%' || ? || '%' LIMIT 1"));
  TRY_ASSIGN(const auto found, select.integer(stem));
  return found.has_value();
}

}  // namespace daybook::index

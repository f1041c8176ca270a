// SPDX-License-Identifier: MIT
#include "index/month_search.hpp"

#include "daybook/store/fts5.hpp"

#include <cstring>
#include <functional>
#include <map>

namespace daybook::index {
namespace {

void append_numbers(std::string& sql, const std::vector<std::int64_t>& numbers) {
  std::string_view between = "(";
  for (const std::int64_t number : numbers) {
    sql.append(between).append(std::to_string(number));
    between = ",";
  }
  sql.append(numbers.empty() ? "()" : ")");
}

bool can_hold_hits(const MonthMeta& meta, const SearchFilter& filter) {
  return meta.documents > 0 && (!filter.since || meta.latest >= *filter.since) &&
         (!filter.until || meta.earliest <= *filter.until);
}

}  // namespace

Result<std::vector<MonthName>> months_to_search(const std::string& folder) {
  TRY_ASSIGN(const auto entries, list_text_folder(folder));
  std::map<std::int64_t, std::int64_t, std::greater<>> newest;
  for (const TextFolderEntry& entry : entries) {
    if (entry.is_month) {
      auto& generation = newest[entry.name.month];
      generation = std::max(generation, entry.name.generation);
    }
  }
  std::vector<MonthName> months;
  months.reserve(newest.size());
  for (const auto& [month, generation] : newest) {
    months.push_back({month, generation});
  }
  return months;
}

std::string filter_sql(const SearchFilter& filter) {
  std::string sql;
  if (filter.agent) {
    sql.append(" AND document.agent = ").append(std::to_string(*filter.agent));
  }
  if (filter.projects) {
    append_numbers(sql.append(" AND document.project IN "), *filter.projects);
  }
  if (filter.visible) {
    append_numbers(sql.append(" AND (document.file IN "), filter.visible->files);
    if (filter.visible->project) {
      sql.append(" OR document.project = ").append(std::to_string(*filter.visible->project));
    }
    sql.append(")");
  }
  if (!filter.kinds.empty()) {
    std::vector<std::int64_t> kinds;
    kinds.reserve(filter.kinds.size());
    for (const lineage::Kind kind : filter.kinds) {
      kinds.push_back(static_cast<std::int64_t>(kind));
    }
    append_numbers(sql.append(" AND document.kind IN "), kinds);
  }
  if (filter.since) {
    sql.append(" AND document.time >= ").append(std::to_string(filter.since->ms));
  }
  if (filter.until) {
    sql.append(" AND document.time <= ").append(std::to_string(filter.until->ms));
  }
  return sql;
}

Error not_as_made(const std::string& path) {
  return {ErrorKind::damaged, "a month's full text is not what was made", path, {}};
}

std::uint32_t number_at(std::string_view blob, std::size_t place) {
  std::uint32_t number = 0;
  std::memcpy(&number, blob.data() + place * sizeof number, sizeof number);
  return number;
}

Result<std::optional<OpenMonth>> open_month(const std::string& path,
                                            store::Access access,
                                            const std::string& index_id,
                                            const SearchFilter& filter) {
  TRY_ASSIGN(auto opened, store::Database::open(path, {access, 5000}));
  auto database = std::make_unique<store::Database>(std::move(opened));
  TRY_ASSIGN(auto snapshot,
             store::Transaction::begin(*database, store::Transaction::Kind::deferred));
  TRY_ASSIGN(const auto meta, read_month_meta(*database, index_id));
  if (!meta || !can_hold_hits(*meta, filter)) {
    return std::optional<OpenMonth>();
  }
  TRY_ASSIGN(const bool own_tables, has_own_tables(*database));
  if (!own_tables) {
    return not_as_made(path);
  }
  TRY(store::add_phrase_counts(*database));
  return std::optional(OpenMonth{std::move(database), std::move(snapshot), *meta});
}

}  // namespace daybook::index

// SPDX-License-Identifier: MIT
#include "daybook/index/learnings.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/index/reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace daybook::index {
namespace {

using lineage::Learning;
using lineage::Timestamp;
using store::Row;
using store::Visit;

// CROSS: or SQLite would look at every file of the vault first, to see whether it is valid.
constexpr const char* kSelect = R"sql(
SELECT file.id, folder.text || '/' || file.name AS path, file.status, file.source_sha256,
       learning.id, agent.text, learning.kind, category, learning.scope, scope_id, learning.status,
       tier, origin, sensitivity, created_at, updated_at, expires_at, learning.revision, metadata,
       content, revoked_at, revoked_reason
FROM learning CROSS JOIN file ON file.id = learning.file
JOIN word AS folder ON folder.id = file.folder
JOIN word AS agent ON agent.id = learning.agent
)sql";

std::optional<Timestamp> time_at(const Row& row, int column) {
  const auto ms = row.optional_integer(column);
  return ms ? std::optional(Timestamp{*ms}) : std::nullopt;
}

template <typename Value>
Value value_at(const Row& row, int column) {
  return static_cast<Value>(row.integer(column));
}

LearningRow learning_row(const Row& row) {
  LearningRow found;
  found.file = row.integer(0);
  found.path = row.text(1);
  found.status = value_at<FileStatus>(row, 2);
  if (const std::string_view hash = row.blob(3); hash.size() == found.source_sha256.size()) {
    std::memcpy(found.source_sha256.data(), hash.data(), hash.size());
  }
  Learning& learning = found.learning;
  learning.id = value_at<std::uint64_t>(row, 4);
  learning.agent_id = row.text(5);
  learning.kind = value_at<lineage::LearningKind>(row, 6);
  learning.category = row.text(7);
  learning.scope = {value_at<lineage::ScopeKind>(row, 8), std::string(row.text(9))};
  learning.status = value_at<lineage::LearningStatus>(row, 10);
  learning.tier = value_at<lineage::PublishTier>(row, 11);
  learning.origin = value_at<lineage::LearningOrigin>(row, 12);
  learning.sensitivity = value_at<lineage::Sensitivity>(row, 13);
  learning.created_at = Timestamp{row.integer(14)};
  learning.updated_at = Timestamp{row.integer(15)};
  learning.expires_at = time_at(row, 16);
  learning.revision = value_at<std::uint64_t>(row, 17);
  learning.metadata = row.text(18);
  learning.content = row.text(19);
  learning.revoked_at = time_at(row, 20);
  learning.revoked_reason = row.text(21);
  return found;
}

/// One of several notes with the same id.
struct Rival {
  std::int64_t file;
  std::string path;
  std::int64_t agent;
  FileStatus status;
};

class Settlement {
 public:
  static Result<Settlement> begin(store::Database& db) {
    TRY_ASSIGN(auto rivals,
               db.prepare("SELECT file.id, folder.text || '/' || file.name AS path, learning.agent,"
                          " file.status FROM learning JOIN file ON file.id = learning.file"
                          " JOIN word AS folder ON folder.id = file.folder"
                          " WHERE learning.id = ? ORDER BY learning.agent, path"));
    TRY_ASSIGN(auto set_status, db.prepare("UPDATE file SET status = ? WHERE id = ?"));
    TRY_ASSIGN(auto erase, db.prepare("DELETE FROM diagnostic WHERE file = ? AND code = ?"));
    TRY_ASSIGN(auto put,
               db.prepare("INSERT INTO diagnostic(file, path, agent, code, severity, line, message)"
                          " VALUES(?,NULL,?,?,?,0,?)"));
    return Settlement(std::move(rivals), std::move(set_status), std::move(erase), std::move(put));
  }

  Result<bool> settle(std::uint64_t id) {
    std::vector<Rival> rivals;
    TRY(rivals_.each(
        [&rivals](const Row& row) {
          rivals.push_back({row.integer(0),
                            std::string(row.text(1)),
                            row.integer(2),
                            static_cast<FileStatus>(row.integer(3))});
        },
        id));
    bool changed = false;
    const Rival* counting = nullptr;
    for (const Rival& rival : rivals) {
      const bool counts = counting == nullptr || counting->agent != rival.agent;
      counting = counts ? &rival : counting;
      TRY_ASSIGN(const bool differs, put(rival, counts ? nullptr : counting));
      changed |= differs;
    }
    return changed;
  }

 private:
  Settlement(store::Statement rivals,
             store::Statement set_status,
             store::Statement erase,
             store::Statement put)
      : rivals_(std::move(rivals)),
        set_status_(std::move(set_status)),
        erase_(std::move(erase)),
        put_(std::move(put)) {}

  /// The finding is written again each time, because it names the other path.
  Result<bool> put(const Rival& rival, const Rival* counting) {
    const lineage::CodeInfo& code = lineage::info(lineage::Code::duplicate_learning);
    const FileStatus status = counting == nullptr ? FileStatus::valid : FileStatus::duplicate;
    if (rival.status != status) {
      TRY(set_status_.run(status, rival.file));
    }
    if (counting != nullptr || rival.status == FileStatus::duplicate) {
      TRY(erase_.run(rival.file, code.name));
    }
    if (counting != nullptr) {
      TRY(put_.run(rival.file,
                   rival.agent,
                   code.name,
                   code.severity,
                   base::quoted(counting->path) + " has the same learning_id and counts"));
    }
    return rival.status != status;
  }

  store::Statement rivals_;
  store::Statement set_status_;
  store::Statement erase_;
  store::Statement put_;
};

}  // namespace

Result<bool> settle_learnings(store::Database& database, const std::set<std::uint64_t>& ids) {
  if (ids.empty()) {
    return false;
  }
  TRY_ASSIGN(auto settlement, Settlement::begin(database));
  bool changed = false;
  for (const std::uint64_t id : ids) {
    TRY_ASSIGN(const bool differs, settlement.settle(id));
    changed |= differs;
  }
  return changed;
}

Result<void> Reader::learnings(const LearningFilter& filter, const LearningVisitor& visit) {
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelect).append(
                 " WHERE file.status = 0 AND (?1 = '' OR agent.text = ?1)"
                 " ORDER BY created_at DESC, learning.id DESC, agent.text, path")));
  return select.each(
      [&](const Row& row) {
        const auto kind = value_at<lineage::LearningKind>(row, 6);
        const bool wanted = !filter.type || lineage::memory_type_of(kind) == *filter.type;
        return wanted ? visit(learning_row(row)) : Visit::next;
      },
      filter.agent);
}

Result<std::vector<LearningRow>> Reader::learnings_by_id(std::uint64_t id,
                                                         const std::string& agent) {
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelect).append(
                 " WHERE learning.id = ?1 AND (?2 = '' OR agent.text = ?2)"
                 " ORDER BY agent.text, file.status, path")));
  std::vector<LearningRow> found;
  TRY(select.each([&found](const Row& row) { found.push_back(learning_row(row)); }, id, agent));
  return found;
}

Result<LearningCounts> Reader::count_learnings(const std::string& agent) {
  LearningCounts counts;
  TRY_ASSIGN(
      auto select,
      database_->prepare(
          "SELECT learning.status, file.status, count(*) FROM learning CROSS JOIN file ON file.id"
          " = learning.file JOIN word AS agent ON agent.id = learning.agent"
          " WHERE ?1 = '' OR agent.text = ?1 GROUP BY 1, 2"));
  TRY(select.each(
      [&counts](const Row& row) {
        const bool is_valid = value_at<FileStatus>(row, 1) == FileStatus::valid;
        std::uint64_t& count =
            is_valid ? counts.by_status.at(value_at<std::size_t>(row, 0)) : counts.duplicates;
        count += value_at<std::uint64_t>(row, 2);
      },
      agent));
  TRY_ASSIGN(auto invalid,
             database_->prepare("SELECT count(*) FROM file JOIN word AS folder"
                                " ON folder.id = file.folder WHERE file.status = ? AND kind IS NULL"
                                " AND (folder.text = ?2 OR folder.text LIKE ?2 || '/%')"));
  TRY_ASSIGN(const auto count, invalid.integer(FileStatus::invalid, lineage::kLearningsFolder));
  counts.invalid = static_cast<std::uint64_t>(count.value_or(0));
  return counts;
}

Result<std::optional<Timestamp>> Reader::next_expiry(Timestamp now) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT min(expires_at) FROM learning CROSS JOIN file"
                                " ON file.id = learning.file WHERE expires_at > ?"
                                " AND learning.status = 0 AND file.status = 0"));
  TRY_ASSIGN(const auto ms, select.integer(now.ms));
  return ms ? std::optional(Timestamp{*ms}) : std::nullopt;
}

}  // namespace daybook::index

// SPDX-License-Identifier: MIT
#include "daybook/index/vectors.hpp"

#include "daybook/index/index_file.hpp"
#include "index/bm25.hpp"
#include "index/dot_product.hpp"
#include "index/schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace daybook::index {
namespace {

constexpr const char* kModelKey = "vector_model";
constexpr const char* kDimensionsKey = "vector_dimensions";
/// Raise it when their table changes.
constexpr std::int64_t kFirstSchemaWithTheseVectors = 11;
constexpr auto kPassages = static_cast<std::int64_t>(kMostPassages);
static_assert(kPassages == 8, "SQL says it as a number: a row's is that of its file * 8 + passage");

/// Files that are to have vectors, as `wanted`: id, source_sha256, time and expires_at. What is
/// sensitive is none of them, since who makes vectors is sent the text; a note that becomes so says
/// something else then, and its vector goes with what it said.
constexpr const char* kWantedFiles =
    "WITH wanted AS ("
    "SELECT file.id, file.source_sha256, session.membership AS time, NULL AS expires_at"
    " FROM session JOIN file ON file.id = session.source"
    " WHERE file.status = 0 AND file.source_sha256 IS NOT NULL"
    " UNION ALL SELECT file.id, file.source_sha256, learning.created_at, learning.expires_at"
    " FROM learning JOIN file ON file.id = learning.file"
    " WHERE file.status = 0 AND learning.status < 2"  // active and provisional
    " AND learning.sensitivity = 0) ";
constexpr const char* kPending =
    " FROM wanted WHERE (expires_at IS NULL OR expires_at > ?2)"
    " AND NOT EXISTS(SELECT 1 FROM vector WHERE vector.id = wanted.id * 8)"
    " AND NOT EXISTS(SELECT 1 FROM refused_file WHERE file = wanted.id AND model = ?1)";
/// The row of a vector, all but its number and itself.
constexpr const char* kOfFile =
    " file.source_sha256, ifnull(file.agent, 0), ifnull(file.project, 0), ifnull(file.kind, -1),"
    " coalesce(file.ended_at, file.captured_at, learning.created_at, 0)";
constexpr const char* kFromFile =
    " FROM file LEFT JOIN learning ON learning.file = file.id WHERE file.id = ?2";

/// Of length 1. Those of zeros alone, or of numbers that overflow, are none.
std::optional<std::vector<float>> unit_vector(const std::vector<float>& vector) {
  double sum = 0;
  for (const float value : vector) {
    sum += static_cast<double>(value) * value;
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    return std::nullopt;
  }
  std::vector<float> unit;
  unit.reserve(vector.size());
  const double length = std::sqrt(sum);
  for (const float value : vector) {
    unit.push_back(static_cast<float>(value / length));
  }
  return unit;
}

std::string_view bytes_of(const std::vector<float>& vector) {
  return {reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)};
}

base::Digest digest_of(std::string_view blob) {
  base::Digest digest{};
  std::memcpy(digest.data(), blob.data(), std::min(blob.size(), digest.size()));
  return digest;
}

/// In the place of a kind: something learned.
constexpr std::int64_t kLearningKind = -1;

bool is_wanted(const SearchFilter& filter, VectorsOf of, const store::Row& row) {
  constexpr int kAgent = 1;
  constexpr int kProject = 2;
  constexpr int kKind = 3;
  constexpr int kTime = 4;
  if (filter.agent && row.integer(kAgent) != *filter.agent) {
    return false;
  }
  const std::int64_t time = row.integer(kTime);
  if ((filter.since && time < filter.since->ms) || (filter.until && time > filter.until->ms)) {
    return false;
  }
  const bool is_learning = row.integer(kKind) == kLearningKind;
  if (is_learning || of == VectorsOf::learnings) {
    return is_learning && of != VectorsOf::sessions;
  }
  if (filter.projects &&
      std::find(filter.projects->begin(), filter.projects->end(), row.integer(kProject)) ==
          filter.projects->end()) {
    return false;
  }
  if (filter.visible) {
    const auto& files = filter.visible->files;
    const bool is_own =
        std::find(files.begin(), files.end(), row.integer(0) / kPassages) != files.end();
    if (!is_own && filter.visible->project != row.integer(kProject)) {
      return false;
    }
  }
  const auto kind = static_cast<lineage::Kind>(row.integer(kKind));
  return filter.kinds.empty() ||
         std::find(filter.kinds.begin(), filter.kinds.end(), kind) != filter.kinds.end();
}

}  // namespace

Result<std::optional<store::Database>> open_for_vectors(const std::string& path) {
  auto database = store::Database::open(path, {store::Access::read_only, 5000});
  if (!database) {
    return database.error().kind == ErrorKind::not_found
               ? Result(std::optional<store::Database>())
               : Result<std::optional<store::Database>>(std::move(database).error());
  }
  TRY_ASSIGN(const auto application, database->integer("PRAGMA application_id"));
  TRY_ASSIGN(const auto version, database->integer("PRAGMA user_version"));
  if (application != kApplicationId || version.value_or(0) < kFirstSchemaWithTheseVectors) {
    return std::optional<store::Database>();
  }
  return std::optional(std::move(*database));
}

bool has_sqlite_vec(store::Database& database) {
  const auto version = database.text("SELECT vec_version()");
  return version && *version;
}

Error other_vectors(const VectorIdentity& recorded, const VectorIdentity& wanted) {
  const auto named = [](const VectorIdentity& identity) {
    return identity.model + (identity.dimensions == 0
                                 ? std::string()
                                 : " with " + std::to_string(identity.dimensions) + " dimensions");
  };
  return {ErrorKind::usage,
          "the vectors in the index are of " + named(recorded) + ", but the embedding model is " +
              named(wanted) + " now",
          {},
          "Run 'daybook reindex --reembed' to embed everything anew, or put the former model back "
          "into daybook.yaml."};
}

Result<std::optional<VectorIdentity>> Vectors::identity() {
  TRY_ASSIGN(const auto model, meta_text(database_, kModelKey));
  TRY_ASSIGN(const auto dimensions, meta_text(database_, kDimensionsKey));
  if (!model || !dimensions) {
    return std::optional<VectorIdentity>();
  }
  return std::optional(VectorIdentity{*model, std::strtoull(dimensions->c_str(), nullptr, 10)});
}

Result<VectorCounts> Vectors::counts(const std::string& model, lineage::Timestamp now) {
  VectorCounts counts;
  TRY_ASSIGN(const auto embedded,
             database_.integer("SELECT count(*) FROM vector WHERE id % 8 = 0"));
  counts.embedded = static_cast<std::uint64_t>(embedded.value_or(0));
  TRY_ASSIGN(
      auto count_pending,
      database_.prepare(std::string(kWantedFiles).append("SELECT count(*)").append(kPending)));
  TRY_ASSIGN(const auto pending, count_pending.integer(model, now.ms));
  counts.pending = static_cast<std::uint64_t>(pending.value_or(0));
  TRY_ASSIGN(auto count_refused,
             database_.prepare("SELECT count(*) FROM refused_file WHERE model = ?"));
  TRY_ASSIGN(const auto refused, count_refused.integer(model));
  counts.refused = static_cast<std::uint64_t>(refused.value_or(0));
  return counts;
}

Result<std::vector<PendingFile>> Vectors::pending(const std::string& model,
                                                  lineage::Timestamp now) {
  TRY_ASSIGN(auto select,
             database_.prepare(std::string(kWantedFiles)
                                   .append("SELECT id, source_sha256")
                                   .append(kPending)
                                   .append(" ORDER BY time DESC, id")));
  std::vector<PendingFile> files;
  TRY(select.each(
      [&files](const store::Row& row) {
        files.push_back({row.integer(0), digest_of(row.blob(1))});
      },
      model,
      now.ms));
  return files;
}

Result<bool> Vectors::put(const PendingFile& file,
                          const std::string& model,
                          std::span<const std::vector<float>> passages) {
  const VectorIdentity wanted{model, passages.empty() ? 0 : passages.front().size()};
  TRY_ASSIGN(const auto recorded, identity());
  if (recorded && (recorded->model != model || recorded->dimensions != wanted.dimensions)) {
    return other_vectors(*recorded, wanted);
  }
  TRY_ASSIGN(auto clear, database_.prepare("DELETE FROM vector WHERE id >= ? AND id < ?"));
  TRY(clear.run(file.file * kPassages, (file.file + 1) * kPassages));
  TRY_ASSIGN(auto insert,
             database_.prepare(std::string("INSERT INTO vector SELECT ?1,")
                                   .append(kOfFile)
                                   .append(", ?4")
                                   .append(kFromFile)
                                   .append(" AND source_sha256 = ?3 AND file.status = 0")));
  std::int64_t id = file.file * kPassages;
  for (const std::vector<float>& passage :
       passages.first(std::min(passages.size(), kMostPassages))) {
    const auto unit = unit_vector(passage);
    if (!unit) {
      return Error{ErrorKind::damaged, "a vector of the embedding model has no direction", {}, {}};
    }
    TRY(insert.run(
        id, file.file, store::as_blob(file.source_sha256), store::Blob{bytes_of(*unit)}));
    if (database_.changes() == 0) {
      return false;
    }
    ++id;
  }
  if (!recorded && !passages.empty()) {
    TRY(put_meta(database_, kModelKey, model));
    TRY(put_meta(database_, kDimensionsKey, static_cast<std::int64_t>(wanted.dimensions)));
  }
  return true;
}

Result<void> Vectors::note_refusal(const PendingFile& file, const std::string& model) {
  TRY_ASSIGN(auto insert,
             database_.prepare("INSERT OR REPLACE INTO refused_file SELECT id, source_sha256, ?3"
                               " FROM file WHERE id = ?1 AND source_sha256 = ?2 AND status = 0"));
  return insert.run(file.file, store::as_blob(file.source_sha256), model);
}

Result<void> Vectors::drop() {
  TRY(database_.execute("DELETE FROM vector"));
  TRY(database_.execute("DELETE FROM refused_file"));
  return database_.execute("DELETE FROM meta WHERE key IN ('vector_model', 'vector_dimensions')");
}

Result<std::vector<NearFile>> Vectors::distances(const std::vector<float>& question,
                                                 const SearchFilter& filter,
                                                 VectorsOf of) {
  constexpr int kTime = 4;
  constexpr int kValue = 5;
  const bool by_extension = backend_ == VectorBackend::sqlite_vec;
  TRY_ASSIGN(
      auto select,
      database_.prepare(std::string("SELECT id, agent, project, kind, time, ")
                            .append(by_extension ? "1 - vec_distance_cosine(value, ?)" : "value")
                            .append(" FROM vector ORDER BY id")));
  std::vector<NearFile> near;
  bool damaged = false;
  const auto visit = [&](const store::Row& row) {
    if (!is_wanted(filter, of, row)) {
      return;
    }
    double score = 0;
    if (by_extension) {
      score = row.real(kValue);
    } else {
      const std::string_view value = row.blob(kValue);
      if (value.size() != question.size() * sizeof(float)) {
        damaged = true;
        return;
      }
      score = dot_product(
          reinterpret_cast<const float*>(value.data()), question.data(), question.size());
    }
    if (!std::isfinite(score)) {
      return;  // nothing comes before or after it
    }
    const std::int64_t file = row.integer(0) / kPassages;
    if (!near.empty() && near.back().file == file) {
      near.back().score = std::max(near.back().score, score);
    } else {
      near.push_back({file, score, {row.integer(kTime)}});
    }
  };
  if (by_extension) {
    TRY(select.each(visit, store::Blob{bytes_of(question)}));
  } else {
    TRY(select.each(visit));
  }
  if (damaged) {
    return Error{ErrorKind::damaged,
                 "the vectors in the index are not of one length",
                 database_.path(),
                 "Run 'daybook reindex --reembed'."};
  }
  return near;
}

Result<std::vector<NearFile>> Vectors::nearest(const std::vector<float>& question,
                                               const SearchFilter& filter,
                                               std::size_t limit,
                                               VectorsOf of) {
  const auto unit = unit_vector(question);
  if (!unit) {
    return std::vector<NearFile>();
  }
  TRY_ASSIGN(auto near, distances(*unit, filter, of));
  std::erase_if(near, [](const NearFile& file) { return !(file.score > 0); });
  keep_best_with_equals(near, limit);
  return near;
}

Result<std::uint64_t> Vectors::take_over(store::Database& from) {
  Vectors others(from);
  TRY_ASSIGN(const auto recorded, others.identity());
  if (!recorded) {
    return std::uint64_t{0};
  }
  std::unordered_map<std::string, std::int64_t> wanted;  // which file says what
  TRY_ASSIGN(
      auto files,
      database_.prepare(std::string(kWantedFiles).append("SELECT source_sha256, id FROM wanted")));
  TRY(files.each([&wanted](const store::Row& row) {
    wanted.emplace(std::string(row.blob(0)), row.integer(1));
  }));
  TRY_ASSIGN(auto insert,
             database_.prepare(std::string("INSERT OR REPLACE INTO vector SELECT ?1,")
                                   .append(kOfFile)
                                   .append(", ?3")
                                   .append(kFromFile)));
  TRY_ASSIGN(auto select, from.prepare("SELECT id, source_sha256, value FROM vector ORDER BY id"));
  std::uint64_t taken = 0;
  Result<void> outcome;
  TRY(select.each([&](const store::Row& row) {
    const auto found = wanted.find(std::string(row.blob(1)));
    if (found == wanted.end() || row.blob(2).size() != recorded->dimensions * sizeof(float)) {
      return store::Visit::next;
    }
    outcome = insert.run(found->second * kPassages + row.integer(0) % kPassages,
                         found->second,
                         store::Blob{row.blob(2)});
    ++taken;
    return outcome ? store::Visit::next : store::Visit::stop;
  }));
  TRY(outcome);
  if (taken > 0) {
    TRY(put_meta(database_, kModelKey, recorded->model));
    TRY(put_meta(database_, kDimensionsKey, static_cast<std::int64_t>(recorded->dimensions)));
  }
  return taken;
}

}  // namespace daybook::index

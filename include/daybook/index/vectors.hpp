// SPDX-License-Identifier: MIT
//
// The vectors of index.db: what an embedding model made of passages of files, and which of them lie
// nearest to a question's. All are of one model and one length, which the index records. A vector
// belongs to a file that says just what was embedded, and goes with it in the same transaction (by
// triggers). Reads on any connection; writes by the holder of the pipeline lock. Borrows the
// database. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/store/database.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daybook::index {

/// At most so many of one file.
inline constexpr std::size_t kMostPassages = 8;

struct VectorIdentity {
  std::string model;  ///< `openai:text-embedding-3-small`
  std::size_t dimensions = 0;

  bool operator==(const VectorIdentity&) const = default;
};

struct VectorCounts {
  std::uint64_t embedded = 0;  ///< files
  std::uint64_t pending = 0;   ///< files without vectors that may get some
  std::uint64_t refused = 0;   ///< files that the model refused
};

/// What is to be embedded.
struct PendingFile {
  std::int64_t file = 0;
  base::Digest source_sha256{};
};

struct NearFile {
  std::int64_t file = 0;
  double score = 0;  ///< the cosine of its nearest passage
  lineage::Timestamp time;
};

/// Whose vectors a question is for.
enum class VectorsOf : std::uint8_t { sessions, learnings, both };

/// What computes the distances.
enum class VectorBackend : std::uint8_t { exact, sqlite_vec };

/// Whether the extension that was loaded into this connection is sqlite-vec.
bool has_sqlite_vec(store::Database& database);

class Vectors {
 public:
  explicit Vectors(store::Database& database, VectorBackend backend = VectorBackend::exact)
      : database_(database), backend_(backend) {}

  /// Nothing: there are no vectors.
  Result<std::optional<VectorIdentity>> identity();
  Result<VectorCounts> counts(const std::string& model, lineage::Timestamp now);
  /// Of each session the file that its sentence comes from, and learnings that are active or
  /// provisional, not sensitive and not expired; newest first. Without what this model has refused.
  Result<std::vector<PendingFile>> pending(const std::string& model, lineage::Timestamp now);

  /// In a transaction of the caller. False: the file says something else by now, or is gone. Fails
  /// when the index holds vectors of another model or length.
  Result<bool> put(const PendingFile& file,
                   const std::string& model,
                   std::span<const std::vector<float>> passages);
  /// That the model refuses what the file says: it is not pending any more. In a transaction of the
  /// caller; forgotten when the file says something else or goes, and in a new index.
  Result<void> note_refusal(const PendingFile& file, const std::string& model);
  /// All of them, of which model they were, and what it refused.
  Result<void> drop();

  /// The nearest, best first: files, each by its nearest passage, whose cosine is above 0. The
  /// question has any length but as many numbers as the vectors have. Equal ones by time, newest
  /// first, then by number; those that are equal to the last come beyond the limit, too.
  /// Learnings are of no project and no kind: of the filter their agent and time count.
  Result<std::vector<NearFile>> nearest(const std::vector<float>& question,
                                        const SearchFilter& filter,
                                        std::size_t limit,
                                        VectorsOf of = VectorsOf::sessions);

  /// Takes the vectors of another index whose files say the same: a new index need not embed them
  /// again. Both must be this version's. In a transaction of the caller.
  Result<std::uint64_t> take_over(store::Database& from);

 private:
  Result<std::vector<NearFile>> distances(const std::vector<float>& question,
                                          const SearchFilter& filter,
                                          VectorsOf of);

  store::Database& database_;
  VectorBackend backend_;
};

/// An index to take vectors from: also one of another schema, as long as its vectors are as ours.
/// Nothing: there are none. Nothing else may be asked of it.
Result<std::optional<store::Database>> open_for_vectors(const std::string& path);

/// Both named, and the way out.
Error other_vectors(const VectorIdentity& recorded, const VectorIdentity& wanted);

}  // namespace daybook::index

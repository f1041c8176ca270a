// SPDX-License-Identifier: MIT
//
// Listing + what was known -> which files are new, changed or gone, by stat alone. What is known of
// a file is 20 bytes: a hash of its path, a hash of its size, times and inode, and the number of
// its row; of all files one sorted blob, so that 300,000 are loaded in a few milliseconds. A file
// that was written so shortly before it was looked at that a second write could leave the same
// stat data (git's racy timestamps) is recorded as never equal, and is read again next time.
// Surveying uses several threads; the rest is pure.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/scan/vault_listing.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::scan {

// 20 bytes and not 24: a vault of 300,000 files has as many of them in memory.
#pragma pack(push, 4)
struct Fingerprint {
  std::uint64_t path = 0;
  std::uint64_t stat = 0;  ///< kNeverEqual: read it again
  std::uint32_t file = 0;  ///< the row in the index
};
#pragma pack(pop)
static_assert(sizeof(Fingerprint) == 20);

inline constexpr std::uint64_t kNeverEqual = 0;
/// Coarsest granularity of file times that is allowed for, with room for a clock that is not ours.
inline constexpr std::int64_t kRacyNanoseconds = 2'000'000'000;

/// Times are trusted only when they are older than `looked_at_ns` by the granularity.
std::uint64_t stat_mark(const base::FileStat& stat,
                        std::int64_t looked_at_ns,
                        std::uint64_t secret);
std::uint64_t path_mark(std::string_view workspace_path, std::uint64_t secret);

/// What a look at every listed file gave, by the listing's index.
struct Survey {
  struct Seen {
    std::uint64_t path = 0;
    std::uint64_t stat = kNeverEqual;
  };
  std::vector<Seen> files;
};

/// Only the paths: for when every file is read anyway, and looked at then.
Survey survey_paths(const VaultListing& listing, std::uint64_t secret);

/// Looks at every listed file; `looked_at_ns` is the wall clock when it begins.
Result<Survey> survey(base::Disk& disk,
                      const std::string& workspace,
                      const VaultListing& listing,
                      std::uint64_t secret,
                      std::int64_t looked_at_ns,
                      unsigned threads);

class Fingerprints {
 public:
  Fingerprints() = default;
  /// Nothing when the blob is not one of encode()'s.
  static std::optional<Fingerprints> decode(std::string_view blob);
  std::string encode() const;

  void reserve(std::size_t count) { known_.reserve(count); }
  void add(const Fingerprint& fingerprint) { known_.push_back(fingerprint); }
  /// After the last add().
  void sort();
  /// Puts newer ones in the place of those of the same path; file 0 means gone.
  void renew(const std::vector<Fingerprint>& newer);
  const Fingerprint* find(std::uint64_t path) const;
  std::size_t size() const { return known_.size(); }
  const std::vector<Fingerprint>& all() const { return known_; }

 private:
  std::vector<Fingerprint> known_;
};

struct Differences {
  std::vector<VaultListing::Index> added;
  std::vector<VaultListing::Index> changed;
  std::vector<Fingerprint> gone;
  bool none() const { return added.empty() && changed.empty() && gone.empty(); }
};

Differences differences(const Survey& survey, const Fingerprints& known);

}  // namespace daybook::scan

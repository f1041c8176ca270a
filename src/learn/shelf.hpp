// SPDX-License-Identifier: MIT
//
// memory/learnings/ as it is now: notes with what they say and whether that counts, beside the
// removals in force. Read at most once per call of the stage; one thread.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/capture/learning_guard.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace daybook::learn {

/// What a file is that has an id.
enum class Sort : std::uint8_t {
  note,      ///< of something learned, right or wrong
  copy,      ///< of one, by a synchroniser; counts nowhere
  unread,    ///< meant as one, but nobody can tell what it says, or its name says something else
  ordinary,  ///< a person's, whose name has a number or whose frontmatter names one
};

struct Shelved {
  Note note;                  ///< id and agent as the file claims them
  std::string claimed_agent;  ///< as the file says, may be empty or wrong
  Sort sort = Sort::unread;
  bool valid = false;      ///< no error, no secret, not forgotten, not against a revocation
  bool timed = false;      ///< it says when it was made, itself or by its id
  bool forgotten = false;  ///< a removal in force means it
  base::Digest body{};
  std::vector<base::Digest> said;  ///< of what it says, whatever its length
  std::uint64_t body_size = 0;     ///< normalised
};

class Shelf {
 public:
  static Result<Shelf> open(const Desk& desk);

  const std::vector<std::string>& paths() const { return paths_; }
  /// Folders of which nobody knows what is in them.
  const std::vector<std::string>& unreadable() const { return unreadable_; }
  const lineage::TombstoneSet& removals() const { return removals_; }

  /// Nothing when the file is gone, or is no note of something learned. One that cannot be read is
  /// known by its name.
  Result<std::optional<Shelved>> read(const std::string& path) const;
  Result<std::vector<Shelved>> read_all() const;
  /// Those whose name ends as the name of a note with that content does.
  Result<std::vector<Shelved>> read_alike(const std::string& content) const;

  /// So that no new one is the same. False: a note has it by its name, or it was taken since.
  bool take_id(std::uint64_t id) { return ids_.insert(id).second; }
  /// Whether no note has it by its name, and no removal means it as one of that agent, be it of a
  /// note that was never here.
  bool is_free(std::uint64_t id, const std::string& agent_id) const;
  /// One that is free for a note of that agent; from now on taken. Nothing: none is.
  std::optional<std::uint64_t> new_id(const std::string& agent_id);

 private:
  explicit Shelf(const Desk& desk) : desk_(desk) {}

  /// For a note for which capture::is_learned_note() holds; no removal is asked.
  Shelved judged(const parse::Frontmatter& fields,
                 const std::string& path,
                 const parse::FileParts& parts) const;
  /// Of a file that is too large to be told.
  Result<std::optional<Shelved>> read_beginning(const std::string& path) const;

  Desk desk_;
  std::vector<std::string> paths_;
  std::vector<std::string> unreadable_;
  std::unordered_set<std::uint64_t> ids_;
  lineage::TombstoneSet removals_;
  capture::LearningGuard guard_;
};

/// Whether the removals in force mean a note with that id, or that content.
bool is_forgotten(const lineage::TombstoneSet& removals,
                  const std::string& agent_id,
                  std::uint64_t id,
                  const std::string& content);

}  // namespace daybook::learn

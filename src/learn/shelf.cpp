// SPDX-License-Identifier: MIT
#include "learn/shelf.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/said_hash.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/redact/secret_guard.hpp"
#include "daybook/scan/learning_list.hpp"
#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace daybook::learn {
namespace {

constexpr std::uint64_t kLargestNote = 1ULL << 20U;
constexpr int kAttemptsOfMoment = 8;
constexpr int kMostAttempts = 1024;

bool has_error(const std::vector<lineage::Diagnostic>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const lineage::Diagnostic& finding) {
    return lineage::info(finding.code).invalidates == lineage::Invalidates::yes;
  });
}

/// What cannot be told can be forgotten all the same, if it names its id.
std::optional<Shelved> untold(const parse::Frontmatter& fields, const std::string& path) {
  parse::LearningClaim claim = parse::learning_claim(fields, path);
  if (!claim.id) {
    return std::nullopt;
  }
  Shelved shelved;
  shelved.note.path = path;
  shelved.note.learning.id = *claim.id;
  shelved.note.learning.agent_id = lineage::learning_owner(claim.agent_id);
  shelved.claimed_agent = std::move(claim.agent_id);
  return shelved;
}

/// For as long as both are there.
lineage::Traces traces_of(const Shelved& shelved, std::span<const lineage::SessionToken> sessions) {
  lineage::Traces traces;
  traces.sessions = sessions;
  traces.path = shelved.note.path;
  traces.agent_id = shelved.claimed_agent;
  traces.learning_id = shelved.note.learning.id;
  traces.body = shelved.body;
  traces.body_size = shelved.body_size;
  traces.said = shelved.said;
  return traces;
}

}  // namespace

bool is_forgotten(const lineage::TombstoneSet& removals,
                  const std::string& agent_id,
                  std::uint64_t id,
                  const std::string& content) {
  lineage::Traces traces;
  traces.agent_id = agent_id;
  traces.learning_id = id;
  traces.body = lineage::body_hash(content);
  traces.body_size = lineage::normalized_size(content);
  return removals.means(traces);
}

Result<Shelf> Shelf::open(const Desk& desk) {
  Shelf shelf(desk);
  TRY_ASSIGN(shelf.paths_, scan::list_learnings(desk.disk, desk.folder.workspace()));
  for (const std::string& path : shelf.paths_) {
    if (const auto id = lineage::learning_id_of_name(base::file_name_of(path))) {
      shelf.ids_.insert(*id);
    }
  }
  TRY_ASSIGN(auto state, state::StateDb::open(desk.folder));
  TRY_ASSIGN(shelf.removals_, capture::removals_here(desk.disk, desk.folder, state));
  return shelf;
}

Result<std::optional<Shelved>> Shelf::read(const std::string& path) const {
  const auto bytes = base::read_file(desk_.disk, desk_.folder.workspace(), path, kLargestNote);
  if (!bytes) {
    const ErrorKind kind = bytes.error().kind;
    if (kind == ErrorKind::damaged) {
      return read_beginning(path);  // too large
    }
    const bool no_note = kind == ErrorKind::not_found || kind == ErrorKind::not_regular;
    return no_note ? Result(std::optional<Shelved>()) : bytes.error();
  }
  const parse::FileParts parts = parse::split_file(*bytes);
  const parse::Frontmatter fields = parse::claims_of(parts);
  if (!parse::is_learning_note(fields) || !base::is_valid_utf8(*bytes)) {
    return untold(fields, path);
  }
  std::vector<lineage::Diagnostic> findings;
  Shelved shelved;
  shelved.note.path = path;
  shelved.claimed_agent = parse::agent_id_of(fields);
  shelved.note.learning = parse::read_learning(fields, path, parts.body, parts.body_line, findings);
  shelved.body = lineage::body_hash(parts.body);
  shelved.body_size = lineage::normalized_size(parts.body);
  shelved.said = lineage::said_hashes(parts.body);
  const lineage::Learning& learning = shelved.note.learning;
  shelved.forgotten = removals_.means(traces_of(shelved, parse::session_tokens_of(fields)));
  const bool against = learning.status != lineage::LearningStatus::revoked &&
                       removals_.revokes_learning(learning.id, shelved.claimed_agent);
  shelved.valid = !shelved.forgotten && !against && !has_error(findings) &&
                  !redact::secret_in(learning.content);
  return std::optional(std::move(shelved));
}

Result<std::optional<Shelved>> Shelf::read_beginning(const std::string& path) const {
  const auto bytes = base::read_beginning(
      desk_.disk, desk_.folder.workspace(), path, parse::kEnoughForFrontmatter);
  if (!bytes) {
    return bytes.error().kind == ErrorKind::not_found ? Result(std::optional<Shelved>())
                                                      : bytes.error();
  }
  return untold(parse::claims_of(parse::split_file(*bytes)), path);
}

Result<std::vector<Shelved>> Shelf::read_all() const {
  std::vector<Shelved> notes;
  for (const std::string& path : paths_) {
    TRY_ASSIGN(auto note, read(path));
    if (note) {
      notes.push_back(std::move(*note));
    }
  }
  return notes;
}

Result<std::vector<Shelved>> Shelf::read_alike(const std::string& content) const {
  const std::string ending = "-" + lineage::learning_slug(content) + ".md";
  std::vector<Shelved> notes;
  for (const std::string& path : paths_) {
    if (!path.ends_with(ending)) {
      continue;
    }
    TRY_ASSIGN(auto note, read(path));
    if (note) {
      notes.push_back(std::move(*note));
    }
  }
  return notes;
}

std::optional<std::uint64_t> Shelf::new_id(const std::string& agent_id) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    // A millisecond has few ids: one that is crowded is left to itself.
    const lineage::Timestamp moment{desk_.now.ms + attempt / kAttemptsOfMoment};
    const std::uint64_t id = lineage::learning_id(
        moment, static_cast<std::uint32_t>(base::random_number() & 0xFFFFFFFFU));
    if (!removals_.removes_learning(id, agent_id) && ids_.insert(id).second) {
      return id;
    }
  }
  return std::nullopt;
}

}  // namespace daybook::learn

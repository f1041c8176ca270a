// SPDX-License-Identifier: MIT
#include "learn/shelf.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/capture/learned_note.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/said_hash.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/learning_list.hpp"
#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace daybook::learn {
namespace {

/// What the index reads in one piece; a larger one is wrong to it, too.
constexpr std::uint64_t kLargestNote = scan::FileReader::kPieceSize - 1;
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

/// Of what is no note of something learned but has the id of one.
Sort sort_of(const parse::FileParts& parts,
             const parse::Frontmatter& fields,
             std::string_view path) {
  if (parse::is_learning_note(fields)) {
    return lineage::conflict_copy_of(base::file_name_of(path)) ? Sort::copy : Sort::unread;
  }
  // Of frontmatter with a mistake in it nothing is taken.
  const bool broken = parts.bounds != parse::FrontmatterBounds::none && fields.fields().empty();
  return broken ? Sort::unread : Sort::ordinary;
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
  TRY_ASSIGN(auto listed, scan::list_learnings(desk.disk, desk.folder.workspace()));
  shelf.paths_ = std::move(listed.paths);
  shelf.unreadable_ = std::move(listed.unreadable);
  for (const std::string& path : shelf.paths_) {
    if (const auto id = lineage::learning_id_of_name(base::file_name_of(path))) {
      shelf.ids_.insert(*id);
    }
  }
  shelf.guard_ = capture::read_learning_guard(desk.disk, desk.folder.workspace(), desk.config);
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
    return no_note ? std::optional<Shelved>() : untold({}, path);
  }
  const parse::FileParts parts = parse::split_file(*bytes);
  const parse::Frontmatter fields = parse::claims_of(parts);
  const bool readable = base::is_valid_utf8(*bytes);
  std::optional<Shelved> shelved;
  if (readable && capture::is_learned_note(fields, path)) {
    shelved = judged(fields, path, parts);
  } else if (shelved = untold(fields, path); shelved) {
    shelved->sort = sort_of(parts, fields, path);
  }
  if (shelved && readable) {
    shelved->body = lineage::body_hash(parts.body);
    shelved->body_size = lineage::normalized_size(parts.body);
    shelved->said = lineage::said_hashes(parts.body);
    shelved->forgotten = removals_.means(traces_of(*shelved, parse::session_tokens_of(fields)));
    shelved->valid = shelved->valid && !shelved->forgotten;
  }
  return shelved;
}

Shelved Shelf::judged(const parse::Frontmatter& fields,
                      const std::string& path,
                      const parse::FileParts& parts) const {
  std::vector<lineage::Diagnostic> findings;
  Shelved shelved;
  shelved.note.path = path;
  shelved.claimed_agent = parse::agent_id_of(fields);
  shelved.note.learning =
      capture::judge_learned_note(fields, path, parts, removals_, guard_, findings);
  shelved.sort = Sort::note;
  shelved.timed =
      fields.find("created_at") != nullptr || parse::claimed_learning_id(fields, path).has_value();
  shelved.valid = base::is_valid_utf8(path) && !has_error(findings);
  return shelved;
}

Result<std::optional<Shelved>> Shelf::read_beginning(const std::string& path) const {
  const auto bytes = base::read_beginning(
      desk_.disk, desk_.folder.workspace(), path, parse::kEnoughForFrontmatter);
  if (!bytes) {
    return bytes.error().kind == ErrorKind::not_found ? std::optional<Shelved>() : untold({}, path);
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

bool Shelf::is_free(std::uint64_t id, const std::string& agent_id) const {
  return !removals_.removes_learning(id, agent_id) && !removals_.revokes_learning(id, agent_id) &&
         !ids_.contains(id);
}

std::optional<std::uint64_t> Shelf::new_id(const std::string& agent_id) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    // A millisecond has few ids: one that is crowded is left to itself.
    const lineage::Timestamp moment{desk_.now.ms + attempt / kAttemptsOfMoment};
    const std::uint64_t id = lineage::learning_id(
        moment, static_cast<std::uint32_t>(base::random_number() & 0xFFFFFFFFU));
    if (is_free(id, agent_id)) {
      ids_.insert(id);
      return id;
    }
  }
  return std::nullopt;
}

}  // namespace daybook::learn

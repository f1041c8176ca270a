// SPDX-License-Identifier: MIT
#include "support/indexed_vault.hpp"

#include "daybook/index/full_text_search.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/search_query.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/status.hpp"
#include "daybook/store/database.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace daybook::support {
namespace {

namespace fs = std::filesystem;

template <typename T>
T must(Result<T> result, const char* what) {
  if (!result) {
    throw std::runtime_error(std::string(what) + ": " + result.error().message + " (" +
                             result.error().path + ")");
  }
  return std::move(result).value();
}

void must(const Result<void>& result, const char* what) {
  if (!result) {
    throw std::runtime_error(std::string(what) + ": " + result.error().message + " (" +
                             result.error().path + ")");
  }
}

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void dump(store::Database& database, const std::string& query, std::vector<std::string>& lines) {
  auto select = must(database.prepare(query), "dumping rows");
  must(select.each([&](const store::Row& row) { lines.emplace_back(row.text(0)); }),
       "dumping rows");
}

}  // namespace

IndexedVault::Copy::Copy(const IndexedVault& vault, const std::string& name)
    : path_(vault.place().at(name)) {
  fs::remove_all(path_);
  folder_ =
      must(state::StateFolder::open(
               path_, fs::canonical(vault.place().at("vault")).string(), state::Create::if_missing),
           "opening another state folder");
  auto database =
      must(store::Database::open(vault.folder().file("state.db"), {store::Access::read_only, 5000}),
           "opening state.db");
  must(database.execute("VACUUM INTO '" + folder_->file("state.db") + "'"), "copying state.db");
}

IndexedVault::Copy::~Copy() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

IndexedVault::IndexedVault() {
  place_.make_folder("vault/memory");
  use_state("state");
}

std::string IndexedVault::at(std::string_view path) const {
  return workspace().append("/").append(path);
}

void IndexedVault::write(std::string_view path, std::string_view bytes) const {
  place_.write(std::string("vault/").append(path), bytes);
}

void IndexedVault::unlink(std::string_view path) const { fs::remove(at(path)); }
bool IndexedVault::exists(std::string_view path) const { return fs::exists(at(path)); }
std::string IndexedVault::read(std::string_view path) const { return read_bytes(at(path)); }

void IndexedVault::use_state(const std::string& name) {
  following_.reset();
  folder_ =
      must(state::StateFolder::open(
               place_.at(name), fs::canonical(workspace()).string(), state::Create::if_missing),
           "opening the state folder");
}

state::StateDb IndexedVault::open_state() const {
  return must(state::StateDb::open(*folder_), "opening state.db");
}

void IndexedVault::delete_state_file(const std::string& name) const {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    fs::remove(folder_->file(name) + suffix);
  }
}

void IndexedVault::set_now(std::string_view rfc3339) {
  now_ = lineage::parse_timestamp(rfc3339).value().ms;
}

service::PassReport IndexedVault::reindex(service::Extent extent) {
  return must(try_reindex(extent), "reindex");
}

Result<service::PassReport> IndexedVault::try_reindex(service::Extent extent) {
  const base::FixedClock clock(now_);
  service::WorkProgress progress;
  service::PassRequest request;
  request.extent = extent;
  request.threads = 2;
  return service::Pipeline(disk_, *folder_, clock).run(request, progress);
}

service::PassReport IndexedVault::follow(std::vector<std::string> hints) {
  service::WorkProgress progress;
  service::PassRequest request;
  request.hints = std::move(hints);
  request.threads = 2;
  if (!following_ || following_clock_->now_ms() != now_) {
    following_.reset();
    following_clock_ = std::make_unique<base::FixedClock>(now_);
    following_ = std::make_unique<service::Pipeline>(
        disk_, *folder_, *following_clock_, service::Keeping::between_runs);
  }
  return must(following_->run(request, progress), "following");
}

service::Decisions IndexedVault::decisions() {
  decision_clock_ = std::make_unique<base::FixedClock>(now_);
  return {disk_, *folder_, *decision_clock_};
}

void IndexedVault::remove_session(const std::string& key, const std::string& agent) {
  service::Decisions deciding = decisions();
  const auto plan =
      must(deciding.plan_removal({capture::RemovalTarget::By::session, key, agent}, "a test"),
           "planning a removal");
  must(deciding.remove(plan), "removing");
  reindex();
}

std::vector<std::string> IndexedVault::degraded() {
  return service::look_at_status(disk_, *folder_, {}, {now_}).degraded;
}

std::string IndexedVault::rows(const state::StateFolder& folder) const {
  auto database =
      must(store::Database::open(folder.file(index::kIndexFile), {store::Access::read_only, 5000}),
           "opening the index");
  std::vector<std::string> lines;
  dump(database,
       "SELECT 'artifact ' || json_array(source_path, source_sha256, source_kind, agent_id,"
       " session_token, session_id, session_key, project, harness, captured_at, started_at,"
       " ended_at, membership_ts, manifest_path, source_node_id, content_sha256, memory_sentence,"
       " memory_sentence_version, memory_sentence_quality, fallback_sentence, validity, size)"
       " FROM artifacts",
       lines);
  dump(database,
       "SELECT 'note ' || json_array(folder.text, name, status, lower(hex(body_sha256)),"
       " learning_id)"
       " FROM file JOIN word AS folder ON folder.id = file.folder WHERE kind IS NULL",
       lines);
  dump(database,
       "SELECT 'session ' || json_array(session_token, agent_id, session_id, session_key, project,"
       " harness, started_at, membership_ts, sentence, changed_since_sealed, s.name, t.name,"
       " c.name, m.name) FROM sessions"
       " LEFT JOIN (SELECT id, name FROM file) AS s ON s.id = summary"
       " LEFT JOIN (SELECT id, name FROM file) AS t ON t.id = transcript"
       " LEFT JOIN (SELECT id, name FROM file) AS c ON c.id = compaction"
       " LEFT JOIN (SELECT id, name FROM file) AS m ON m.id = manifest",
       lines);
  dump(database,
       "SELECT 'day ' || json_array(agent.text, day, project.text, sessions) FROM session_day"
       " JOIN word AS agent ON agent.id = session_day.agent"
       " LEFT JOIN word AS project ON project.id = session_day.project",
       lines);
  dump(database,
       "SELECT 'learning ' || json_array(source_path, source_sha256, learning_id, agent_id,"
       " learning_kind, category, scope, status, publish_tier, origin, sensitivity, created_at,"
       " updated_at, expires_at, revision, metadata, content, revoked_at, revoked_reason, validity)"
       " FROM learnings",
       lines);
  dump(database,
       "SELECT 'link ' || json_array(source_path, line, origin, target, resolved) FROM links",
       lines);
  dump(database,
       "SELECT 'diagnostic ' || json_array(path, line, code, severity, message, agent_id)"
       " FROM diagnostics",
       lines);
  dump(database,
       "SELECT 'tombstone ' || json_array(session_token, scope, learning_id, path) FROM tombstones",
       lines);
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) {
    text.append(line).append("\n");
  }
  return text;
}

std::string IndexedVault::memory_md(std::string_view agent) const {
  return read(projection::projection_path(agent));
}

std::vector<std::string> IndexedVault::search(const std::string& words,
                                              const std::string& agent) const {
  auto reader = must(index::Reader::open(folder_->file(index::kIndexFile)), "opening the index");
  index::SearchFilter filter;
  if (!agent.empty()) {
    filter.agent = must(reader.word(agent), "finding an agent").value_or(-1);
  }
  const auto query = must(index::SearchQuery::parse(words), "reading a query");
  const auto answer =
      must(index::search_text(folder_->file("text"), reader.meta().index_id, query, filter, 1000),
           "searching");
  std::vector<std::string> paths;
  for (const index::SearchHit& hit : answer.hits) {
    paths.push_back(must(reader.file(hit.file), "finding a hit").value().path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> IndexedVault::codes(const std::string& path) const {
  auto reader = must(index::Reader::open(folder_->file(index::kIndexFile)), "opening the index");
  std::vector<std::string> codes;
  for (const auto& found : must(reader.diagnostics({}, 100'000), "reading findings")) {
    if (found.path == path) {
      codes.push_back(found.code);
    }
  }
  std::sort(codes.begin(), codes.end());
  return codes;
}

std::string IndexedVault::messages(const std::string& path) const {
  auto reader = must(index::Reader::open(folder_->file(index::kIndexFile)), "opening the index");
  std::string text;
  for (const auto& found : must(reader.diagnostics({}, 100'000), "reading findings")) {
    if (found.path == path) {
      text.append(found.message).append("\n");
    }
  }
  return text;
}

std::vector<std::string> IndexedVault::state_files_with(std::string_view bytes) const {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder_->path())) {
    if (entry.is_regular_file() && read_bytes(entry.path()).find(bytes) != std::string::npos) {
      found.push_back(entry.path().filename().string());
    }
  }
  return found;
}

}  // namespace daybook::support

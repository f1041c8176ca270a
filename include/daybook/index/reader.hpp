// SPDX-License-Identifier: MIT
//
// Questions to the index. A Reader opened by path has a connection of its own and sees one snapshot
// from its first question to its end, whatever is written meanwhile; one made on a connection sees
// what that connection sees. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/learnings.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

enum class Paths : std::uint8_t { wanted, not_wanted };

struct SessionFilter {
  std::string agent;                        ///< empty: every agent
  std::string project;                      ///< the whole text, or its last part; empty: every one
  std::optional<lineage::Timestamp> since;  ///< membership, both ends included
  std::optional<lineage::Timestamp> until;
  Paths paths = Paths::wanted;  ///< of the session's files; each costs a look-up
};

struct FoundDiagnostic {
  std::string path;
  std::string agent_id;
  std::string code;
  lineage::Severity severity = lineage::Severity::info;
  std::uint32_t line = 0;
  std::string message;
};

struct FoundLink {
  std::string source;
  std::string agent_id;  ///< of the source
  LinkRow link;
};

/// Both ends included, since 1970, in UTC.
struct Days {
  std::int64_t first = 0;
  std::int64_t last = -1;
};

/// Sessions counted by day and project.
struct SessionCounts {
  struct Count {
    std::int64_t day = 0;     ///< since 1970, in UTC
    std::size_t project = 0;  ///< which of `projects`
    std::uint64_t sessions = 0;
  };
  std::vector<std::string> projects;  ///< each once; one may be empty
  std::vector<Count> counts;          ///< a day and project may come more than once
};

/// How often sessions of an agent's days have come, gone or changed since the index was made. As
/// long as that and the agent's number are the same, Reader::count_days() says the same.
struct DayChanges {
  std::int64_t agent = 0;                        ///< another one when it was gone meanwhile
  std::map<std::int64_t, std::int64_t> of_days;  ///< those with changes

  std::int64_t of(std::int64_t day) const {
    const auto found = of_days.find(day);
    return found == of_days.end() ? 0 : found->second;
  }
};

struct SeverityCounts {
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t infos = 0;
};

/// Whether a project is meant: by its whole text, or the last part of it. Slashes at the end say
/// nothing.
bool is_project(std::string_view project, std::string_view wanted);

class Reader {
 public:
  /// not_found when there is no index yet, damaged when it has to be made again.
  static Result<Reader> open(const std::string& path);
  /// The same on an index that is open already; no transaction of it may be under way.
  static Result<Reader> over(OpenedIndex index, const std::string& path);
  /// On a connection that is the caller's.
  explicit Reader(store::Database& database) : database_(&database) {}

  Reader(Reader&&) noexcept = default;
  /// Ends its own snapshot.
  Reader& operator=(Reader&& other) noexcept;
  ~Reader();

  const IndexMeta& meta() const { return meta_; }
  /// The snapshot ends and another begins, of which meta() speaks. Nothing on a connection of the
  /// caller's.
  Result<void> renew();

  /// Newest first; equal times by token.
  using SessionVisitor = std::function<store::Visit(const SessionRow&)>;
  Result<void> sessions(const SessionFilter& filter, const SessionVisitor& visit);
  /// Those that come after `behind` in the order of sessions(), down to the filter's `since`,
  /// counted by day and project; its agent counts, and nothing else of the filter. Only those of
  /// the first and of the last day, in which others lie as well: whole_days() has the rest.
  Result<SessionCounts> count_sessions_at_edges(const SessionFilter& filter,
                                                const SessionRow& behind);
  /// The days between the two edges, none of which may be there.
  static Days whole_days(const SessionFilter& filter, const SessionRow& behind);
  Result<SessionCounts> count_days(const std::string& agent, Days days);
  Result<DayChanges> day_changes(const std::string& agent, Days days);
  /// Those whose token, key or id is `text`; else those whose begins so.
  Result<std::vector<SessionRow>> find_sessions(const std::string& text, const std::string& agent);

  /// With its paths.
  Result<std::optional<SessionRow>> session(lineage::SessionToken token);
  /// Of any agent, by nothing but the whole key or id.
  Result<std::vector<lineage::SessionToken>> sessions_named(const std::string& key_or_id);
  Result<void> fill_paths(std::span<SessionRow> sessions);

  Result<std::vector<FileRow>> files_of_session(lineage::SessionToken token);
  /// How the session ended that a summary speaks of, if it says so.
  Result<std::optional<lineage::RunRecord>> run_of(std::int64_t file);
  /// Every run that a valid summary tells of: its session, when the summary was captured, and when
  /// the run ended.
  using RunVisitor =
      std::function<void(lineage::SessionToken, lineage::Timestamp, lineage::Timestamp)>;
  Result<void> runs(const RunVisitor& visit);
  Result<std::optional<FileRow>> file_at(const std::string& path);
  Result<std::optional<FileRow>> file(std::int64_t id);
  /// Everything that is known of a file that has a row: links and findings, too.
  Result<FileFacts> facts(std::int64_t id);
  /// In the order in which they were put.
  Result<std::vector<lineage::Diagnostic>> findings(std::int64_t file);
  Result<void> files(const std::string& where, const std::function<void(const FileRow&)>& visit);

  /// Valid ones of every status, newest first by created_at, then by id.
  using LearningVisitor = std::function<store::Visit(const LearningRow&)>;
  Result<void> learnings(const LearningFilter& filter, const LearningVisitor& visit);
  /// Those of any agent if none is named; duplicates, too, behind the one that counts.
  Result<std::vector<LearningRow>> learnings_by_id(std::uint64_t id, const std::string& agent);
  Result<LearningCounts> count_learnings(const std::string& agent);
  /// The first moment after `now` at which one that is shown expires.
  Result<std::optional<lineage::Timestamp>> next_expiry(lineage::Timestamp now);

  Result<std::vector<FoundLink>> links_from(const std::string& path);
  Result<std::vector<FoundLink>> links_to(const std::string& path);
  /// Links to any file of the session with that token in its name. Reads every link.
  Result<std::vector<FoundLink>> links_to_session(lineage::SessionToken token);
  /// Whether a link that goes by name may mean a note that is called so; `stem` is of ASCII. May
  /// say yes for nothing.
  Result<bool> may_be_meant(const std::string& stem);
  Result<std::vector<FoundDiagnostic>> diagnostics(const std::string& agent, std::size_t most);
  /// Of one agent; what belongs to no agent counts as `default`'s. Empty: of all.
  Result<SeverityCounts> count_diagnostics(const std::string& agent);

  /// Agents that have a session or have learned something, sorted.
  Result<std::vector<std::string>> agents();
  Result<std::map<FileStatus, std::uint64_t>> count_files();
  /// Of one status but valid, without reading the others.
  Result<std::uint64_t> count_files(FileStatus status);
  Result<std::uint64_t> count_sessions();
  /// Whose full text in that folder is older than the rows, or lost.
  Result<std::uint64_t> count_months_behind(const std::string& text_folder);

  Result<std::optional<std::int64_t>> word(const std::string& text);
  /// Every project that has a session: its number and its text.
  Result<void> each_project(const std::function<void(std::int64_t, std::string_view)>& visit);
  /// Projects that are `text` or whose last part is.
  Result<std::vector<std::int64_t>> projects(const std::string& text);

 private:
  Result<std::vector<FoundLink>> links_of_file(std::int64_t file);

  std::unique_ptr<store::Database> own_;
  store::Database* database_;
  IndexMeta meta_;
};

}  // namespace daybook::index

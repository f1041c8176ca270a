// SPDX-License-Identifier: MIT
#include "daybook/service/ledger.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "service/older_days.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace daybook::service {
namespace {

constexpr const char* kPinnedNote = "pinned.md";
constexpr const char* kManifestOnly = "(only the manifest of this session can be read)";

/// Nothing when there is none, or when it cannot be read: `check` says so.
Result<std::optional<std::string>> read_pinned(base::Disk& disk, const std::string& workspace) {
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  scan::FileReader reader(*root);
  const auto opened =
      reader.open(std::string(scan::kMemoryFolder), kPinnedNote, scan::kLargestNote);
  if (!opened || opened->too_large) {
    return std::optional<std::string>();
  }
  // The first piece is far more than a projection takes of it.
  return std::optional<std::string>(opened->first_piece);
}

std::optional<std::string> path_of(const index::SessionRow& session, lineage::Kind kind) {
  const std::string& path = session.path(kind);
  return path.empty() ? std::nullopt : std::optional(path);
}

/// About as long as its row: its time and the words around what it says, and its links, each of
/// which names a time, a token and a kind. What cannot be shown makes it shorter.
std::uint64_t likely_bytes_of_row(const index::SessionRow& session) {
  constexpr std::uint64_t kText = 50;
  constexpr std::uint64_t kLink = 60;
  const auto links = std::count_if(
      session.files.begin(), session.files.end(), [](std::int64_t file) { return file != 0; });
  // What is longer than this is cut.
  return kText + kLink * static_cast<std::uint64_t>(links) +
         std::min<std::uint64_t>(session.identity().size(), 128) +
         std::min<std::uint64_t>(session.project.size(), 200) +
         std::min<std::uint64_t>(session.sentence.size(), 400);
}

projection::LedgerSession ledger_session(const index::SessionRow& session) {
  projection::LedgerSession row;
  row.membership = session.membership;
  row.session = session.identity();
  row.token = session.token.to_string();
  row.project = session.project;
  row.sentence = session.sentence.empty() ? kManifestOnly : session.sentence;
  row.seal = session.changed_since_sealed ? projection::SealState::changed_since_sealed
                                          : projection::SealState::intact;
  row.summary = path_of(session, lineage::Kind::summary);
  row.transcript = path_of(session, lineage::Kind::transcript);
  row.compaction = path_of(session, lineage::Kind::compaction);
  row.manifest = path_of(session, lineage::Kind::manifest);
  return row;
}

/// The sessions of the window: those that may have a row, and of the others how many there are.
struct WindowSessions {
  std::vector<index::SessionRow> rows;  // newest first, with their paths
  projection::OlderSessions older;
};

Result<WindowSessions> gather(index::Reader& reader,
                              const index::SessionFilter& filter,
                              const parse::Config& config,
                              std::uint64_t max_bytes,
                              OlderDays& days) {
  const lineage::NoiseRules noise(config.noise);
  WindowSessions gathered;
  std::uint64_t bytes = 0;
  std::optional<index::SessionRow> last;
  TRY(reader.sessions(filter, [&](const index::SessionRow& session) {
    if (!noise.is_noise(session.project)) {
      gathered.rows.push_back(session);
      bytes += likely_bytes_of_row(session);
    }
    if (gathered.rows.size() < config.max_lines && bytes <= max_bytes) {
      return store::Visit::next;
    }
    last = session;
    return store::Visit::stop;
  }));
  TRY(reader.fill_paths(gathered.rows));
  if (last) {
    TRY_ASSIGN(index::SessionCounts edges, reader.count_sessions_at_edges(filter, *last));
    gathered.older = without_noise(std::move(edges), config.noise);
    TRY_ASSIGN(
        gathered.older.days,
        days.of(reader, filter.agent, index::Reader::whole_days(filter, *last), config.noise));
  }
  return gathered;
}

/// What every agent of the vault may be told, now: not what is of one project or session only.
Result<void> gather_learned(index::Reader& reader,
                            const std::string& agent_id,
                            lineage::Timestamp now,
                            projection::MemoryMdInput& input) {
  constexpr std::size_t kMostFacts = 500;  // more lines than have room
  return reader.learnings({agent_id, {}}, [&](const index::LearningRow& row) {
    const lineage::Learning& learning = row.learning;
    if (learning.is_shown(now) && learning.scope.kind == lineage::ScopeKind::workspace &&
        learning.kind != lineage::LearningKind::episode) {
      const bool is_procedure = learning.kind == lineage::LearningKind::procedure;
      projection::LearnedItems& items = is_procedure ? input.procedures : input.facts;
      if (items.items.size() < (is_procedure ? projection::kMostProcedures : kMostFacts)) {
        items.items.push_back({learning.category, learning.content});
      } else {
        ++items.further;
      }
    }
    return store::Visit::next;
  });
}

}  // namespace

Result<RenderedLedger> render_ledger(base::Disk& disk,
                                     const std::string& workspace,
                                     index::Reader& reader,
                                     const parse::Config& config,
                                     const std::string& agent_id,
                                     lineage::Timestamp now) {
  OlderDays days;
  return render_ledger(disk, workspace, reader, config, agent_id, now, days);
}

Result<RenderedLedger> render_ledger(base::Disk& disk,
                                     const std::string& workspace,
                                     index::Reader& reader,
                                     const parse::Config& config,
                                     const std::string& agent_id,
                                     lineage::Timestamp now,
                                     OlderDays& days) {
  const projection::Window window = projection::window_at(now);
  const index::SessionFilter filter{
      agent_id, {}, window.first, window.last, index::Paths::not_wanted};
  projection::MemoryMdInput input;
  input.agent_id = agent_id;
  TRY_ASSIGN(const index::SeverityCounts findings, reader.count_diagnostics(agent_id));
  input.errors = findings.errors;
  input.warnings = findings.warnings;
  if (agent_id == lineage::kDefaultAgent) {
    TRY_ASSIGN(input.pinned, read_pinned(disk, workspace));
  }
  TRY(gather_learned(reader, agent_id, now, input));
  RenderedLedger rendered;
  rendered.agent_id = agent_id;
  rendered.path = projection::projection_path(agent_id);
  WindowSessions sessions;
  const auto render = [&](std::uint64_t max_bytes) -> Result<void> {
    TRY_ASSIGN(sessions, gather(reader, filter, config, max_bytes, days));
    input.sessions.clear();
    input.sessions.reserve(sessions.rows.size());
    for (const index::SessionRow& session : sessions.rows) {
      input.sessions.push_back(ledger_session(session));
    }
    input.older = std::move(sessions.older);
    rendered.md = projection::render_memory_md(
        input, {config.max_bytes, config.max_lines, config.max_tokens});
    return {};
  };
  TRY(render(config.max_bytes));
  // The rows were shorter than thought.
  if (rendered.md.could_show_more) {
    TRY(render(std::numeric_limits<std::uint64_t>::max()));
  }
  for (std::size_t i = 0; i < rendered.md.rows; ++i) {
    // Newest first, as the ledger shows them.
    const std::int64_t manifest = sessions.rows[i].file(lineage::Kind::manifest);
    if (manifest != 0) {
      rendered.shown_manifests.push_back(manifest);
    }
  }
  return rendered;
}

Result<std::vector<std::string>> projected_agents(index::Reader& reader,
                                                  const std::vector<std::string>& published) {
  std::vector<std::string> agents;
  std::set<std::string> folded;
  const auto claim = [&](std::string agent) {
    if (lineage::is_valid_agent_id(agent) && folded.insert(base::fold_case(agent)).second) {
      agents.push_back(std::move(agent));
    }
  };
  claim(std::string(lineage::kDefaultAgent));
  TRY_ASSIGN(auto living, reader.agents());
  for (std::string& agent : living) {
    claim(std::move(agent));
  }
  constexpr std::string_view kPrefix = "agents/";
  constexpr std::string_view kSuffix = "/MEMORY.md";
  for (const std::string& path : published) {
    if (path.starts_with(kPrefix) && path.ends_with(kSuffix)) {
      claim(path.substr(kPrefix.size(), path.size() - kPrefix.size() - kSuffix.size()));
    }
  }
  std::sort(agents.begin(), agents.end());
  return agents;
}

}  // namespace daybook::service

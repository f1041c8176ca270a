// SPDX-License-Identifier: MIT
#include "daybook/state/flows.hpp"

#include "state/process_identity.hpp"

#include <array>
#include <utility>

namespace daybook::state {
namespace {

using lineage::Timestamp;
using store::Row;

constexpr std::size_t kIdLetters = 16;
constexpr const char* kSelect =
    "SELECT id, kind, subject, step, payload, started_at, updated_at, finished_at FROM flow";

Flow read_flow(const Row& row) {
  Flow flow{std::string(row.text(0)),
            std::string(row.text(1)),
            std::string(row.text(2)),
            std::string(row.text(3)),
            std::string(row.text(4)),
            {row.integer(5)},
            {row.integer(6)},
            std::nullopt};
  if (const auto finished = row.optional_integer(7)) {
    flow.finished_at = Timestamp{*finished};
  }
  return flow;
}

Error no_such_flow(const std::string& id, const std::string& path) {
  return {ErrorKind::not_found, std::string("there is no unfinished flow ").append(id), path, {}};
}

struct PartialState {
  std::string_view step;
  std::string_view name;
};

constexpr std::array<PartialState, 6> kPartialStates{{
    {capture_step::kSpooled, "sentence-without-artifact"},
    {capture_step::kSpooledFallback, "sentence-fallback"},
    {capture_step::kTranscript, "transcript-without-summary"},
    {capture_step::kArtifacts, "artifacts-without-manifest"},
    {capture_step::kCanonical, "index-behind"},
    {capture_step::kIndexed, "memory-md-behind"},
}};

}  // namespace

std::string_view partial_state_name(std::string_view step) {
  for (const PartialState& state : kPartialStates) {
    if (state.step == step) {
      return state.name;
    }
  }
  return step;
}

Result<std::string> Flows::begin(const NewFlow& flow, Timestamp now) {
  std::string id = flow.id.empty() ? random_letters(kIdLetters) : flow.id;
  TRY_ASSIGN(auto insert,
             database_.prepare("INSERT OR IGNORE INTO flow(id, kind, subject, step, payload,"
                               " started_at, updated_at) VALUES(?,?,?,?,?,?,?)"));
  TRY(insert.run(id, flow.kind, flow.subject, flow.step, flow.payload, now.ms, now.ms));
  if (database_.changes() == 0) {
    return Error{ErrorKind::already_exists,
                 std::string("there is a flow ").append(id).append(" already"),
                 database_.path(),
                 {}};
  }
  return id;
}

Result<void> Flows::advance(const std::string& id,
                            const std::string& step,
                            const std::string& payload,
                            Timestamp now) {
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE flow SET step = ?, payload = ?, updated_at = ?"
                               " WHERE id = ? AND finished_at IS NULL"));
  TRY(update.run(step, payload, now.ms, id));
  return database_.changes() == 1 ? Result<void>() : no_such_flow(id, database_.path());
}

Result<void> Flows::finish(const std::string& id, const std::string& result, Timestamp now) {
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE flow SET payload = ?, updated_at = ?, finished_at = ?"
                               " WHERE id = ? AND finished_at IS NULL"));
  TRY(update.run(result, now.ms, now.ms, id));
  return database_.changes() == 1 ? Result<void>() : no_such_flow(id, database_.path());
}

Result<void> Flows::forget(const std::string& id) {
  TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM flow WHERE id = ?"));
  return erase.run(id);
}

Result<std::optional<Flow>> Flows::find(const std::string& id) {
  TRY_ASSIGN(auto select, database_.prepare(std::string(kSelect).append(" WHERE id = ?")));
  std::optional<Flow> found;
  TRY(select.each([&found](const Row& row) { found = read_flow(row); }, id));
  return found;
}

Result<std::vector<Flow>> Flows::unfinished() {
  TRY_ASSIGN(auto select,
             database_.prepare(std::string(kSelect).append(
                 " WHERE finished_at IS NULL ORDER BY started_at, rowid")));
  std::vector<Flow> found;
  TRY(select.each([&found](const Row& row) { found.push_back(read_flow(row)); }));
  return found;
}

Result<bool> Flows::has_unfinished(const std::string& kind) {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT 1 FROM flow WHERE finished_at IS NULL AND kind = ?"));
  TRY_ASSIGN(const auto found, select.integer(kind));
  return found.has_value();
}

/// Asked first, because even a change of nothing takes the right to write.
Result<bool> Flows::has_captures_at(const char* step) {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT 1 FROM flow WHERE finished_at IS NULL AND step = ?"));
  TRY_ASSIGN(const auto found, select.integer(step));
  return found.has_value();
}

Result<void> Flows::captures_indexed(Timestamp pass_began,
                                     const std::vector<std::string>& subjects,
                                     Timestamp now) {
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE flow SET step = ?, updated_at = ? WHERE finished_at IS NULL"
                               " AND step = ? AND updated_at <= ? AND (subject = ? OR ? IS NULL)"));
  const auto mark = [&](const std::string* subject) {
    return update.run(
        capture_step::kIndexed, now.ms, capture_step::kCanonical, pass_began.ms, subject, subject);
  };
  if (subjects.empty()) {
    return mark(nullptr);
  }
  for (const std::string& subject : subjects) {
    TRY(mark(&subject));
  }
  return {};
}

Result<void> Flows::captures_published(Timestamp now) {
  TRY_ASSIGN(const bool any, has_captures_at(capture_step::kIndexed));
  if (!any) {
    return {};
  }
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE flow SET updated_at = ?, finished_at = ?"
                               " WHERE finished_at IS NULL AND step = ?"));
  return update.run(now.ms, now.ms, capture_step::kIndexed);
}

Result<void> Flows::forget_before(Timestamp time) {
  TRY_ASSIGN(auto select, database_.prepare("SELECT 1 FROM flow WHERE finished_at < ? LIMIT 1"));
  TRY_ASSIGN(const auto any, select.integer(time.ms));
  if (!any) {
    return {};
  }
  TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM flow WHERE finished_at < ?"));
  return erase.run(time.ms);
}

}  // namespace daybook::state

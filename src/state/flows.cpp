// SPDX-License-Identifier: MIT
#include "daybook/state/flows.hpp"

#include "state/process_identity.hpp"

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

}  // namespace

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

}  // namespace daybook::state

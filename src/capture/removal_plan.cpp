// SPDX-License-Identifier: MIT
#include "capture/removed_file.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <set>

namespace daybook::capture {
namespace {

using index::FileRow;
using lineage::SessionToken;
using lineage::Tombstone;

Error unknown(const RemovalTarget& target) {
  return {ErrorKind::usage,
          "nothing here is known by " + base::quoted(target.text),
          {},
          "List sessions with 'daybook log --all', or name a file with --path."};
}

/// The one session that is meant; a removal takes no beginnings of names.
Result<index::SessionRow> the_session(index::Reader& reader, const RemovalTarget& target) {
  TRY_ASSIGN(auto found, reader.find_sessions(target.text, target.agent));
  if (target.by == RemovalTarget::By::token) {
    std::erase_if(found, [&target](const index::SessionRow& session) {
      return session.token.to_string() != target.text;
    });
  }
  if (found.empty()) {
    return unknown(target);
  }
  if (found.size() > 1) {
    std::string message = base::quoted(target.text) + " means several sessions:";
    for (const index::SessionRow& session : found) {
      message.append(" ").append(session.token.to_string()).append(" (agent ");
      message.append(session.agent_id).append(")");
    }
    return Error{ErrorKind::usage, message, {}, "Name one with --token."};
  }
  return std::move(found.front());
}

/// Body hashes that tell a renamed copy: long enough to be no boilerplate, and in no file that
/// stays.
Result<std::vector<base::Digest>> telling_bodies(index::Reader& reader,
                                                 const std::vector<ReadFile>& files) {
  std::set<std::string> going;
  for (const ReadFile& file : files) {
    going.insert(file.path);
  }
  std::vector<base::Digest> bodies;
  for (const ReadFile& file : files) {
    const bool told = std::find(bodies.begin(), bodies.end(), file.body) != bodies.end();
    if (file.body_size < lineage::kLeastNamedBody || told || file.kind == lineage::Kind::manifest) {
      continue;
    }
    bool shared = false;
    TRY(reader.files_with_body(file.body, [&](const FileRow& row) {
      // A copy under the same session's name is no other session.
      shared |= row.session && !going.contains(row.path()) && counts(row.status);
    }));
    if (!shared) {
      bodies.push_back(file.body);
    }
  }
  return bodies;
}

Result<RemovalPlan> plan_for_files(base::Disk& disk,
                                   const state::StateFolder& folder,
                                   index::Reader& reader,
                                   RemovalPlan plan) {
  std::vector<ReadFile> read;
  for (const std::string& path : plan.files) {
    TRY_ASSIGN(auto file, read_file(disk, folder.workspace(), path));
    if (file) {
      read.push_back(std::move(*file));
    }
  }
  TRY_ASSIGN(plan.tombstone.removed_sha256, telling_bodies(reader, read));
  plan.tombstone.removed_paths = plan.files;
  return plan;
}

Result<RemovalPlan> plan_session(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 index::Reader& reader,
                                 const RemovalTarget& target,
                                 RemovalPlan plan) {
  TRY_ASSIGN(const index::SessionRow session, the_session(reader, target));
  Tombstone& tombstone = plan.tombstone;
  tombstone.agent_id = session.agent_id;
  tombstone.token = session.token;
  const auto by_id = SessionToken::derive(session.agent_id, session.session_id);
  if (by_id != session.token && !session.session_id.empty()) {
    tombstone.also_tokens.push_back(by_id);
  }
  std::set<std::string> paths;
  const auto gather = [&](SessionToken token) -> Result<void> {
    TRY_ASSIGN(const auto files, reader.files_of_session(token));
    for (const FileRow& file : files) {
      if (file.kind != lineage::Kind::tombstone) {
        paths.insert(file.path());
      }
    }
    return {};
  };
  TRY(gather(tombstone.token));
  for (const SessionToken& token : tombstone.also_tokens) {
    TRY(gather(token));
  }
  plan.files.assign(paths.begin(), paths.end());
  return plan_for_files(disk, folder, reader, std::move(plan));
}

Result<RemovalPlan> plan_path(base::Disk& disk,
                              const state::StateFolder& folder,
                              index::Reader& reader,
                              const RemovalTarget& target,
                              RemovalPlan plan) {
  TRY_ASSIGN(const auto file, reader.file_at(target.text));
  if (!file) {
    return unknown(target);
  }
  if (file->kind == lineage::Kind::tombstone) {
    return Error{ErrorKind::usage,
                 "a tombstone is not removed but lifted",
                 target.text,
                 "Use 'daybook unremove TOKEN'."};
  }
  if (file->learning_id) {
    // Its path holds words of what it says, which no tombstone may keep; and it has an id.
    return Error{
        ErrorKind::usage,
        "what was learned is not removed by its path but forgotten by its id",
        target.text,
        "Use 'daybook learnings forget " + std::to_string(*file->learning_id) + " --reason TEXT'."};
  }
  Tombstone& tombstone = plan.tombstone;
  tombstone.scope = lineage::TombstoneScope::paths;
  tombstone.agent_id = lineage::is_valid_agent_id(file->fields.agent_id)
                           ? file->fields.agent_id
                           : std::string(lineage::kDefaultAgent);
  tombstone.token = file->session ? *file->session
                    : file->token ? *file->token
                                  : SessionToken::derive(tombstone.agent_id, target.text);
  plan.files = {target.text};
  return plan_for_files(disk, folder, reader, std::move(plan));
}

}  // namespace

Result<RemovalPlan> plan_removal(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 index::Reader& reader,
                                 const RemovalTarget& target,
                                 const std::string& reason,
                                 lineage::Timestamp now) {
  RemovalPlan plan;
  plan.tombstone.reason = reason;
  plan.tombstone.removed_at = now;
  return target.by == RemovalTarget::By::path
             ? plan_path(disk, folder, reader, target, std::move(plan))
             : plan_session(disk, folder, reader, target, std::move(plan));
}

}  // namespace daybook::capture

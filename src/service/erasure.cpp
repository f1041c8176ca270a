// SPDX-License-Identifier: MIT
#include "service/erasure.hpp"

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/base/durable.hpp"
#include "daybook/base/folder_walk.hpp"
#include "daybook/capture/removed_content.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/writer.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/replaced_copies.hpp"

#include <algorithm>
#include <set>

namespace daybook::service {
namespace {

Error pending(Error error) {
  if (error.kind == ErrorKind::busy) {
    error.message = "erasure pending: " + error.message;
    error.hint =
        "The session is removed, but its bytes could not be wiped from the state folder while "
        "another process reads it; run 'daybook reindex' when that has finished.";
  }
  return error;
}

Result<void> vacuum_index(const std::string& path) {
  TRY_ASSIGN(auto opened, index::open_index(path, store::Access::read_write));
  if (!opened.database) {
    return {};
  }
  // First, because beside a reader VACUUM would only write all of it into the log once more.
  TRY(opened.database->checkpoint());
  TRY(index::drop_unused_words(*opened.database));
  TRY(opened.database->execute("VACUUM"));
  return opened.database->checkpoint();
}

bool mentions_any(const std::string& text, const std::set<std::string>& marks) {
  return std::any_of(marks.begin(), marks.end(), [&text](const std::string& mark) {
    return text.find(mark) != std::string::npos;
  });
}

/// Whether a line of MEMORY.md says what was forgotten: `- [category] content`. Content of several
/// lines stands there in another form and is not known again; who forgets it deletes such copies
/// while it still can be read.
bool quotes_forgotten(std::string_view text, const lineage::TombstoneSet& removals) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t behind = line.starts_with("- [") ? line.find("] ") : std::string_view::npos;
    if (behind == std::string_view::npos) {
      continue;
    }
    // A note's body begins with a blank line, or does not.
    const std::string body = std::string("\n").append(line.substr(behind + 2));
    if (removals.removes_body(lineage::body_hash(body), {}) ||
        removals.removes_body(lineage::body_hash(std::string_view(body).substr(1)), {})) {
      return true;
    }
  }
  return false;
}

/// Copies of projections that link to a file of a removed session, or say what was forgotten.
Result<void> remove_replaced_copies(const state::StateFolder& folder, state::StateDb& state) {
  std::set<std::string> marks;
  lineage::TombstoneSet removals;
  TRY_ASSIGN(const auto tombstones, state.tombstones().all());
  for (const lineage::Tombstone& tombstone : tombstones) {
    if (tombstone.lifted_at) {
      continue;
    }
    removals.add(tombstone);
    marks.insert("--" + tombstone.token.to_string() + "--");
    for (const lineage::SessionToken& token : tombstone.also_tokens) {
      marks.insert("--" + token.to_string() + "--");
    }
  }
  TRY_ASSIGN(const auto copies, state::replaced_copies(folder));
  return state::erase_copies(copies, [&](const std::string& text) {
    return mentions_any(text, marks) || quotes_forgotten(text, removals);
  });
}

/// What conflict copies left in the trash, and captures or hooks in the spool.
Result<void> erase_kept_text(const state::StateFolder& folder, state::StateDb& state) {
  lineage::TombstoneSet removals;
  TRY_ASSIGN(const auto tombstones, state.tombstones().all());
  for (const lineage::Tombstone& tombstone : tombstones) {
    removals.add(tombstone);
  }
  TRY(capture::erase_from_spool(base::real_disk(), folder, removals));
  return capture::erase_from_trash(base::real_disk(), folder, removals);
}

/// Where Daybook writes: the workspace itself and agents/NAME/, which hold projections, and all of
/// memory/. The lock of a pass keeps no capture, hook or import from writing just now, so only
/// those go whose writer is gone. Folders are held open and links are not followed.
Result<void> remove_temporaries(const std::string& workspace) {
  const std::string memory = workspace + "/" + std::string(scan::kMemoryFolder);
  const std::string agents = workspace + "/agents";
  const std::int64_t now_ms = base::SystemClock().now_ms();
  Result<void> first_failure;
  base::walk_folder(workspace, [&](int folder, const std::string& name, const std::string& path) {
    if (base::is_temporary_name(name)) {
      const auto done = base::remove_abandoned_temporary(folder, name, now_ms);
      first_failure = first_failure.ok() && !done ? Result<void>(done.error()) : first_failure;
    }
    const bool ours =
        path == memory || path.starts_with(memory + "/") || path == agents ||
        (path.starts_with(agents + "/") && path.find('/', agents.size() + 1) == std::string::npos);
    return ours && !scan::is_hidden(name) ? base::Walk::into : base::Walk::on;
  });
  return first_failure;
}

}  // namespace

Result<bool> is_erasure_pending(state::StateDb& state) {
  TRY_ASSIGN(const auto mark, state.meta(state::kErasurePending));
  return mark == "1";
}

Result<void> erase_traces(const state::StateFolder& folder, state::StateDb& state) {
  TRY_ASSIGN(const auto set_aside, folder.set_aside_files());
  for (const std::string& path : set_aside) {
    TRY(base::erase_file(path, "removing a damaged database"));
  }
  TRY(remove_replaced_copies(folder, state));
  TRY(erase_kept_text(folder, state));
  TRY(remove_temporaries(folder.workspace()));
  if (auto done = vacuum_index(folder.file(index::kIndexFile)); !done) {
    return pending(std::move(done).error());
  }
  if (auto done = state.scrub(); !done) {
    return pending(std::move(done).error());
  }
  return state.put_meta(state::kErasurePending, "0");
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "service/erasure.hpp"

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/durable.hpp"
#include "daybook/capture/removed_content.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/writer.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/replaced_copies.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace daybook::service {
namespace {

namespace fs = std::filesystem;

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

/// Temporaries of a projection that a crash left in the vault; this process holds the only lock
/// under which they are made.
Result<void> remove_temporaries(const fs::path& folder) {
  std::error_code trouble;
  fs::directory_iterator entries(folder, trouble);
  for (; !trouble && entries != fs::directory_iterator(); entries.increment(trouble)) {
    std::error_code unknown;
    if (entries->symlink_status(unknown).type() == fs::file_type::regular &&
        base::is_temporary_name(entries->path().filename().string())) {
      TRY(base::erase_file(entries->path().string(), "removing a temporary file"));
    }
  }
  if (trouble && trouble != std::errc::no_such_file_or_directory) {
    return base::system_error("looking for temporary files", folder.string(), trouble.value());
  }
  return {};
}

/// The folders into which projections are written.
Result<void> remove_all_temporaries(const fs::path& workspace) {
  TRY(remove_temporaries(workspace));
  const fs::path agents = workspace / "agents";
  std::error_code trouble;
  fs::directory_iterator entries(agents, trouble);
  for (; !trouble && entries != fs::directory_iterator(); entries.increment(trouble)) {
    std::error_code unknown;
    if (entries->symlink_status(unknown).type() == fs::file_type::directory) {
      TRY(remove_temporaries(entries->path()));
    }
  }
  if (trouble && trouble != std::errc::no_such_file_or_directory) {
    return base::system_error("looking for temporary files", agents.string(), trouble.value());
  }
  return {};
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
  TRY(remove_all_temporaries(folder.workspace()));
  if (auto done = vacuum_index(folder.file(index::kIndexFile)); !done) {
    return pending(std::move(done).error());
  }
  if (auto done = state.scrub(); !done) {
    return pending(std::move(done).error());
  }
  return state.put_meta(state::kErasurePending, "0");
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "daybook/canon/learning_writer.hpp"

#include "canon/folder_handle.hpp"
#include "canon/frontmatter_edit.hpp"
#include "canon/rewrite_file.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace daybook::canon {
namespace {

using lineage::Learning;

constexpr std::string_view kMemory = "memory";
constexpr std::string_view kFence = "---\n";
constexpr mode_t kPermissions = 0777;
/// So many notes are being made at once, each with its file and its folder open: as many as still
/// leave room under a limit of 128 open files, and enough that the disk has several to sync at a
/// time.
constexpr std::size_t kTogether = 16;

Error usage(std::string_view why) {
  return {ErrorKind::usage, std::string("cannot write what was learned: ").append(why), {}, {}};
}

bool is_text(std::string_view text) {
  return base::is_valid_utf8(text) && text.find('\0') == std::string_view::npos;
}

Result<void> check(const Learning& learning) {
  if (learning.id == 0 || learning.id > lineage::kMostLearningId) {
    return usage("it has no id");
  }
  if (!lineage::is_valid_agent_id(learning.agent_id)) {
    return usage("its agent_id is not valid");
  }
  if (learning.content.empty() || !is_text(learning.content) || !is_text(learning.metadata) ||
      !is_text(learning.scope.id) || !is_text(learning.revoked_reason)) {
    return usage("it is empty or not UTF-8");
  }
  return {};
}

LearningWrite written_or_not(const Rewritten& done) {
  return done.write == FileWrite::written ? LearningWrite::written : LearningWrite::unchanged;
}

FieldValue text_of(std::string_view text) { return std::string(text); }

FieldValue time_of(const std::optional<lineage::Timestamp>& time) {
  return time ? FieldValue(to_string(*time)) : FieldValue();
}

std::vector<FieldChange> fields_of(const Learning& learning) {
  std::vector<FieldChange> fields{
      {"kind", text_of(lineage::kLearningKindField)},
      {"learning_id", learning.id},
      {"learning_kind", text_of(to_string(learning.kind))},
      {"category", learning.category},
      {"agent_id", learning.agent_id},
      {"scope", to_string(learning.scope)},
      {"status", text_of(to_string(learning.status))},
      {"publish_tier", text_of(to_string(learning.tier))},
      {"origin", text_of(to_string(learning.origin))},
      {"sensitivity", text_of(to_string(learning.sensitivity))},
      {"created_at", to_string(learning.created_at)},
      {"updated_at", to_string(learning.updated_at)},
      {"expires_at", time_of(learning.expires_at)},
      {"revision", learning.revision},
      {"metadata", learning.metadata.empty() ? FieldValue() : FieldValue(learning.metadata)},
  };
  if (learning.revoked_at || !learning.revoked_reason.empty()) {
    fields.push_back({"revoked_at", time_of(learning.revoked_at)});
    fields.push_back({"revoked_reason", learning.revoked_reason});
  }
  return fields;
}

/// memory/learnings/, for whoever may read memory/.
Result<void> make_learnings_folder(const std::string& workspace) {
  TRY_ASSIGN(const FolderHandle memory, open_folder(workspace, kMemory));
  const std::string path(lineage::kLearningsFolder);
  const std::string name = split_path(path).name;
  struct stat above {};
  if (::fstat(memory.get(), &above) != 0) {
    return base::system_error("cannot look at this folder", kMemory, errno);
  }
  if (::mkdirat(memory.get(), name.c_str(), above.st_mode & kPermissions) != 0 && errno != EEXIST) {
    return base::system_error("cannot make this folder", path, errno);
  }
  // Also when it is there: whoever made it may have been cut off before its name was durable.
  return sync_folder(memory, std::string(kMemory));
}

Result<Learning> read_note(std::string_view bytes, const std::string& path) {
  const Error unreadable{ErrorKind::damaged,
                         "this cannot be read as a learning note",
                         path,
                         "'daybook check' says what is wrong with it; mend it, then try again"};
  const parse::FileParts parts = parse::split_file(bytes);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  if (parts.bounds != parse::FrontmatterBounds::found || !base::is_valid_utf8(bytes) ||
      !parse::read_frontmatter(parts.yaml, fields, findings) || !parse::is_learning_note(fields)) {
    return unreadable;
  }
  return parse::read_learning(fields, path, parts.body, parts.body_line, findings);
}

struct Begun {
  base::AtomicFile file;
  std::string text;
  LearningOutcome outcome;
};

/// Their bytes, then their names, then the folder that has the names.
Result<void> write_together(base::Disk& disk,
                            const std::string& workspace,
                            std::span<const Learning> learnings,
                            std::vector<LearningOutcome>& outcomes) {
  std::vector<Begun> begun;
  for (const Learning& learning : learnings) {
    TRY_ASSIGN(std::string text, learning_text(learning));
    std::string path = lineage::learning_path(learning.id, learning.content);
    TRY_ASSIGN(base::AtomicFile file, begin_file(workspace, path, text));
    begun.push_back({std::move(file),
                     std::move(text),
                     {LearningWrite::unchanged, std::move(path), base::Digest{}, learning}});
  }
  for (Begun& one : begun) {
    TRY(one.file.sync());
  }
  for (Begun& one : begun) {
    LearningOutcome& outcome = one.outcome;
    const auto named = finish_file(disk,
                                   workspace,
                                   outcome.path,
                                   one.text,
                                   std::move(one.file),
                                   base::FolderSync::left_to_caller);
    if (named) {
      outcome.sha256 = named->sha256;
      outcome.write = written_or_not(*named);
    } else if (named.error().kind == ErrorKind::already_exists) {
      outcome.write = LearningWrite::name_taken;
    } else {
      return named.error();
    }
    outcomes.push_back(std::move(outcome));
  }
  TRY_ASSIGN(const FolderHandle folder, open_folder(workspace, lineage::kLearningsFolder));
  return sync_folder(folder, std::string(lineage::kLearningsFolder));
}

std::vector<FieldChange> changes_of(const Learning& learning, const LearningEdit& edit) {
  std::vector<FieldChange> changes{
      // A note whose id follows from its path keeps it from now on, wherever it is moved.
      {"learning_id", learning.id},
      {"status", text_of(to_string(learning.status))},
      {"publish_tier", text_of(to_string(learning.tier))},
      {"updated_at", to_string(learning.updated_at)},
      {"revision", learning.revision},
  };
  if (edit.sensitivity) {
    changes.push_back({"sensitivity", text_of(to_string(learning.sensitivity))});
  }
  if (learning.revoked_at) {
    changes.push_back({"revoked_at", time_of(learning.revoked_at)});
    changes.push_back({"revoked_reason", learning.revoked_reason});
  }
  return changes;
}

Learning changed(Learning learning, const LearningEdit& edit, lineage::Timestamp now) {
  learning.status = edit.status;
  learning.tier = edit.tier;
  learning.updated_at = now;
  learning.revision = std::min(learning.revision + 1, lineage::kMostRevision);
  learning.sensitivity = edit.sensitivity.value_or(learning.sensitivity);
  if (edit.revoked_at) {
    learning.revoked_at = edit.revoked_at;
    learning.revoked_reason = edit.revoked_reason;
  }
  return learning;
}

}  // namespace

Result<std::string> learning_text(const Learning& learning) {
  TRY(check(learning));
  std::string text(kFence);
  for (const FieldChange& field : fields_of(learning)) {
    text.append(yaml_field(field.key, field.value, "\n"));
  }
  return text.append(kFence).append(learning.content).append("\n");
}

Result<std::vector<LearningOutcome>> write_learnings(base::Disk& disk,
                                                     const std::string& workspace,
                                                     std::span<const Learning> learnings) {
  std::vector<LearningOutcome> outcomes;
  if (!learnings.empty()) {
    TRY(make_learnings_folder(workspace));
  }
  while (!learnings.empty()) {
    const auto next = learnings.first(std::min(learnings.size(), kTogether));
    TRY(write_together(disk, workspace, next, outcomes));
    learnings = learnings.subspan(next.size());
  }
  return outcomes;
}

Result<LearningOutcome> update_learning(base::Disk& disk,
                                        const FilePlace& place,
                                        const std::string& agent_id,
                                        std::uint64_t id,
                                        lineage::Timestamp now,
                                        const ChangeLearning& change) {
  TRY_ASSIGN(const SessionLock lock,
             SessionLock::take(place.lock_folder, lineage::learning_token(agent_id, id)));
  Learning learning;
  const FileEdit edit = [&](std::string_view bytes) -> Result<std::optional<std::string>> {
    TRY_ASSIGN(learning, read_note(bytes, place.path));
    if (learning.id != id || learning.agent_id != agent_id) {
      return Error{ErrorKind::not_found, "another note has this name by now", place.path, {}};
    }
    TRY_ASSIGN(const auto wanted, change(learning));
    if (!wanted) {
      return std::optional<std::string>();
    }
    learning = changed(std::move(learning), *wanted, now);
    TRY_ASSIGN(std::string text, edit_frontmatter(bytes, changes_of(learning, *wanted)));
    return std::optional(std::move(text));
  };
  TRY_ASSIGN(const Rewritten rewritten, rewrite_locked(disk, place, edit));
  return LearningOutcome{
      written_or_not(rewritten), place.path, rewritten.sha256, std::move(learning)};
}

}  // namespace daybook::canon

// SPDX-License-Identifier: MIT
#include "daybook/capture/learned_note.hpp"

#include "daybook/base/path.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/redact/secret_guard.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::capture {
namespace {

using lineage::Code;
using lineage::Diagnostic;

class SecretReport {
 public:
  SecretReport(const parse::Frontmatter& fields,
               const LearningGuard& guard,
               std::vector<Diagnostic>& findings)
      : fields_(fields), guard_(guard), findings_(findings) {}

  /// All of it that the index keeps and others are told, as it is judged when it comes in by the
  /// program.
  void look_at(const lineage::Learning& learning, std::uint32_t body_line) {
    if (!guard_.problem.empty()) {
      findings_.push_back(
          {Code::learning_secret,
           0,
           "Nobody knows whether the note holds what must not be shown, because the file that "
           "capture.literals_file names cannot be used: " +
               guard_.problem});
    }
    report(redact::secret_in(learning.content, guard_.literals), body_line);
    const auto* category = fields_.find("category");
    if (category != nullptr && !category->is_list) {
      report(redact::secret_in(category->scalar.text, guard_.literals), category->line);
    }
    report(redact::secret_in(learning.scope.id, guard_.literals), line_of("scope"));
    report(redact::secret_in_json(learning.metadata, guard_.literals), line_of("metadata"));
    report(redact::secret_in(learning.revoked_reason, guard_.literals), line_of("revoked_reason"));
  }

 private:
  void report(std::optional<std::string_view> shape, std::uint32_t line) {
    if (shape) {
      findings_.push_back({Code::learning_secret,
                           line,
                           std::string(lineage::info(Code::learning_secret).sentence) + " (" +
                               std::string(*shape) + ")"});
    }
  }

  std::uint32_t line_of(std::string_view field) const {
    const auto* found = fields_.find(field);
    return found == nullptr ? 1 : found->line;
  }

  const parse::Frontmatter& fields_;
  const LearningGuard& guard_;
  std::vector<Diagnostic>& findings_;
};

}  // namespace

bool is_learned_note(const parse::Frontmatter& fields, std::string_view workspace_path) {
  const std::string_view name = base::file_name_of(workspace_path);
  return lineage::is_learning_path(workspace_path) && parse::is_learning_note(fields) &&
         lineage::read_artifact_name(name).form == lineage::NameForm::other &&
         !lineage::conflict_copy_of(name);
}

lineage::Learning judge_learned_note(const parse::Frontmatter& fields,
                                     std::string_view workspace_path,
                                     const parse::FileParts& parts,
                                     const lineage::TombstoneSet& removals,
                                     const LearningGuard& guard,
                                     std::vector<Diagnostic>& findings) {
  lineage::Learning learning =
      parse::read_learning(fields, workspace_path, parts.body, parts.body_line, findings);
  if (learning.status != lineage::LearningStatus::revoked &&
      removals.revokes_learning(learning.id, parse::agent_id_of(fields))) {
    const auto* status = fields.find("status");
    findings.push_back({Code::learning_status,
                        status == nullptr ? 1 : status->line,
                        "status is " + std::string(to_string(learning.status)) +
                            ", but a tombstone says that this was revoked"});
  }
  SecretReport(fields, guard, findings).look_at(learning, parts.body_line);
  // Anybody can write `origin: daemon`: without a receipt it is what an agent says.
  if (learning.origin == lineage::LearningOrigin::daemon) {
    learning.origin = lineage::LearningOrigin::api;
  }
  return learning;
}

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
#include "daybook/capture/learned_note.hpp"

#include "daybook/base/path.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/redact/secret_guard.hpp"

#include <string>

namespace daybook::capture {
namespace {

using lineage::Code;
using lineage::Diagnostic;

void report_secret_in(std::string_view text,
                      std::uint32_t line,
                      std::vector<Diagnostic>& findings) {
  if (const auto shape = redact::secret_in(text)) {
    findings.push_back({Code::learning_secret,
                        line,
                        std::string(lineage::info(Code::learning_secret).sentence) + " (" +
                            std::string(*shape) + ")"});
  }
}

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
  report_secret_in(learning.content, parts.body_line, findings);
  if (const auto* category = fields.find("category"); category != nullptr && !category->is_list) {
    report_secret_in(category->scalar.text, category->line, findings);
  }
  // Anybody can write `origin: daemon`: without a receipt it is what an agent says.
  if (learning.origin == lineage::LearningOrigin::daemon) {
    learning.origin = lineage::LearningOrigin::api;
  }
  return learning;
}

}  // namespace daybook::capture

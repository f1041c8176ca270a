// SPDX-License-Identifier: MIT
#include "daybook/canon/tombstone_writer.hpp"

#include "canon/frontmatter_edit.hpp"
#include "canon/rewrite_file.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daybook::canon {
namespace {

using lineage::Tombstone;

constexpr std::string_view kFence = "---\n";

Error usage(std::string_view why, std::string_view hint = {}) {
  return {ErrorKind::usage,
          std::string("cannot write a tombstone: ").append(why),
          {},
          std::string(hint)};
}

bool is_text(std::string_view text) {
  return base::is_valid_utf8(text) && text.find('\0') == std::string_view::npos;
}

Result<void> check(const Tombstone& tombstone) {
  if (!tombstone.removed_at) {
    return usage("it has no time of removal");
  }
  if (!lineage::is_valid_agent_id(tombstone.agent_id)) {
    return usage("its agent_id is not valid");
  }
  if (!is_text(tombstone.reason) ||
      !std::all_of(tombstone.removed_paths.begin(), tombstone.removed_paths.end(), is_text)) {
    return usage("its reason or a path is not UTF-8");
  }
  if (is_of_learning(tombstone.scope) && !tombstone.learning_id) {
    return usage("it does not say which learning_id it means");
  }
  return {};
}

template <typename T, typename ToText>
std::vector<std::string> texts_of(const std::vector<T>& values, ToText to_text) {
  std::vector<std::string> texts(values.size());
  std::transform(values.begin(), values.end(), texts.begin(), to_text);
  return texts;
}

std::vector<FieldChange> fields_of(const Tombstone& tombstone) {
  const auto token_text = [](const lineage::SessionToken& token) { return token.to_string(); };
  std::vector<FieldChange> fields{
      {"kind", std::string("tombstone")},
      {"agent_id", tombstone.agent_id},
      {"session_token", tombstone.token.to_string()},
      {"removed_at", to_string(*tombstone.removed_at)},
      {"reason", tombstone.reason.empty() ? std::string("unspecified") : tombstone.reason},
      {"scope", std::string(to_string(tombstone.scope))},
      {"also_tokens", texts_of(tombstone.also_tokens, token_text)},
      {"removed_paths", tombstone.removed_paths},
      {"removed_sha256", texts_of(tombstone.removed_sha256, base::to_hex)},
  };
  if (is_of_learning(tombstone.scope)) {
    fields.insert(fields.begin() + 3, {"learning_id", *tombstone.learning_id});
  }
  if (tombstone.lifted_at) {
    fields.push_back({"lifted_at", to_string(*tombstone.lifted_at)});
  }
  return fields;
}

TombstoneOutcome outcome_of(const Rewritten& rewritten, std::string path) {
  return {rewritten.write == FileWrite::written ? TombstoneWrite::written
                                                : TombstoneWrite::already_there,
          std::move(path),
          rewritten.sha256};
}

}  // namespace

std::string tombstone_path(const Tombstone& tombstone) {
  return std::string("memory/").append(
      to_string(lineage::ArtifactName{tombstone.token,
                                      tombstone.removed_at.value_or(lineage::Timestamp{}),
                                      lineage::Kind::tombstone}));
}

Result<std::string> tombstone_text(const Tombstone& tombstone) {
  TRY(check(tombstone));
  std::string text(kFence);
  for (const FieldChange& field : fields_of(tombstone)) {
    text.append(yaml_field(field.key, field.value, "\n"));
  }
  text.append(kFence);
  if (text.size() > parse::kMostFrontmatterBytes) {
    return usage("it lists more than fits into a frontmatter",
                 "write several, each with its own time and a part of the paths");
  }
  // For whoever opens it in an editor and wonders.
  return text
      .append(
          tombstone.scope == lineage::TombstoneScope::revocation
              ? "\nRevoked on request: what was learned counts no longer. `daybook unremove "
              : "\nRemoved on request. This note keeps what was removed from coming back; `daybook "
                "unremove ")
      .append(tombstone.token.to_string())
      .append("` lifts it.\n");
}

Result<TombstoneOutcome> write_tombstone(base::Disk& disk,
                                         const std::string& workspace,
                                         const Tombstone& tombstone) {
  TRY_ASSIGN(const std::string text, tombstone_text(tombstone));
  const std::string path = tombstone_path(tombstone);
  TRY_ASSIGN(const Rewritten created, create_file(disk, workspace, path, text));
  return outcome_of(created, path);
}

Result<TombstoneOutcome> lift_tombstone(base::Disk& disk,
                                        const FilePlace& place,
                                        lineage::Timestamp lifted_at) {
  if (lineage::read_artifact_name(base::file_name_of(place.path)).kind !=
      lineage::Kind::tombstone) {
    return Error{ErrorKind::usage, "only a tombstone can be lifted", place.path, {}};
  }
  const FileEdit edit = [lifted_at](std::string_view bytes) -> Result<std::optional<std::string>> {
    parse::Frontmatter fields;
    std::vector<lineage::Diagnostic> ignored;
    const parse::FileParts parts = parse::split_file(bytes);
    if (base::is_valid_utf8(parts.yaml) && parse::read_frontmatter(parts.yaml, fields, ignored)) {
      const auto* lifted = fields.find("lifted_at");
      if (lifted != nullptr && !lifted->is_list && lineage::parse_timestamp(lifted->scalar.text)) {
        return std::optional<std::string>();
      }
    }
    const std::vector<FieldChange> change{{"lifted_at", to_string(lifted_at)}};
    TRY_ASSIGN(std::string text, edit_frontmatter(bytes, change));
    return std::optional(std::move(text));
  };
  TRY_ASSIGN(const Rewritten rewritten, rewrite_file(disk, place, edit));
  return outcome_of(rewritten, place.path);
}

}  // namespace daybook::canon

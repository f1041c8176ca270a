// SPDX-License-Identifier: MIT
#include "service/link_judge.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <string>

namespace daybook::service {
namespace {

using lineage::Code;
using lineage::Diagnostic;
using lineage::LinkForm;

Diagnostic escaping(std::string_view target, std::uint32_t line) {
  return {Code::link_escapes_workspace,
          line,
          base::quoted(target) + " leads out of the workspace and is not followed"};
}

Diagnostic not_root_relative(std::string_view target, std::uint32_t line) {
  return {Code::link_not_root_relative,
          line,
          base::quoted(target) +
              " lies below memory/ but is not written as the whole path from the root"};
}

Diagnostic missing(std::string_view target, std::uint32_t line) {
  return {Code::link_missing_target, line, base::quoted(target) + " is not there"};
}

bool is_below_memory(std::string_view path) {
  return path.starts_with(scan::kMemoryFolder) && path.size() > scan::kMemoryFolder.size() &&
         path[scan::kMemoryFolder.size()] == '/';
}

bool same_but_for_spelling(std::string_view left, std::string_view right) {
  return base::fold_case(left) == base::fold_case(right);
}

}  // namespace

/// Remembered, because hostile notes name one ambiguous target thousands of times.
const scan::Resolution& LinkJudge::resolve(std::string_view target,
                                           std::string_view source_folder) {
  constexpr std::size_t kMostRemembered = 4096;
  if (resolved_.size() >= kMostRemembered) {
    resolved_.clear();
  }
  std::string key(source_folder);
  key.append(1, '\0').append(target);
  const auto [known, is_new] = resolved_.try_emplace(std::move(key));
  if (is_new) {
    known->second = names_.get(workspace_).resolve(target, source_folder);
  }
  return known->second;
}

std::optional<Diagnostic> LinkJudge::judge_memory_path(std::string_view path, std::uint32_t line) {
  if (tombstones_.was_removed(path)) {
    return Diagnostic{Code::link_to_removed, line, base::quoted(path) + " was removed"};
  }
  if (listing_.contains(path)) {
    return std::nullopt;
  }
  if (listing_.meets_symlink(path)) {
    return Diagnostic{Code::link_escapes_workspace,
                      line,
                      base::quoted(path) + " passes through a symbolic link and is not followed"};
  }
  // A picture, a raw transcript: anything but a note is only in the list of all names.
  if (!path.ends_with(scan::kNoteExtension) && names_.get(workspace_).contains(std::string(path))) {
    return std::nullopt;
  }
  return missing(path, line);
}

std::optional<Diagnostic> LinkJudge::judge_by_name(std::string_view target,
                                                   std::string_view source_folder,
                                                   std::uint32_t line) {
  const scan::Resolution& found = resolve(target, source_folder);
  switch (found.outcome) {
    case scan::Resolution::Outcome::found:
      // The artifact rule holds for everything below memory/: such a link must give its path.
      return is_below_memory(found.path) ? std::optional(not_root_relative(target, line))
                                         : std::nullopt;
    case scan::Resolution::Outcome::ambiguous:
      return Diagnostic{Code::link_missing_target,
                        line,
                        base::quoted(target) + " is ambiguous: " + base::quoted(found.path) +
                            " and another note are equally near"};
    case scan::Resolution::Outcome::missing:
      break;
  }
  return missing(target, line);
}

std::optional<Diagnostic> LinkJudge::judge_wikilink(std::string_view inside,
                                                    std::string_view source_folder,
                                                    std::uint32_t line) {
  const lineage::LinkTarget target = lineage::read_wikilink(inside);
  switch (target.form) {
    case LinkForm::self:
      return std::nullopt;
    case LinkForm::escapes:
      return escaping(target.path, line);
    case LinkForm::not_root_relative:
      // `memory/picture.png` is as it should be: only notes have the extension that can be left
      // out.
      return is_below_memory(target.path) &&
                     names_.get(workspace_).contains(std::string(target.path))
                 ? std::nullopt
                 : std::optional(not_root_relative(target.path, line));
    case LinkForm::note:
      return judge_by_name(target.path, source_folder, line);
    case LinkForm::memory_path:
      break;
  }
  auto finding = judge_memory_path(target.path, line);
  if (finding && finding->code == Code::link_missing_target) {
    // Obsidian does not mind case or Unicode form, so neither do we once the exact name fails.
    const scan::Resolution& found = resolve(target.path, {});
    if (found.outcome == scan::Resolution::Outcome::found && is_below_memory(found.path) &&
        same_but_for_spelling(found.path, target.path)) {
      return std::nullopt;
    }
  }
  return finding;
}

std::optional<Diagnostic> LinkJudge::judge_path_field(const lineage::PathField& field) {
  if (lineage::escapes_workspace(field.path)) {
    return escaping(field.path, field.line);
  }
  if (!is_below_memory(field.path)) {
    return not_root_relative(field.path, field.line);
  }
  auto finding = judge_memory_path(field.path, field.line);
  const bool missing_note = finding && finding->code == Code::link_missing_target;
  if (missing_note && !field.path.ends_with(scan::kNoteExtension)) {
    return not_root_relative(field.path, field.line);  // most likely the .md was left out
  }
  return finding;
}

}  // namespace daybook::service

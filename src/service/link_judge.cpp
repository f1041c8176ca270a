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
  names_used_ = true;
  std::string key(source_folder);
  key.append(1, '\0').append(target);
  const auto [known, is_new] = resolved_.try_emplace(std::move(key));
  if (is_new) {
    known->second = names().resolve(target, source_folder);
  }
  return known->second;
}

void LinkJudge::judge_memory_path(LinkJudgement& link, std::uint32_t line) {
  if (tombstones_.was_removed(link.target)) {
    link.finding =
        Diagnostic{Code::link_to_removed, line, base::quoted(link.target) + " was removed"};
  } else if (listing_.contains(link.target)) {
    link.resolved = link.target;
  } else if (listing_.meets_symlink(link.target)) {
    link.finding = Diagnostic{
        Code::link_escapes_workspace,
        line,
        base::quoted(link.target) + " passes through a symbolic link and is not followed"};
  } else if (!link.target.ends_with(scan::kNoteExtension) &&
             names().contains(std::string(link.target))) {
    // A picture, a raw transcript: anything but a note is only in the list of all names.
    link.resolved = link.target;
  } else {
    link.finding = missing(link.target, line);
  }
}

void LinkJudge::judge_by_name(LinkJudgement& link,
                              std::string_view source_folder,
                              std::uint32_t line) {
  const scan::Resolution& found = resolve(link.target, source_folder);
  switch (found.outcome) {
    case scan::Resolution::Outcome::found:
      link.resolved = found.path;
      // The artifact rule holds for everything below memory/: such a link must give its path.
      if (is_below_memory(found.path)) {
        link.finding = not_root_relative(link.target, line);
      }
      break;
    case scan::Resolution::Outcome::ambiguous:
      link.finding =
          Diagnostic{Code::link_missing_target,
                     line,
                     base::quoted(link.target) + " is ambiguous: " + base::quoted(found.path) +
                         " and another note are equally near"};
      break;
    case scan::Resolution::Outcome::missing:
      link.finding = missing(link.target, line);
      break;
  }
}

LinkJudgement LinkJudge::judge_wikilink(std::string_view inside,
                                        std::string_view source_folder,
                                        std::uint32_t line) {
  const lineage::LinkTarget target = lineage::read_wikilink(inside);
  LinkJudgement link{target.form, target.path, {}, {}};
  switch (target.form) {
    case LinkForm::self:
      break;
    case LinkForm::escapes:
      link.finding = escaping(target.path, line);
      break;
    case LinkForm::not_root_relative:
      // `memory/picture.png` is as it should be: only notes have the extension that can be left
      // out.
      if (is_below_memory(target.path) && names().contains(std::string(target.path))) {
        link.resolved = target.path;
      } else {
        link.finding = not_root_relative(target.path, line);
      }
      break;
    case LinkForm::note:
      judge_by_name(link, source_folder, line);
      break;
    case LinkForm::memory_path:
      judge_memory_path(link, line);
      if (link.finding && link.finding->code == Code::link_missing_target) {
        // Obsidian does not mind case or Unicode form, so neither do we once the exact name fails.
        const scan::Resolution& found = resolve(target.path, {});
        if (found.outcome == scan::Resolution::Outcome::found && is_below_memory(found.path) &&
            same_but_for_spelling(found.path, target.path)) {
          link.resolved = found.path;
          link.finding.reset();
        }
      }
      break;
  }
  return link;
}

LinkJudgement LinkJudge::judge_path_field(const lineage::PathField& field) {
  LinkJudgement link{LinkForm::memory_path, field.path, {}, {}};
  if (lineage::escapes_workspace(field.path)) {
    link.form = LinkForm::escapes;
    link.finding = escaping(field.path, field.line);
  } else if (!is_below_memory(field.path)) {
    link.form = LinkForm::not_root_relative;
    link.finding = not_root_relative(field.path, field.line);
  } else {
    judge_memory_path(link, field.line);
    const bool is_missing = link.finding && link.finding->code == Code::link_missing_target;
    if (is_missing && !field.path.ends_with(scan::kNoteExtension)) {
      link.finding = not_root_relative(field.path, field.line);  // most likely .md was left out
    }
  }
  return link;
}

}  // namespace daybook::service

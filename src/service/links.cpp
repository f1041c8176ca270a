// SPDX-License-Identifier: MIT
#include "daybook/service/links.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace daybook::service {
namespace {

using index::FoundLink;
using lineage::LinkForm;
using scan::Resolution;

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

/// As names are compared: with and without the extension that may be left out.
bool is_named(const std::string& path, const std::string& target) {
  const std::string folded = base::fold_case(path);
  std::string wanted = base::fold_case(target);
  return folded == wanted || folded == wanted.append(scan::kNoteExtension);
}

std::string said(std::string_view before, std::string_view path, std::string_view after) {
  std::string text(before);
  return text.append(base::quoted(path)).append(after);
}

bool is_of_agent(const FoundLink& link, const std::string& agent) {
  return agent.empty() || link.agent_id == agent ||
         (link.agent_id.empty() && agent == lineage::kDefaultAgent);
}

}  // namespace

Result<LinksOfNote> links_of(index::Reader& reader,
                             const std::string& path,
                             const std::string& agent) {
  LinksOfNote found;
  found.path = path;
  TRY_ASSIGN(found.links, reader.links_from(path));
  TRY_ASSIGN(found.backlinks, reader.links_to(path));
  const auto foreign = [&agent](const FoundLink& link) { return !is_of_agent(link, agent); };
  std::erase_if(found.links, foreign);
  std::erase_if(found.backlinks, foreign);
  std::stable_sort(
      found.links.begin(), found.links.end(), [](const FoundLink& left, const FoundLink& right) {
        return left.link.line < right.link.line;
      });
  return found;
}

Result<LinkExplainer> LinkExplainer::make(base::Disk& disk, const std::string& workspace) {
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  TRY_ASSIGN(auto listing, scan::VaultListing::list(*root));
  auto names = scan::NoteNames::list(*root, listing);
  return LinkExplainer(std::move(listing), std::move(names));
}

Explanation LinkExplainer::explain(const FoundLink& link) const {
  Explanation steps;
  const std::string& target = link.link.target;
  if (link.link.origin == index::LinkOrigin::field) {
    steps.emplace_back("a path field of the frontmatter: it must be the path from the root");
  }
  switch (link.link.form) {
    case LinkForm::self:
      steps.emplace_back("a heading of the same note: it leads nowhere else");
      break;
    case LinkForm::escapes:
      steps.push_back(said("", target, " could lead out of the workspace: it is not followed"));
      break;
    case LinkForm::not_root_relative:
      explain_short_memory_path(link, steps);
      break;
    case LinkForm::memory_path:
      explain_memory_path(link, steps);
      break;
    case LinkForm::note:
      explain_by_name(link, steps);
      break;
  }
  return steps;
}

void LinkExplainer::explain_short_memory_path(const FoundLink& link, Explanation& steps) const {
  const std::string& target = link.link.target;
  if (names_.contains(target)) {
    steps.push_back(said("the file ", target, " is exactly there: found"));
    return;
  }
  steps.push_back(said("", target, " means something below memory/, where no name is guessed"));
  steps.emplace_back("write the whole path from the workspace's root, with its .md: not followed");
}

void LinkExplainer::explain_memory_path(const FoundLink& link, Explanation& steps) const {
  const std::string& target = link.link.target;
  steps.push_back(said("", target, " is a path from the workspace's root, as it should be"));
  if (listing_.contains(target) || names_.contains(target)) {
    steps.emplace_back(link.link.resolved.empty()
                           ? "a file of exactly this path is there, but it was removed by a "
                             "tombstone, or came after the last sweep: not followed"
                           : "a file of exactly this path is there: found");
    return;
  }
  if (listing_.meets_symlink(target)) {
    steps.emplace_back("the path passes through a symbolic link: not followed");
    return;
  }
  steps.emplace_back("no file has exactly this path");
  const Resolution other = names_.resolve(target, {});
  if (other.outcome == Resolution::Outcome::found && is_named(other.path, target)) {
    steps.push_back(said("", other.path, " differs only in case or Unicode form: found"));
    return;
  }
  steps.emplace_back("and none that differs only in case or Unicode form: it leads nowhere");
}

void LinkExplainer::explain_by_name(const FoundLink& link, Explanation& steps) const {
  const std::string& target = link.link.target;
  const std::string folder(folder_of(link.source));
  const Resolution found = names_.resolve(target, folder);
  steps.push_back(said("", target, " is a name: case, Unicode form and .md do not count"));
  const bool is_there = found.outcome == Resolution::Outcome::found;
  if (is_there && is_named(found.path, target)) {
    steps.push_back(said("exact path from the root: ", found.path, ": found"));
    return;
  }
  steps.emplace_back("exact path from the root: none");
  const std::string own = std::string(folder).append("/").append(target);
  if (is_there && is_named(found.path, own)) {
    steps.push_back(said("in the note's own folder: ", found.path, ": found"));
    return;
  }
  steps.push_back(said("in the note's own folder ", folder, ": none"));
  switch (found.outcome) {
    case Resolution::Outcome::found:
      steps.push_back(said("shortest path that ends so: ", found.path, ": found"));
      break;
    case Resolution::Outcome::ambiguous:
      steps.push_back(said("shortest path that ends so: ",
                           found.path,
                           " and another of the same length: ambiguous, none is taken"));
      break;
    case Resolution::Outcome::missing:
      steps.emplace_back("no path in the workspace ends so: it leads nowhere");
      break;
  }
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "service/session_check.hpp"

#include "daybook/base/path.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <utility>

namespace daybook::service {
namespace {

using lineage::Artifact;
using lineage::Code;
using lineage::Kind;
using lineage::Manifest;

bool is_directly_in_memory(const std::string& path) { return path.find('/') == path.rfind('/'); }

/// Of copies the one directly in memory/ counts, else the one with the smallest path.
bool counts_before(const std::string& left, const std::string& right) {
  const bool left_direct = is_directly_in_memory(left);
  const bool right_direct = is_directly_in_memory(right);
  return left_direct != right_direct ? left_direct : left < right;
}

bool mentions(const Manifest& manifest, Kind kind, const std::string& path) {
  const auto& newest = manifest.entry(kind).path;
  if (newest && newest->path == path) {
    return true;
  }
  return std::any_of(manifest.earlier_paths.begin(),
                     manifest.earlier_paths.end(),
                     [&path](const lineage::PathField& earlier) { return earlier.path == path; });
}

/// Older than all that a full list of earlier files names.
bool is_beyond_list(const Manifest& manifest, const std::string& path) {
  const auto captured_at = [](std::string_view of) {
    return lineage::read_artifact_name(base::file_name_of(of)).name.captured_at;
  };
  return manifest.earlier_paths.size() >= lineage::kMostEarlierPaths &&
         std::all_of(manifest.earlier_paths.begin(),
                     manifest.earlier_paths.end(),
                     [&](const lineage::PathField& earlier) {
                       return captured_at(path) < captured_at(earlier.path);
                     });
}

}  // namespace

std::vector<SessionCheck::Member> SessionCheck::members(Index first, Index last) {
  std::vector<Member> members;
  for (Index file = first; file < last; ++file) {
    if (listing_.entries()[file].name().kind != Kind::tombstone) {
      members.push_back({file, listing_.path(file), std::nullopt});
    }
  }
  const auto same_name = [this](const Member& left, const Member& right) {
    return listing_.entries()[left.file].name() == listing_.entries()[right.file].name();
  };
  // The listing is sorted: copies lie side by side.
  for (auto group = members.begin(); group != members.end();) {
    const auto end = std::find_if(
        group, members.end(), [&](const Member& other) { return !same_name(*group, other); });
    const auto counting = choose_copy(group, end);
    for (auto copy = group; copy != end; ++copy) {
      if (copy != counting) {
        copy->duplicate_of = counting->file;
      }
    }
    group = end;
  }
  return members;
}

/// Of copies the sealed one counts, else the one directly in memory/, else the smallest path.
std::vector<SessionCheck::Member>::iterator SessionCheck::choose_copy(
    std::vector<Member>::iterator first, std::vector<Member>::iterator last) {
  if (last - first > 1 && known_seal_) {
    if (const auto seal = known_seal_(listing_.entries()[first->file].name())) {
      const auto sealed = std::find_if(first, last, [&](const Member& member) {
        return examiner_.examine(member.file, Seal::wanted).seal == seal;
      });
      if (sealed != last) {
        return sealed;
      }
    }
  }
  return std::min_element(
      first, last, [](const Member& a, const Member& b) { return counts_before(a.path, b.path); });
}

/// A session has one manifest, named after its first capture; later ones are copies of a kind.
const SessionCheck::Member* SessionCheck::choose_manifest(std::vector<Member>& members) const {
  const Member* chosen = nullptr;
  for (Member& member : members) {
    if (kind_of(member) != Kind::manifest || member.duplicate_of) {
      continue;
    }
    if (chosen == nullptr) {
      chosen = &member;
    } else {
      member.duplicate_of = chosen->file;
    }
  }
  return chosen;
}

void SessionCheck::run(Index first, Index last, const Report& report) {
  if (!listing_.entries()[first].belongs_to_session()) {
    report(first, examine_loner(first));
    return;
  }
  std::vector<Member> all = members(first, last);
  const Member* manifest_member = choose_manifest(all);
  std::optional<Manifest> manifest;
  if (manifest_member != nullptr) {
    ExaminedNote note = examiner_.examine(manifest_member->file);
    check_manifest(*manifest_member, note);
    if (auto* record = std::get_if<Manifest>(&note.record)) {
      manifest = *record;
    }
    report(manifest_member->file, std::move(note));
  }
  for (const Member& member : all) {
    if (&member != manifest_member) {
      report(member.file, examine_member(member, manifest ? &*manifest : nullptr));
    }
  }
}

/// A file whose name names no session: nothing else to hold it against.
ExaminedNote SessionCheck::examine_loner(Index file) {
  ExaminedNote note = examiner_.examine(file);
  const auto* artifact = std::get_if<Artifact>(&note.record);
  if (artifact != nullptr && !artifact->manifest_path.path.empty()) {
    judge_field(artifact->manifest_path, note);
  }
  return note;
}

bool SessionCheck::judge_field(const lineage::PathField& field, ExaminedNote& note) {
  LinkJudgement link = links_.judge_path_field(field);
  note.names_used |= links_.take_names_used();
  const bool right = !link.finding;
  if (examiner_.detail() == Detail::facts && note.links.size() < kMostLinks) {
    note.links.push_back({index::LinkOrigin::field,
                          link.form,
                          field.line,
                          std::string(link.target),
                          std::move(link.resolved)});
  }
  if (link.finding) {
    note.diagnostics.push_back(std::move(*link.finding));
  }
  return right;
}

ExaminedNote SessionCheck::examine_member(const Member& member, const Manifest* manifest) {
  const bool sealed = manifest != nullptr && !member.duplicate_of && is_sealed(member, *manifest);
  ExaminedNote note = examiner_.examine(member.file, sealed ? Seal::wanted : Seal::not_wanted);
  if (note.removed || note.reading != Reading::done) {
    return note;
  }
  if (member.duplicate_of) {
    note.duplicate = true;
    std::string message = base::quoted(listing_.path(*member.duplicate_of));
    message.append(" is the copy that counts");
    note.diagnostics.push_back({Code::duplicate_artifact, 0, std::move(message)});
  } else {
    check_artifact(member, manifest, note);
  }
  return note;
}

bool SessionCheck::is_sealed(const Member& member, const Manifest& manifest) const {
  const Kind kind = kind_of(member);
  if (kind == Kind::manifest) {
    return false;
  }
  const lineage::ManifestEntry& entry = manifest.entry(kind);
  return entry.seal && entry.path && entry.path->path == member.path;
}

/// A path field must name a file of this session and, where it says so, of one kind.
void SessionCheck::check_reference(const lineage::PathField& field,
                                   std::optional<Kind> wanted,
                                   lineage::SessionToken token,
                                   ExaminedNote& note) {
  if (!judge_field(field, note)) {
    return;
  }
  const auto target = lineage::read_artifact_name(base::file_name_of(field.path));
  std::string trouble;
  if (!field.path.ends_with(scan::kNoteExtension)) {
    return;  // Signet keeps the raw transcript beside the notes and may name that
  }
  if (!target.kind) {
    trouble = " has no artifact's name";
  } else if (target.token_text != token.to_string()) {
    trouble = " belongs to another session";
  } else if (wanted ? *target.kind != *wanted : !is_immutable(*target.kind)) {
    trouble = " is a " + std::string(to_string(*target.kind));
    trouble += wanted ? ", not a " + std::string(to_string(*wanted)) : std::string();
  } else {
    return;
  }
  note.diagnostics.push_back(
      {Code::lineage_mismatch, field.line, base::quoted(field.path) + trouble});
}

lineage::Diagnostic changed_since_sealed(std::span<const lineage::Diagnostic> others) {
  const bool in_body =
      std::any_of(others.begin(), others.end(), [](const lineage::Diagnostic& found) {
        return found.code == Code::checksum_mismatch;
      });
  return {Code::immutable_changed,
          0,
          std::string(lineage::info(Code::immutable_changed).sentence) +
              (in_body ? " (in its body)" : " (in its frontmatter)")};
}

void SessionCheck::check_manifest(const Member& member, ExaminedNote& note) {
  const auto* manifest = std::get_if<Manifest>(&note.record);
  if (manifest == nullptr || note.removed) {
    return;
  }
  const auto token = listing_.entries()[member.file].name().token;
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction}) {
    if (const auto& path = manifest->entry(kind).path) {
      check_reference(*path, kind, token, note);
    }
  }
  for (const lineage::PathField& earlier : manifest->earlier_paths) {
    check_reference(earlier, std::nullopt, token, note);
  }
}

void SessionCheck::check_artifact(const Member& member,
                                  const Manifest* manifest,
                                  ExaminedNote& note) {
  const auto* artifact = std::get_if<Artifact>(&note.record);
  const Kind kind = kind_of(member);
  if (manifest != nullptr && is_sealed(member, *manifest) && note.seal) {
    note.manifest_seal = manifest->entry(kind).seal;
    if (*note.seal != *note.manifest_seal) {
      note.sealed_session = manifest->session;
      note.diagnostics.push_back(changed_since_sealed(note.diagnostics));
    }
  }
  if (artifact == nullptr) {
    return;
  }
  if (!artifact->manifest_path.path.empty()) {
    check_reference(artifact->manifest_path,
                    Kind::manifest,
                    listing_.entries()[member.file].name().token,
                    note);
  }
  if (manifest != nullptr && !mentions(*manifest, kind, member.path) &&
      !is_beyond_list(*manifest, member.path)) {
    note.diagnostics.push_back(
        {Code::lineage_mismatch, 0, "The session's manifest does not name this file"});
  }
}

}  // namespace daybook::service

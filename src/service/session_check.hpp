// SPDX-License-Identifier: MIT
//
// The files of one session -> their findings, those about each other included: copies, the manifest
// and what it names, seals. One checker belongs to one thread.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "service/link_judge.hpp"
#include "service/note_examiner.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daybook::service {

/// The finding about a file that differs from its manifest's seal, beside its others.
lineage::Diagnostic changed_since_sealed(std::span<const lineage::Diagnostic> others);

class SessionCheck {
 public:
  using Index = scan::VaultListing::Index;
  /// Called once for each file.
  using Report = std::function<void(Index, ExaminedNote&&)>;
  /// The seal that this device keeps of an artifact, if any. Asked only when there are copies.
  using KnownSeal = std::function<std::optional<base::Digest>(const lineage::ArtifactName&)>;

  SessionCheck(const scan::VaultListing& listing,
               NoteExaminer& examiner,
               LinkJudge& links,
               KnownSeal known_seal = {})
      : listing_(listing), examiner_(examiner), links_(links), known_seal_(std::move(known_seal)) {}

  /// `first` to before `last`: all of one session (one token), tombstones left out, or one file
  /// without a session.
  void run(Index first, Index last, const Report& report);

 private:
  struct Member {
    Index file;
    std::string path;
    std::optional<Index> duplicate_of;
  };

  std::vector<Member> members(Index first, Index last);
  std::vector<Member>::iterator choose_copy(std::vector<Member>::iterator first,
                                            std::vector<Member>::iterator last);
  const Member* choose_manifest(std::vector<Member>& members) const;
  ExaminedNote examine_loner(Index file);
  ExaminedNote examine_member(const Member& member, const lineage::Manifest* manifest);
  bool is_sealed(const Member& member, const lineage::Manifest& manifest) const;
  void check_manifest(const Member& member, ExaminedNote& note);
  void check_artifact(const Member& member, const lineage::Manifest* manifest, ExaminedNote& note);
  void check_reference(const lineage::PathField& field,
                       std::optional<lineage::Kind> wanted,
                       lineage::SessionToken token,
                       ExaminedNote& note);
  lineage::Kind kind_of(const Member& member) const {
    return listing_.entries()[member.file].name().kind;
  }

  /// Adds the link to what the index keeps, and its finding.
  bool judge_field(const lineage::PathField& field, ExaminedNote& note);

  const scan::VaultListing& listing_;
  NoteExaminer& examiner_;
  LinkJudge& links_;
  KnownSeal known_seal_;
};

}  // namespace daybook::service

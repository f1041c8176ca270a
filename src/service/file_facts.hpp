// SPDX-License-Identifier: MIT
//
// An examined note -> what the index keeps of it and, of an immutable file that is whole, the seal
// that it would get. Without regard to the seals that this device has. Pure; any thread.
#pragma once

#include "daybook/index/rows.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/state/seals.hpp"
#include "service/note_examiner.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daybook::service {

struct ExaminedFile {
  ExaminedFile(const scan::VaultListing& listing,
               scan::VaultListing::Index listed,
               ExaminedNote&& examined);

  scan::VaultListing::Index file;
  ExaminedNote note;
  index::FileFacts facts;           ///< what the index keeps, taken out of the note
  std::optional<state::Seal> seal;  ///< of a valid immutable file, with no time yet
};

bool is_invalidated(std::span<const lineage::Diagnostic> diagnostics);

/// Nothing when the fields name no session.
std::optional<lineage::SessionToken> session_of(const lineage::SessionFields& fields);

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
//
// C, for a vault that no service watches at the moment: MEMORY.md, sessions, findings and search
// results, held against those of a rebuild from the files and this device's state.db alone.
#pragma once

#include "cli/served_vault.hpp"
#include "gauntlet/row.hpp"

namespace daybook::gauntlet {

/// At the vault's `now`. Leaves a rebuilt state folder in the vault's place.
void judge_rebuild(const test::ServedVault& vault, Complaints& complaints);

/// A: what half-made files are left once the doctor has been there.
void judge_leftovers(const test::ServedVault& vault, Complaints& complaints);

/// As whoever puts a finished file into a vault: in one step.
void put_whole(const test::ServedVault& vault, const support::SessionFiles& session);

}  // namespace daybook::gauntlet

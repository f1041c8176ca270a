// SPDX-License-Identifier: MIT
//
// One save of an editor in the middle of one update of a manifest, at a moment that is chosen and
// not left to chance. In: an empty folder. Out: what did not hold. One thread.
#pragma once

#include "gauntlet/row.hpp"
#include "support/temp_folder.hpp"

namespace daybook::gauntlet {

/// After the file was read, and after the last look before it is replaced; by a new file over the
/// name, and into the file itself. The manifest then has both changes, and there is no second one.
Complaints save_between(const support::TempFolder& folder);

}  // namespace daybook::gauntlet

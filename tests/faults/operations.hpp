// SPDX-License-Identifier: MIT
//
// The rows of the bench: what the program does to a vault that must survive its end at any call.
// A new row is one function here, and one line in each of the tests.
#pragma once

#include "faults/bench.hpp"

namespace daybook::faults {

Operation removal();
Operation unremoval();
Operation acceptance();
/// A pass over a vault in which a session is new, another changed and a third gone.
Operation reindexing();
/// The same index, made anew beside the old one, and put in its place.
Operation rebuilding();
/// A pass over a vault at rest in which a session has arrived: the full text of its month is
/// changed in place.
Operation arrival();
/// A session that has ended: its first files.
Operation session_end();
/// One that was captured before goes on: new files, and its manifest is changed.
Operation resumed_session();
/// The same, when somebody has moved its manifest into a folder of their own.
Operation resumed_elsewhere();
Operation compaction();
/// What a hook has left is captured.
Operation draining();
/// A session of which a hook has left more that is not captured yet.
Operation removal_of_spooled();
/// A copy of MEMORY.md that somebody has edited goes to the trash, and has the only bytes of it.
Operation conflict_resolving();
/// Three things are remembered together, each under an id of its own.
Operation remembering();
/// A note that MEMORY.md and a copy of it quote goes for good.
Operation forgetting();
/// It stays, and says that it is revoked.
Operation revoking();
/// Kept session files of Claude Code, a sub-agent's among them. Several workers, so the calls come
/// in another order each time.
Operation import_of_claude();
Operation import_of_codex();

}  // namespace daybook::faults

// SPDX-License-Identifier: MIT
//
// The last hop: rendered bytes -> the file in the vault, under the lease. Written only when the
// bytes differ, by atomic replace, never through a symbolic link. What somebody else has put there
// is copied to `<state>/replaced/` first; if that happens twice within ten minutes publishing stops
// until a person decides. A publisher that was overtaken changes nothing. One Publisher belongs to
// one thread. Whatever fails, the file is the old one or the new one, whole.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/result.hpp"
#include "daybook/state/lease.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace daybook::projection {

/// What is to stand where.
struct Projection {
  std::string path;  ///< workspace-relative: MEMORY.md, agents/{agent_id}/MEMORY.md
  std::string bytes;
  std::int64_t generation = 0;  ///< of the index that it was rendered from
};

enum class PublishState : std::uint8_t {
  published,
  unchanged,        ///< the same bytes were there
  superseded,       ///< somebody else holds the lease by now, or has published a newer generation
  contested,        ///< others have replaced it twice within ten minutes; nothing was changed
  frozen_by_clock,  ///< the clock is more than a day behind the last publication
};

struct PublishOutcome {
  PublishState state = PublishState::unchanged;
  /// Full path of the copy of what somebody else had put there; empty: nothing was replaced.
  std::string replaced_copy;
  /// state.db could not be told. What was published stays published.
  std::optional<Error> record_problem;
};

/// The seam for fault tests: told before each step, inside the process that publishes.
enum class PublishStep : std::uint8_t {
  inspect,   ///< read what is there
  judge,     ///< whose it is
  copy,      ///< keep what somebody else wrote
  write,     ///< the temporary
  announce,  ///< tell state.db
  enter,     ///< the transaction in which the lease is checked
  rename,    ///< inside it
  leave,     ///< renamed, not yet committed
  record,    ///< committed; tell state.db
};
using PublishObserver = std::function<void(PublishStep)>;

class Publisher {
 public:
  /// All must outlive it. `workspace` alone may be reached through links.
  Publisher(std::string workspace,
            const state::StateFolder& folder,
            state::StateDb& state,
            const base::Clock& clock,
            PublishObserver observer = {});

  Result<PublishOutcome> publish(const Projection& projection, state::Lease& lease);

 private:
  struct Work;
  Result<PublishOutcome> attempt(Work& work);
  Result<PublishOutcome> confirm(Work& work);
  Result<std::optional<PublishState>> reason_to_wait(const Projection& projection);
  Result<bool> replaced_by_others(Work& work);
  Result<PublishOutcome> replace(Work& work);
  void step(PublishStep at) const;

  std::string workspace_;
  const state::StateFolder& folder_;
  state::StateDb& state_;
  const base::Clock& clock_;
  PublishObserver observer_;
};

}  // namespace daybook::projection

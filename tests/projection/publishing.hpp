// SPDX-License-Identifier: MIT
//
// A vault and its state on the real disk, and versions of MEMORY.md that can be told apart, for the
// tests of the publisher.
#pragma once

#include "daybook/projection/memory_md.hpp"
#include "daybook/projection/publisher.hpp"
#include "support/temp_folder.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace daybook::projection {

/// A whole MEMORY.md that carries its generation.
inline std::string version(std::int64_t generation) {
  LedgerSession session;
  session.session = "generation-" + std::to_string(generation);
  session.sentence = "A sentence.";
  return render_memory_md({"default", {session}, {}, 0, 0}, {}).text;
}

/// The generation that a text carries, or -1 when it is not one complete version.
inline std::int64_t generation_of(std::string_view text) {
  constexpr std::string_view kMark = "session=generation-";
  const std::size_t found = text.find(kMark);
  if (found == std::string_view::npos || !is_intact_memory_md(text)) {
    return -1;
  }
  return std::stoll(std::string(text.substr(found + kMark.size(), 12)));
}

class SteppedClock final : public base::Clock {
 public:
  std::int64_t now_ms() const override { return now; }
  std::int64_t now = 1'790'000'000'000;
};

struct Vault {
  Vault() { temp.make_folder("vault"); }

  Result<state::StateFolder> folder() const {
    return state::StateFolder::open(temp.at("state"), temp.at("vault"), state::Create::if_missing);
  }

  support::TempFolder temp;
  SteppedClock clock;
  state::SystemBootClock boot;
};

/// One publisher with all it needs; what cannot be had is an error.
struct Desk {
  state::StateFolder folder;
  state::StateDb database;
  state::Lease lease;

  static Result<Desk> open(const Vault& vault, state::LeaseRequest request = {}) {
    TRY_ASSIGN(auto folder, vault.folder());
    TRY_ASSIGN(auto database, state::StateDb::open(folder));
    TRY_ASSIGN(request.fence_floor, database.publications().highest_fence());
    TRY_ASSIGN(auto lease, state::Lease::acquire(folder, vault.boot, request));
    return Desk{std::move(folder), std::move(database), std::move(lease)};
  }

  Result<PublishOutcome> publish(const Vault& vault,
                                 const Projection& projection,
                                 PublishObserver observer = {}) {
    Publisher publisher(vault.temp.at("vault"), folder, database, vault.clock, std::move(observer));
    return publisher.publish(projection, lease);
  }
};

}  // namespace daybook::projection

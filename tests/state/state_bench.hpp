// SPDX-License-Identifier: MIT
//
// A state folder on the real disk and its state.db, and values to put into it.
#pragma once

#include "daybook/state/state_db.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::state {

inline StateFolder state_in(const support::TempFolder& temp) {
  auto opened = StateFolder::open(temp.at("state"), "/vault", Create::if_missing);
  REQUIRE(opened);
  return std::move(opened).value();
}

inline StateDb open_db(const StateFolder& folder, int busy_timeout_ms = 5000) {
  auto opened = StateDb::open(folder, busy_timeout_ms);
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened);
  return std::move(opened).value();
}

struct Bench {
  support::TempFolder temp;
  StateFolder folder = state_in(temp);
  StateDb db = open_db(folder);
};

inline lineage::SessionToken token(int number) {
  return lineage::SessionToken::derive("default", "session-" + std::to_string(number));
}

inline base::Digest digest(const std::string& text) { return base::sha256(text); }

inline Seal seal(const std::string& sentence) {
  return {digest(sentence),
          digest("body of " + sentence),
          std::string("\0fields\xff", 8),
          sentence,
          "/srv/project",
          {1000},
          lineage::Timestamp{-5},
          std::nullopt,
          false,
          {77}};
}

}  // namespace daybook::state

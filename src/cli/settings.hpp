// SPDX-License-Identifier: MIT
//
// What the global options and the environment say, gathered once and handed down. Plain data.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace daybook::cli {

enum class ColorChoice : std::uint8_t { automatic, always, never };
enum class Loudness : std::uint8_t { quiet, normal, verbose };

struct Settings {
  std::string workspace;  ///< --workspace as given; empty: see workspace.hpp
  std::string state_dir;
  std::string agent;
  bool json = false;
  Loudness loudness = Loudness::normal;
  ColorChoice color = ColorChoice::automatic;
  std::optional<lineage::Timestamp> now;  ///< --now: a fixed clock for reproducible output
};

}  // namespace daybook::cli

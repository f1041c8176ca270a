// SPDX-License-Identifier: MIT
//
// The sections of daybook.yaml: the mapping below `memory_md:`, `watch:`, `model:` or `capture:` ->
// its part of Config, or the error that names the line. Pure.
#pragma once

#include "daybook/parse/config.hpp"
#include "parse/config_values.hpp"

namespace daybook::parse {

Result<void> read_memory_md(const YAML::Node& node, const std::string& key, Config& config);
Result<void> read_watch(const YAML::Node& node, const std::string& key, Config& config);
Result<void> read_model(const YAML::Node& node, const std::string& key, Config& config);
Result<void> read_capture(const YAML::Node& node, const std::string& key, Config& config);
Result<void> read_learnings(const YAML::Node& node, const std::string& key, Config& config);

}  // namespace daybook::parse

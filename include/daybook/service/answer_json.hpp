// SPDX-License-Identifier: MIT
//
// Parts of answers that the commands and the MCP server write alike, with the names that the
// documentation gives them. Pure.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/service/freshness.hpp"

#include <optional>
#include <string>

namespace daybook::service {

base::Json text_or_null(const std::string& text);
base::Json time_or_null(std::optional<lineage::Timestamp> time);

/// What is not as the index says; null: nobody has looked.
base::Json changes_json(const std::optional<Freshness>& freshness);

/// Ranges in characters, since JSON readers count those.
base::Json highlights(const index::Snippet& snippet);

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
//
// A session's row as JSON, with the field names that every command and the documentation share.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <optional>
#include <string>

namespace daybook::cli {

using base::Json;

Json text_or_null(const std::string& text);

Json time_or_null(const std::optional<lineage::Timestamp>& time);

Json session_json(const index::SessionRow& session);

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
//
// A session's row as JSON, with the field names that every command and the documentation share.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/service/answer_json.hpp"

namespace daybook::cli {

using base::Json;

using service::text_or_null;
using service::time_or_null;

Json session_json(const index::SessionRow& session);

}  // namespace daybook::cli

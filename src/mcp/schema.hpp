// SPDX-License-Identifier: MIT
//
// Arguments against the JSON Schema that was published for them: type, enum, minimum and maximum,
// minLength and maxLength (in characters), items, minItems, maxItems, required, and no member that
// is not named. What is wrong is said so that a model can mend its call: which argument, what it
// was, what is allowed. Pure; linear.
#pragma once

#include "daybook/base/json.hpp"

#include <string>

namespace daybook::mcp {

using base::Json;

/// Nothing wrong: an empty text; else one sentence a fault, joined by blanks.
std::string faults_of(const Json& arguments, const Json& schema);

}  // namespace daybook::mcp

// SPDX-License-Identifier: MIT
//
// What the frontmatter of every new file of a session begins with. Pure.
#pragma once

#include "canon/frontmatter_edit.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/kind.hpp"

#include <string>
#include <vector>

namespace daybook::canon {

FieldValue text_or_null(const std::string& text);

/// The kind, and whose session it is; in the order in which files have them.
std::vector<FieldChange> session_fields(lineage::Kind kind, const lineage::SessionFields& session);

}  // namespace daybook::canon

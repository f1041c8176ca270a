// SPDX-License-Identifier: MIT
//
// What a seal remembers of an immutable file beside its hashes, packed into one text: a mark of
// each frontmatter field, so that a later difference can be named without keeping the values, and
// who the session was, so that the ledger can still say so when the file itself no longer does.
// Pure.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::service {

/// Eight bytes a field: of its name and of its value.
std::string field_marks(const parse::Frontmatter& fields);

/// The names of the fields that the contract does not name, one a line: their marks alone could not
/// be turned back into names.
std::string extra_field_names(const parse::Frontmatter& fields);

struct SealRecord {
  std::string marks;
  std::string extra_names;
  lineage::SessionFields session;  ///< captured_at is in the file's name
};

/// The names of the fields that differ, sorted.
std::vector<std::string> differing_fields(const SealRecord& before, const SealRecord& after);

std::string pack(const SealRecord& record);
std::optional<SealRecord> unpack(std::string_view packed);

}  // namespace daybook::service

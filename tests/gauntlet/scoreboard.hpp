// SPDX-License-Identifier: MIT
//
// Results of rows -> the table that people read, the command that repeats each failure, and the
// same as JSON. Pure text.
#pragma once

#include "gauntlet/runner.hpp"

#include <string>
#include <utility>
#include <vector>

namespace daybook::gauntlet {

using Results = std::vector<std::pair<Row, RowResult>>;

std::string table_head();
std::string table_line(const Row& row, const RowResult& result);
/// Every failure with its number, its command and what it said.
std::string failures_text(const Row& row, const RowResult& result);
/// "nothing failed" and what that bounds, or how much did.
std::string verdict(const Results& results);
std::string as_json(const Results& results, const std::string& commit, const std::string& sizes);

std::size_t failures(const Results& results);

}  // namespace daybook::gauntlet

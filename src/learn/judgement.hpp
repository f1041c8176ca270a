// SPDX-License-Identifier: MIT
//
// A wish to remember -> what may be stored, or why not. Nothing is written here, and nothing of
// what is refused is quoted. Pure but for the operator's list of literals, which is read.
#pragma once

#include "daybook/learn/learn.hpp"

#include <string>
#include <vector>

namespace daybook::learn {

/// Texts that the operator never wants stored; that they cannot be read is an error.
Result<std::vector<std::string>> literals_of(const Desk& desk);

/// Without blanks at its ends, with LF line ends. Control characters are refused, not dropped: what
/// is stored is what was asked for.
Result<std::string> storable_content(const std::string& text,
                                     const std::vector<std::string>& literals);

/// As compact JSON; empty: none.
Result<std::string> storable_metadata(const std::string& text,
                                      const std::vector<std::string>& literals);

/// In the form in which categories are kept.
Result<std::string> storable_category(const std::string& text,
                                      const std::vector<std::string>& literals);

/// As learn.hpp has it, but that there need not be one.
Result<std::string> storable_reason(const std::string& text,
                                    const std::vector<std::string>& literals);
/// The same of an imported note, which somebody may have revoked by hand at any length: one that is
/// too long is judged as a whole, and cut.
Result<std::string> cut_reason(const std::string& text, const std::vector<std::string>& literals);

Result<void> storable_scope(const lineage::LearningScope& scope,
                            const std::vector<std::string>& literals);

const parse::LearningLimit& limit_of(const parse::Config& config, lineage::MemoryType type);

/// The name of the section with that limit: `learnings.semantic`.
std::string section_of(lineage::MemoryType type);

}  // namespace daybook::learn

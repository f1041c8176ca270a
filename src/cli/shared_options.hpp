// SPDX-License-Identifier: MIT
//
// Arguments that several commands take, with the same words in help and errors.
#pragma once

#include "cli/command.hpp"
#include "daybook/lineage/kind.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace daybook::cli {

/// SESSION, required.
void add_session_argument(const Command& command, std::string& session);

/// --kind; `help` says what it chooses.
void add_kind_option(const Command& command,
                     std::optional<lineage::Kind>& kind,
                     const std::string& help);

/// A text that must not be empty: one that names nothing would lift the limit that it is given for.
void add_name_option(const Command& command,
                     const std::string& name,
                     const std::string& value_name,
                     std::string& value,
                     const std::string& help);

struct Bounds {
  std::size_t least;
  std::size_t most;
};

/// A number within its bounds.
void add_count_option(const Command& command,
                      const std::string& name,
                      std::optional<std::size_t>& count,
                      Bounds bounds,
                      const std::string& help);

/// --limit, from `least` to `most`.
void add_limit_option(const Command& command,
                      std::optional<std::size_t>& limit,
                      std::size_t least,
                      std::size_t most,
                      const std::string& help);

/// --lines, of a log.
void add_lines_option(const Command& command,
                      std::optional<std::size_t>& lines,
                      const std::string& help);

/// --wait, in seconds up to a day.
void add_wait_option(const Command& command,
                     std::optional<double>& seconds,
                     const std::string& help);

}  // namespace daybook::cli

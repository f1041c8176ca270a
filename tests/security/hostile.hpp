// SPDX-License-Identifier: MIT
//
// A hostile input as a real vault: the real program is run on it, and must say exactly what is
// wrong, name the file, check a healthy session beside it all the same, and stay within bounds.
#pragma once

#include "support/check_answer.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::test {

inline constexpr long kMostMilliseconds = 200;
inline constexpr long kMostKilobytes = 64L * 1024;
inline constexpr std::size_t kMostMessageBytes = 700;  // a sentence, whatever stands in the note

using Codes = std::vector<std::string>;

/// The unit again and again, at least so many bytes.
std::string repeated(std::string_view unit, std::size_t bytes);

/// Runs daybook; it must end by itself, within the bounds of time and memory.
support::ProgramOutcome run_within_bounds(const std::vector<std::string>& arguments);

/// A vault with a healthy session, next to which a test puts what is hostile.
class HostileVault {
 public:
  HostileVault();

  /// To be spoilt and then written.
  support::SessionFiles session;
  const support::TempFolder folder;
  const support::TempFolder state;  ///< for whoever needs a place beside it

  /// Runs `daybook check` within bounds. Messages must be short, and the healthy session free of
  /// findings.
  [[nodiscard]] support::CheckAnswer check() const;

  /// Writes the session, checks it, and wants exactly these findings at one of its files; the other
  /// two have none.
  support::CheckAnswer check_file(lineage::Kind kind, const Codes& expected);

 private:
  support::SessionFiles healthy_;
};

/// Frontmatter lines behind those of a right summary: the findings must be exactly these.
void check_frontmatter(const std::string& lines, const Codes& expected);

/// Where the body of a right summary begins: behind 17 fields and two fences.
inline constexpr std::uint32_t kBodyLine = 20;

/// A link to something missing on the first line, then the body; that link must still be found.
support::CheckAnswer check_body(const std::string& body);

}  // namespace daybook::test

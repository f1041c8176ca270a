// SPDX-License-Identifier: MIT
//
// Fields -> a frontmatter block, as Daybook or as Signet spells it. The generator has its own
// writer so that a benchmark of Daybook's does not feed on what it measures. A value; cannot fail.
#pragma once

#include "daybook/lineage/timestamp.hpp"
#include "vault_plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::bench {

class FrontmatterText {
 public:
  explicit FrontmatterText(VaultForm form) : form_(form) {}

  /// A name of letters, digits, `.`, `_` and `-` that begins with a letter: bare in Daybook's form.
  void word(std::string_view key, std::string_view value);
  void text(std::string_view key, std::string_view value);
  /// Empty is null.
  void text_or_null(std::string_view key, std::string_view value);
  void time(std::string_view key, std::optional<lineage::Timestamp> value);
  void number(std::string_view key, std::uint64_t value);
  void list(std::string_view key, const std::vector<std::string>& items);

  /// The whole file.
  std::string with_body(std::string_view body) &&;

 private:
  void begin(std::string_view key);
  void quoted(std::string_view value);

  VaultForm form_;
  std::string out_ = "---\n";
};

}  // namespace daybook::bench

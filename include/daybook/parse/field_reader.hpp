// SPDX-License-Identifier: MIT
//
// Frontmatter fields -> typed values. Each method reads one field and, if it is absent, empty or of
// the wrong type, adds the diagnostic that says so with the field's line. The rules of each kind
// are then a list of such calls. Borrows everything; one thread.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::parse {

enum class Presence : std::uint8_t {
  value,     ///< must be there with a value
  key,       ///< must be there, may be null
  optional,  ///< may be missing altogether
};

class FieldReader {
 public:
  FieldReader(const Frontmatter& fields, std::vector<lineage::Diagnostic>& diagnostics)
      : fields_(fields), diagnostics_(diagnostics) {}

  /// Empty when null or missing.
  std::string text(std::string_view key, Presence presence);
  std::optional<lineage::Timestamp> timestamp(std::string_view key, Presence presence);
  std::optional<base::Digest> digest(std::string_view key, Presence presence);
  std::optional<lineage::PathField> path(std::string_view key, Presence presence);
  std::optional<std::uint64_t> number(std::string_view key, Presence presence, std::uint64_t most);
  std::vector<lineage::PathField> path_list(std::string_view key, Presence presence);
  std::vector<std::string> text_list(std::string_view key, Presence presence);

  /// Line of a field, or of the opening fence if it is missing.
  std::uint32_t line(std::string_view key) const;

  void add(lineage::Code code, std::uint32_t line, std::string message);

 private:
  /// Writers keep to one order, so the field is nearly always where the last one was, or next.
  const Frontmatter::Field* find(std::string_view key) const;
  const Scalar* scalar(std::string_view key, Presence presence);
  const Frontmatter::Field* list(std::string_view key, Presence presence);
  void wrong_type(std::string_view key, std::string_view wanted);
  void missing(std::string_view key, std::uint32_t line, std::string_view state);

  const Frontmatter& fields_;
  std::vector<lineage::Diagnostic>& diagnostics_;
  mutable std::size_t last_found_ = 0;
};

}  // namespace daybook::parse

// SPDX-License-Identifier: MIT
//
// Notes of what was learned: whatever they say, a value comes out that is within its bounds; the id
// that a tombstone is held against is the one that the note then has; and one that is read without
// findings is written and read again as the same value.
#include "daybook/base/utf8.hpp"
#include "daybook/canon/learning_writer.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "require.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace canon = daybook::canon;
namespace lineage = daybook::lineage;
namespace parse = daybook::parse;
using daybook::fuzz::require;
using lineage::Learning;

constexpr std::string_view kPath = "memory/learnings/42-tides.md";

void require_within_bounds(const Learning& learning) {
  require(learning.id > 0 && learning.id <= lineage::kMostLearningId, "an id fits into JSON");
  require(learning.category == lineage::learning_category(learning.category),
          "a category is as the rules give it");
  require(learning.content.size() <= 4 * lineage::kLongestLearning, "content is short");
  require(learning.content.find('\r') == std::string::npos, "line ends are plain");
}

/// Nothing if there is a finding.
std::optional<Learning> read(std::string_view file) {
  const parse::FileParts parts = parse::split_file(file);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  if (parts.bounds != parse::FrontmatterBounds::found || !daybook::base::is_valid_utf8(file) ||
      !parse::read_frontmatter(parts.yaml, fields, diagnostics) ||
      !parse::is_learning_note(fields)) {
    return std::nullopt;
  }
  Learning learning = parse::read_learning(fields, kPath, parts.body, parts.body_line, diagnostics);
  require_within_bounds(learning);
  require(parse::claimed_learning_id(fields, kPath) == learning.id, "the claimed id is the id");
  return diagnostics.empty() ? std::optional(std::move(learning)) : std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  auto learning = read(input);
  if (!learning) {
    return 0;
  }
  if (!learning->revoked_at) {
    learning->revoked_reason.clear();  // it is written beside its time
  }
  const auto text = canon::learning_text(*learning);
  if (!text) {
    require(!text.error().message.empty(), "a refusal says why");
    return 0;
  }
  const auto again = read(*text);
  require(again.has_value(), "a note that is written has no findings");
  require(*again == *learning, "a note that is written says what was meant");
  return 0;
}

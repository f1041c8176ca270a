// SPDX-License-Identifier: MIT
//
// Tombstones: one that is read without findings is written and read again as the same value; and
// whatever a reason and the paths say, what is written is read without findings as what was meant.
#include "daybook/base/utf8.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "require.hpp"

#include <algorithm>
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
using lineage::Tombstone;

/// Nothing if there is a finding.
std::optional<Tombstone> read(std::string_view file, std::string_view name) {
  const parse::FileParts parts = parse::split_file(file);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  const lineage::NameReading reading = lineage::read_artifact_name(name);
  if (parts.bounds != parse::FrontmatterBounds::found ||
      !daybook::base::is_valid_utf8(parts.yaml) ||
      !parse::read_frontmatter(parts.yaml, fields, diagnostics) ||
      reading.kind != lineage::Kind::tombstone) {
    return std::nullopt;
  }
  const auto record = parse::read_record(fields, reading, diagnostics);
  const auto* tombstone = std::get_if<Tombstone>(&record);
  return tombstone != nullptr && diagnostics.empty() ? std::optional(*tombstone) : std::nullopt;
}

/// The name under which a file with these fields would stand.
std::string name_for(std::string_view file) {
  const parse::FileParts parts = parse::split_file(file);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  if (parts.bounds != parse::FrontmatterBounds::found ||
      !daybook::base::is_valid_utf8(parts.yaml) ||
      !parse::read_frontmatter(parts.yaml, fields, diagnostics)) {
    return {};
  }
  const auto* token = fields.find("session_token");
  const auto* removed = fields.find("removed_at");
  const auto time = removed != nullptr ? lineage::parse_timestamp(removed->scalar.text)
                                       : std::optional<lineage::Timestamp>();
  return token != nullptr && time ? to_file_string(*time)
                                        .append("--")
                                        .append(token->scalar.text)
                                        .append("--tombstone.md")
                                  : std::string();
}

void require_written(const Tombstone& tombstone) {
  const auto text = canon::tombstone_text(tombstone);
  if (!text) {
    require(!text.error().message.empty(), "a refusal says why");
    return;
  }
  const std::string path = canon::tombstone_path(tombstone);
  const auto again = read(*text, std::string_view(path).substr(path.rfind('/') + 1));
  Tombstone meant = tombstone;
  meant.reason = meant.reason.empty() ? "unspecified" : meant.reason;
  require(again.has_value(), "a tombstone that is written has no findings");
  require(*again == meant, "a tombstone that is written says what was meant");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto tombstone = read(input, name_for(input))) {
    require_written(*tombstone);
  }
  Tombstone made;
  made.agent_id = "default";
  made.token = lineage::SessionToken::derive("default", "key-1");
  made.removed_at = lineage::Timestamp{1'774'737'246'792};
  std::string_view rest = input;
  while (!rest.empty() && made.removed_paths.size() < 64) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    made.removed_paths.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  made.reason = input;
  require_written(made);
  return 0;
}

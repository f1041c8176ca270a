// SPDX-License-Identifier: MIT
#include "daybook/parse/frontmatter.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <unordered_set>

namespace daybook::parse {
namespace {

using lineage::Code;
using lineage::Diagnostic;

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kFence = "---";

/// A line that is `---` and perhaps blanks; `line` comes without its LF.
bool is_fence(std::string_view line) {
  return line.starts_with(kFence) &&
         line.find_first_not_of(" \t\r", kFence.size()) == std::string_view::npos;
}

/// The first key that stands twice, with the line of its second appearance.
const Frontmatter::Field* find_duplicate(std::span<const Frontmatter::Field> fields) {
  constexpr std::size_t kFewFields = 40;
  if (fields.size() <= kFewFields) {
    for (std::size_t i = 1; i < fields.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        // Keys differ in length or at their ends more often than not: memcmp is the last resort.
        const std::string_view one = fields[i].key;
        const std::string_view other = fields[j].key;
        if (one.size() == other.size() && (one.empty() || one.back() == other.back()) &&
            one == other) {
          return &fields[i];
        }
      }
    }
    return nullptr;
  }
  std::unordered_set<std::string_view> seen;  // hostile files have thousands of keys
  for (const auto& field : fields) {
    if (!seen.insert(field.key).second) {
      return &field;
    }
  }
  return nullptr;
}

/// YAML forbids control characters, and one of them (0x04) ends the text for yaml-cpp.
const char* find_control_character(std::string_view text) {
  const auto found = std::find_if(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
  });
  return found == text.end() ? nullptr : &*found;
}

}  // namespace

FileParts split_file(std::string_view file) {
  FileParts parts;
  if (file.starts_with(kBom)) {
    file.remove_prefix(kBom.size());
  }
  parts.body = file;
  const std::size_t first_end = file.find('\n');
  if (!is_fence(file.substr(0, first_end))) {
    return parts;
  }
  if (first_end == std::string_view::npos) {
    parts.bounds = FrontmatterBounds::unclosed;
    return parts;
  }
  const std::size_t yaml_start = first_end + 1;
  std::size_t at = yaml_start;
  std::uint32_t line = 2;
  while (at < file.size() && at - yaml_start <= kMostFrontmatterBytes) {
    const std::size_t end = std::min(file.find('\n', at), file.size());
    if (is_fence(file.substr(at, end - at))) {
      parts.bounds = FrontmatterBounds::found;
      parts.yaml = file.substr(yaml_start, at - yaml_start);
      parts.body = file.substr(std::min(end + 1, file.size()));
      parts.body_line = line + 1;
      return parts;
    }
    at = end + 1;
    ++line;
  }
  const bool beyond_limit = file.size() - yaml_start > kMostFrontmatterBytes + kFence.size();
  parts.bounds = beyond_limit ? FrontmatterBounds::too_large : FrontmatterBounds::unclosed;
  return parts;
}

const Frontmatter::Field* Frontmatter::find(std::string_view key) const {
  const auto found = std::find_if(
      fields_.begin(), fields_.end(), [key](const Field& field) { return field.key == key; });
  return found == fields_.end() ? nullptr : &*found;
}

void Frontmatter::clear() {
  fields_.clear();
  items_.clear();
  kept_.clear();
}

void Frontmatter::add_scalar(std::string_view key, std::uint32_t line, Scalar value) {
  fields_.push_back({key, line, false, value, 0, 0});
}

void Frontmatter::begin_list(std::string_view key, std::uint32_t line) {
  fields_.push_back({key, line, true, {{}, true}, static_cast<std::uint32_t>(items_.size()), 0});
}

void Frontmatter::add_item(Scalar item) {
  items_.push_back(item);
  ++fields_.back().item_count;
}

bool Frontmatter::drop_last_if(std::string_view key) {
  if (fields_.empty() || fields_.back().key != key) {
    return false;
  }
  fields_.pop_back();
  return true;
}

std::string_view Frontmatter::keep(std::string text) { return kept_.emplace_back(std::move(text)); }

bool read_frontmatter(std::string_view yaml,
                      Frontmatter& out,
                      std::vector<Diagnostic>& diagnostics) {
  if (read_frontmatter_fast(yaml, out) == FastRead::not_recognised) {
    if (const char* control = find_control_character(yaml)) {
      out.clear();
      const auto line = 2 + std::count(yaml.data(), control, '\n');
      diagnostics.push_back({Code::yaml_syntax,
                             static_cast<std::uint32_t>(line),
                             "The frontmatter contains a control character"});
      return false;
    }
    if (!read_frontmatter_yaml(yaml, out, diagnostics)) {
      return false;
    }
  }
  if (const auto* twice = find_duplicate(out.fields())) {
    diagnostics.push_back({Code::duplicate_key,
                           twice->line,
                           "The key " + base::quoted(twice->key) + " appears twice"});
    return false;
  }
  return true;
}

Frontmatter claims_of(const FileParts& parts) {
  Frontmatter fields;
  std::vector<Diagnostic> not_reported;
  if (parts.bounds == FrontmatterBounds::found && base::is_valid_utf8(parts.yaml) &&
      !read_frontmatter(parts.yaml, fields, not_reported)) {
    fields.clear();  // of the fields before the mistake
  }
  return fields;
}

}  // namespace daybook::parse

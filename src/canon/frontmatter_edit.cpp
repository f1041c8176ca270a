// SPDX-License-Identifier: MIT
#include "canon/frontmatter_edit.hpp"

#include "canon/field_lines.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace daybook::canon {
namespace {

using parse::Frontmatter;

Error refused(std::string_view why) {
  return {ErrorKind::damaged,
          std::string("the frontmatter cannot be edited safely: ").append(why),
          {},
          "write it as one 'key: value' a line, see daybook check"};
}

Error refused_field(std::string_view key) {
  return refused(std::string("the field ")
                     .append(base::quoted(key))
                     .append(" is not written in a form that is known here"));
}

// --- reading -------------------------------------------------------------------------------------

struct Parsed {
  parse::FileParts parts;
  Frontmatter fields;
};

Result<void> read(std::string_view file, Parsed& out) {
  out.parts = parse::split_file(file);
  if (out.parts.bounds != parse::FrontmatterBounds::found) {
    return refused("it is missing, has no end, or is too large");
  }
  std::vector<lineage::Diagnostic> diagnostics;
  if (!base::is_valid_utf8(out.parts.yaml) ||
      !parse::read_frontmatter(out.parts.yaml, out.fields, diagnostics)) {
    return refused(diagnostics.empty() ? "it is not UTF-8" : diagnostics.front().sentence());
  }
  return {};
}

bool has_value(const Frontmatter& fields,
               const Frontmatter::Field& field,
               const FieldValue& value) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    const auto items = fields.items(field);
    // `key:` with nothing is how an empty list is often written.
    const bool is_list = field.is_list || (field.scalar.is_null && list->empty());
    return is_list && std::equal(items.begin(),
                                 items.end(),
                                 list->begin(),
                                 list->end(),
                                 [](const parse::Scalar& item, const std::string& wanted) {
                                   return !item.is_null && item.text == wanted;
                                 });
  }
  if (field.is_list) {
    return false;
  }
  if (std::holds_alternative<std::monostate>(value)) {
    return field.scalar.is_null;
  }
  const auto* text = std::get_if<std::string>(&value);
  return !field.scalar.is_null &&
         field.scalar.text == (text != nullptr ? *text : std::to_string(std::get<2>(value)));
}

// --- writing -------------------------------------------------------------------------------------

std::string flow_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    text.append(text.size() > 1 ? ", " : "").append(yaml_quoted(item));
  }
  return text.append("]");
}

std::string on_one_line(const FieldValue& value) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return flow_list(*list);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return yaml_quoted(*text);
  }
  return std::holds_alternative<std::monostate>(value) ? "null"
                                                       : std::to_string(std::get<2>(value));
}

std::string with_value(const FieldLines& lines, std::string_view value) {
  const bool was_empty = lines.value.begin == lines.value.end;
  return std::string(lines.key_line.substr(0, lines.value.begin))
      .append(was_empty && !value.empty() ? " " : "")
      .append(value)
      .append(lines.key_line.substr(lines.value.end));
}

/// A block list of which the items that stay keep their lines.
std::string block_list(const FieldLines& lines,
                       std::span<const parse::Scalar> old_items,
                       const std::vector<std::string>& items) {
  std::string text = with_value(lines, "");
  for (const std::string_view silent : lines.silent) {
    text.append(silent);
  }
  const std::string_view model = lines.items.empty() ? "  - " : lines.items.front();
  const std::string_view indent = model.substr(0, model.find('-'));
  for (const std::string& item : items) {
    const auto known = std::find_if(old_items.begin(), old_items.end(), [&item](const auto& old) {
      return !old.is_null && old.text == item;
    });
    if (known != old_items.end() && old_items.size() == lines.items.size()) {
      text.append(lines.items[static_cast<std::size_t>(known - old_items.begin())]);
    } else {
      text.append(indent).append("- ").append(yaml_quoted(item));
      text.append(line_end_of(lines.key_line));
    }
  }
  return text;
}

Result<std::string> replaced(std::string_view file, const Parsed& old, const FieldChange& change) {
  const auto fields = old.fields.fields();
  const auto* field = old.fields.find(change.key);
  const std::string_view yaml = old.parts.yaml;
  const auto yaml_begin = static_cast<std::size_t>(yaml.data() - file.data());
  if (field == nullptr) {
    const std::string_view first_line = file.substr(0, file.find('\n') + 1);
    return std::string(file.substr(0, yaml_begin + yaml.size()))
        .append(yaml_field(change.key, change.value, line_end_of(first_line)))
        .append(file.substr(yaml_begin + yaml.size()));
  }
  const std::vector<std::string_view> all = lines_of(yaml);
  const auto index = static_cast<std::size_t>(field - fields.data());
  const std::size_t first = field->line - 2;  // the opening fence is line 1
  const std::size_t end = index + 1 < fields.size() ? fields[index + 1].line - 2 : all.size();
  if (first >= end || end > all.size()) {
    return refused_field(change.key);  // two fields on one line
  }
  const auto lines = find_lines(std::span(all).subspan(first, end - first), *field);
  if (!lines) {
    return refused_field(change.key);
  }
  const auto* list = std::get_if<std::vector<std::string>>(&change.value);
  const bool was_inline = lines->value.begin != lines->value.end && field->is_list;
  const bool as_block = list != nullptr && !list->empty() && !was_inline;
  const FieldLines bare{lines->key_line,
                        lines->after_colon,
                        {lines->after_colon, lines->value.end},
                        lines->silent,
                        lines->items,
                        0};
  std::string text(file.substr(0, static_cast<std::size_t>(all[first].data() - file.data())));
  if (as_block) {
    text.append(block_list(bare, old.fields.items(*field), *list));
  } else {
    text.append(with_value(*lines, on_one_line(change.value)));
    for (const std::string_view silent : lines->silent) {
      text.append(silent);
    }
  }
  const std::size_t after = first + lines->count;
  const char* rest = after < all.size() ? all[after].data() : yaml.data() + yaml.size();
  return text.append(file.substr(static_cast<std::size_t>(rest - file.data())));
}

// --- proof ---------------------------------------------------------------------------------------

bool same_field(const Frontmatter& one,
                const Frontmatter::Field& left,
                const Frontmatter& other,
                const Frontmatter::Field& right) {
  const auto left_items = one.items(left);
  const auto right_items = other.items(right);
  return left.key == right.key && left.is_list == right.is_list && left.scalar == right.scalar &&
         std::equal(left_items.begin(), left_items.end(), right_items.begin(), right_items.end());
}

/// Every field that was not to be changed says what it said, and the others what they should.
bool is_as_intended(const Parsed& before,
                    const Parsed& after,
                    std::span<const FieldChange> changes) {
  const auto wanted = [changes](std::string_view key) {
    return std::find_if(changes.begin(), changes.end(), [key](const FieldChange& change) {
      return change.key == key;
    });
  };
  for (const auto& field : before.fields.fields()) {
    const auto* now = after.fields.find(field.key);
    if (now == nullptr || (wanted(field.key) == changes.end() &&
                           !same_field(before.fields, field, after.fields, *now))) {
      return false;
    }
  }
  std::size_t added = 0;
  for (const FieldChange& change : changes) {
    const auto* now = after.fields.find(change.key);
    if (now == nullptr || !has_value(after.fields, *now, change.value)) {
      return false;
    }
    added += before.fields.find(change.key) == nullptr ? 1U : 0U;
  }
  return after.fields.fields().size() == before.fields.fields().size() + added &&
         after.parts.body == before.parts.body;
}

}  // namespace

std::string yaml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < 0x20 || byte == 0x7F) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(byte));
      out.append(escape.data());
    } else {
      out.push_back(c);
    }
  }
  return out.append("\"");
}

std::string yaml_field(std::string_view key, const FieldValue& value, std::string_view line_end) {
  std::string text(key);
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr || list->empty()) {
    return text.append(": ").append(on_one_line(value)).append(line_end);
  }
  text.append(":").append(line_end);
  for (const std::string& item : *list) {
    text.append("  - ").append(yaml_quoted(item)).append(line_end);
  }
  return text;
}

Result<std::string> edit_frontmatter(std::string_view file, std::span<const FieldChange> changes) {
  Parsed before;
  TRY(read(file, before));
  std::string text(file);
  for (const FieldChange& change : changes) {
    Parsed current;
    TRY(read(text, current));
    const auto* field = current.fields.find(change.key);
    if (field == nullptr || !has_value(current.fields, *field, change.value)) {
      TRY_ASSIGN(text, replaced(text, current, change));
    }
  }
  Parsed after;
  TRY(read(text, after));
  if (!is_as_intended(before, after, changes)) {
    return refused("another field would change with it");
  }
  return text;
}

}  // namespace daybook::canon

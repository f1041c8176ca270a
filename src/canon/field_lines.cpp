// SPDX-License-Identifier: MIT
#include "canon/field_lines.hpp"

#include <algorithm>

namespace daybook::canon {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

std::string_view without_line_end(std::string_view line) {
  return line.substr(0, line.size() - line_end_of(line).size());
}

/// A line on which YAML says nothing.
bool is_silent(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  return first == kNone || line[first] == '#';
}

bool is_item(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != kNone && line.substr(first).starts_with("- ");
}

// --- one value on its line -----------------------------------------------------------------------

/// The end of what is quoted from `at` on.
std::size_t quoted_end(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (quote == '"' && line[i] == '\\') {
      ++i;
    } else if (line[i] == quote) {
      if (quote == '"' || i + 1 == line.size() || line[i + 1] != '\'') {
        return i + 1;
      }
      ++i;  // '' is a quote inside
    }
  }
  return kNone;
}

std::size_t flow_list_end(std::string_view line, std::size_t at) {
  for (std::size_t i = at + 1; i < line.size();) {
    if (line[i] == ']') {
      return i + 1;
    }
    if (line[i] == '"' || line[i] == '\'') {
      i = quoted_end(line, i);
    } else if (line[i] == '[' || line[i] == '{' || line[i] == '#') {
      return kNone;
    } else {
      ++i;
    }
  }
  return kNone;
}

std::size_t plain_end(std::string_view line, std::size_t at) {
  if (std::string_view("|>&*!{}%@`?]").find(line[at]) != kNone ||
      line.substr(at).starts_with("- ")) {
    return kNone;
  }
  const std::size_t comment = std::min({line.find(" #", at), line.find("\t#", at), line.size()});
  return line.find_last_not_of(" \t", comment - 1) + 1;
}

std::optional<ValuePlace> find_value(std::string_view line, std::size_t after_colon) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t", after_colon), line.size());
  if (begin == line.size() || line[begin] == '#') {
    return ValuePlace{after_colon, after_colon};
  }
  const char first = line[begin];
  const std::size_t end = first == '"' || first == '\'' ? quoted_end(line, begin)
                          : first == '['                ? flow_list_end(line, begin)
                                                        : plain_end(line, begin);
  if (end == kNone) {
    return std::nullopt;
  }
  const std::size_t rest = line.find_first_not_of(" \t", end);
  const bool comment = rest != kNone && line[rest] == '#' && rest > end;
  return rest == kNone || comment ? std::optional(ValuePlace{begin, end}) : std::nullopt;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string_view line_end_of(std::string_view line) {
  return line.ends_with("\r\n") ? "\r\n" : line.ends_with('\n') ? "\n" : "";
}

std::optional<FieldLines> find_lines(std::span<const std::string_view> lines,
                                     const parse::Frontmatter::Field& field) {
  FieldLines found;
  found.key_line = lines.front();
  const std::string_view line = without_line_end(found.key_line);
  found.after_colon = field.key.size() + 1;
  if (!line.starts_with(field.key) || !line.substr(field.key.size()).starts_with(':')) {
    return std::nullopt;
  }
  const auto value = find_value(line, found.after_colon);
  if (!value) {
    return std::nullopt;
  }
  found.value = *value;
  while (is_silent(lines.back())) {
    lines = lines.first(lines.size() - 1);  // a comment above the next field is that field's
  }
  found.count = lines.size();
  for (const std::string_view further : lines.subspan(1)) {
    if (is_silent(further)) {
      found.silent.push_back(further);
    } else if (is_item(further) && value->begin == value->end) {
      found.items.push_back(further);
    } else {
      return std::nullopt;  // a value that goes on over several lines
    }
  }
  return found;
}

}  // namespace daybook::canon

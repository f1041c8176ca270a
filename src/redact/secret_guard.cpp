// SPDX-License-Identifier: MIT
#include "daybook/redact/secret_guard.hpp"

#include "daybook/base/json.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "redact/announced.hpp"
#include "redact/as_read.hpp"
#include "redact/characters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace daybook::redact {
namespace {

constexpr std::string_view kMarkerShape = "redaction-marker";
constexpr std::string_view kAssignmentShape = "secret-assignment";
constexpr std::string_view kLiteralShape = "literal";

using Shape = std::optional<std::string_view>;

/// `<redacted>`, `<redacted:email>`, how they look where angle brackets are neutralised, and the
/// marks of others: `[REDACTED]`, `***REDACTED***`.
bool has_marker(std::string_view text) {
  constexpr std::string_view kWordOfIt = "redacted";
  constexpr std::array<std::string_view, 6> kBefore{"<", "\u2039", "&lt;", "***", "{{", "__"};
  for (std::size_t at = 0; at + kWordOfIt.size() <= text.size(); ++at) {
    if (!is(text[at], kLetter) || !equals_folded(text.substr(at, kWordOfIt.size()), kWordOfIt)) {
      continue;
    }
    const std::string_view before = text.substr(0, at);
    const std::string_view behind = text.substr(at + kWordOfIt.size());
    if (std::any_of(kBefore.begin(), kBefore.end(), [before](std::string_view mark) {
          return before.ends_with(mark);
        })) {
      return true;
    }
    // "[redacted logs]" may be the text of a link.
    if (before.ends_with('[') && !behind.empty() &&
        std::string_view("]:_-").find(behind.front()) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// What the sanitizer would take out.
Shape shape_in(std::string_view text, const std::vector<std::string>& literals) {
  Policy policy;
  policy.pii = Pii::kept;
  policy.literals = literals;
  Report report;
  sanitize(text, policy, &report);
  if (report.secrets == 0) {
    return std::nullopt;
  }
  return report.findings.empty() ? kAssignmentShape : report.findings.front().shape;
}

/// What goes over several lines stands on one in MEMORY.md.
bool has_literal(std::string_view line, const std::vector<std::string>& literals) {
  return std::any_of(literals.begin(), literals.end(), [line](const std::string& literal) {
    return literal.size() >= 4 && line.find(as_read(literal, Lines::joined)) != line.npos;
  });
}

/// Each member and each element, with nothing escaped.
class FlatJson {
 public:
  explicit FlatJson(const base::Json& json) { add({}, json); }

  const std::string& members() const { return members_; }  ///< `"name": "value"`, a line each
  const std::string& texts() const { return texts_; }      ///< names and texts, a line each

 private:
  // No deeper than a Json is read.
  void add(std::string_view name, const base::Json& value) {
    if (const auto* object = value.members()) {
      for (const base::Json::Member& member : *object) {
        texts_.append(member.name).append("\n\n");
        add(member.name, member.value);
      }
    } else if (const auto* elements = value.elements()) {
      for (const base::Json& element : *elements) {
        add(name, element);
      }
    } else {
      const std::string* text = value.text();
      if (text != nullptr) {
        texts_.append(*text).append("\n\n");
      }
      members_.append("\"").append(name).append("\": ");
      members_.append(text == nullptr ? value.compact() : "\"" + *text + "\"").append("\n\n");
    }
  }

  std::string members_;
  std::string texts_;
};

/// Of what only looks like JSON: `\u0061` of ASCII as the letter that it is.
std::string without_escapes(std::string_view json) {
  std::string plain;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const std::string_view escape = json.substr(at, 6);
    unsigned code = 0;
    const char* const end = escape.data() + escape.size();
    if (escape.size() == 6 && escape.starts_with("\\u00") &&
        std::from_chars(escape.data() + 4, end, code, 16).ptr == end && code < 0x80) {
      plain.push_back(static_cast<char>(code));
      at += 5;
    } else {
      plain.push_back(json[at]);
    }
  }
  return plain;
}

/// Each line by itself: those of other fields do not go on with it.
bool a_line_announces(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find("\n\n"), lines.size());
    if (announces_secret(as_read(lines.substr(0, end), Lines::joined))) {
      return true;
    }
    lines.remove_prefix(std::min(end + 2, lines.size()));
  }
  return false;
}

}  // namespace

std::optional<std::string_view> secret_in(std::string_view content,
                                          const std::vector<std::string>& literals) {
  if (const Shape shape = shape_in(content, literals)) {
    return has_marker(content) ? kMarkerShape : shape;
  }
  std::string copy;
  std::string_view line = content;
  if (reads_otherwise(content, Lines::joined)) {
    if (reads_otherwise(content, Lines::kept)) {
      if (const Shape shape = shape_in(as_read(content, Lines::kept), literals)) {
        return shape;
      }
    }
    copy = as_read(content, Lines::joined);
    line = copy;
    if (has_literal(line, literals)) {
      return kLiteralShape;
    }
  }
  if (has_marker(line)) {
    return kMarkerShape;
  }
  if (announces_secret(line)) {
    return kAssignmentShape;
  }
  return std::nullopt;
}

std::optional<std::string_view> secret_in_json(std::string_view json,
                                               const std::vector<std::string>& literals) {
  const auto read = base::Json::parse(json);
  if (!read) {
    const Shape shape = secret_in(json, literals);
    return shape ? shape : secret_in(without_escapes(json), literals);
  }
  const FlatJson flat(*read);
  for (const std::string& text : {flat.members(), flat.texts()}) {
    const std::string shown = as_read(text, Lines::kept);
    for (const std::string_view form : {std::string_view(text), std::string_view(shown)}) {
      if (const Shape shape = shape_in(form, literals)) {
        return shape;
      }
    }
    if (has_literal(as_read(text, Lines::joined), literals)) {
      return kLiteralShape;
    }
    if (has_marker(shown)) {
      return kMarkerShape;
    }
    if (a_line_announces(text)) {
      return kAssignmentShape;
    }
  }
  return std::nullopt;
}

}  // namespace daybook::redact

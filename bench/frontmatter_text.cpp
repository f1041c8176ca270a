// SPDX-License-Identifier: MIT
#include "frontmatter_text.hpp"

namespace daybook::bench {

void FrontmatterText::begin(std::string_view key) {
  out_ += key;
  out_ += ": ";
}

/// A JSON string. Generated text has no control characters.
void FrontmatterText::quoted(std::string_view value) {
  out_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      out_ += '\\';
    }
    out_ += c;
  }
  out_ += '"';
}

void FrontmatterText::word(std::string_view key, std::string_view value) {
  if (form_ == VaultForm::signet) {
    text(key, value);
    return;
  }
  begin(key);
  out_ += value;
  out_ += '\n';
}

void FrontmatterText::text(std::string_view key, std::string_view value) {
  begin(key);
  quoted(value);
  out_ += '\n';
}

void FrontmatterText::text_or_null(std::string_view key, std::string_view value) {
  if (!value.empty()) {
    text(key, value);
    return;
  }
  begin(key);
  out_ += "null\n";
}

void FrontmatterText::time(std::string_view key, std::optional<lineage::Timestamp> value) {
  text_or_null(key, value ? lineage::to_string(*value) : "");
}

void FrontmatterText::number(std::string_view key, std::uint64_t value) {
  begin(key);
  out_ += std::to_string(value);
  out_ += '\n';
}

void FrontmatterText::list(std::string_view key, const std::vector<std::string>& items) {
  out_ += key;
  // Signet writes an empty list as a key with nothing behind it.
  out_ += items.empty() && form_ == VaultForm::daybook ? ": []\n" : ":\n";
  for (const std::string& item : items) {
    out_ += "  - ";
    quoted(item);
    out_ += '\n';
  }
}

std::string FrontmatterText::with_body(std::string_view body) && {
  out_ += "---\n";
  out_ += body;
  return std::move(out_);
}

}  // namespace daybook::bench

// SPDX-License-Identifier: MIT
#include "daybook/parse/field_reader.hpp"

#include "daybook/base/printable.hpp"

#include <charconv>

namespace daybook::parse {

using base::quoted;
using lineage::Code;
using lineage::Timestamp;

const Frontmatter::Field* FieldReader::find(std::string_view key) const {
  const auto fields = fields_.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t at = (last_found_ + i) % fields.size();
    if (fields[at].key == key) {
      last_found_ = at;
      return &fields[at];
    }
  }
  return nullptr;
}

std::uint32_t FieldReader::line(std::string_view key) const {
  const auto* field = find(key);
  return field == nullptr ? 1 : field->line;
}

void FieldReader::add(Code code, std::uint32_t line, std::string message) {
  diagnostics_.push_back({code, line, std::move(message)});
}

void FieldReader::missing(std::string_view key, std::uint32_t line, std::string_view state) {
  add(Code::missing_field, line, "Required field " + quoted(key) + std::string(state));
}

void FieldReader::wrong_type(std::string_view key, std::string_view wanted) {
  add(Code::wrong_type, line(key), "Field " + quoted(key) + " must be " + std::string(wanted));
}

/// The field's scalar if it has a value; otherwise nullptr, reported as `presence` demands.
const Scalar* FieldReader::scalar(std::string_view key, Presence presence) {
  const auto* field = find(key);
  if (field == nullptr) {
    if (presence != Presence::optional) {
      missing(key, 1, " is missing");
    }
    return nullptr;
  }
  if (field->is_list) {
    wrong_type(key, "one value, not a list");
    return nullptr;
  }
  if (field->scalar.is_null || field->scalar.text.empty()) {
    if (presence == Presence::value) {
      missing(key, field->line, " has no value");
    }
    return nullptr;
  }
  return &field->scalar;
}

const Frontmatter::Field* FieldReader::list(std::string_view key, Presence presence) {
  const auto* field = find(key);
  if (field == nullptr) {
    if (presence != Presence::optional) {
      missing(key, 1, " is missing");
    }
    return nullptr;
  }
  if (!field->is_list) {
    if (!field->scalar.is_null) {
      wrong_type(key, "a list");
    }
    return nullptr;  // `key:` with nothing is how an empty list is often written
  }
  return field;
}

std::string FieldReader::text(std::string_view key, Presence presence) {
  const Scalar* value = scalar(key, presence);
  return value == nullptr ? std::string() : std::string(value->text);
}

std::optional<Timestamp> FieldReader::timestamp(std::string_view key, Presence presence) {
  const Scalar* value = scalar(key, presence);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto time = lineage::parse_timestamp(value->text);
  if (!time) {
    add(Code::bad_timestamp,
        line(key),
        "Field " + quoted(key) + " is not an RFC 3339 timestamp: " + quoted(value->text));
  }
  return time;
}

std::optional<base::Digest> FieldReader::digest(std::string_view key, Presence presence) {
  const Scalar* value = scalar(key, presence);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto digest = base::digest_from_hex(value->text);
  if (!digest) {
    wrong_type(key, "64 lower-case hexadecimal characters");
  }
  return digest;
}

std::optional<lineage::PathField> FieldReader::path(std::string_view key, Presence presence) {
  const Scalar* value = scalar(key, presence);
  if (value == nullptr) {
    return std::nullopt;
  }
  return lineage::PathField{std::string(value->text), line(key)};
}

std::optional<std::uint64_t> FieldReader::number(std::string_view key,
                                                 Presence presence,
                                                 std::uint64_t most) {
  const Scalar* value = scalar(key, presence);
  if (value == nullptr) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const char* end = value->text.data() + value->text.size();
  const auto [stopped, error] = std::from_chars(value->text.data(), end, number);
  if (error != std::errc() || stopped != end || number > most) {
    wrong_type(key, "a whole number from 0 to " + std::to_string(most));
    return std::nullopt;
  }
  return number;
}

std::vector<lineage::PathField> FieldReader::path_list(std::string_view key, Presence presence) {
  std::vector<lineage::PathField> paths;
  if (const auto* field = list(key, presence)) {
    for (const Scalar& item : fields_.items(*field)) {
      paths.push_back({std::string(item.text), field->line});
    }
  }
  return paths;
}

std::vector<std::string> FieldReader::text_list(std::string_view key, Presence presence) {
  std::vector<std::string> texts;
  if (const auto* field = list(key, presence)) {
    for (const Scalar& item : fields_.items(*field)) {
      texts.emplace_back(item.text);
    }
  }
  return texts;
}

}  // namespace daybook::parse

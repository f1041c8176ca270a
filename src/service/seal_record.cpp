// SPDX-License-Identifier: MIT
#include "service/seal_record.hpp"

#include "daybook/base/keyed_hash.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>

namespace daybook::service {
namespace {

constexpr std::uint64_t kMarkKey = 0x7365'616C'0000'0001;  // stored with every seal: never changes
constexpr std::size_t kMarkSize = 8;

constexpr std::array<std::string_view, 19> kContractFields{"kind",
                                                           "agent_id",
                                                           "session_id",
                                                           "session_key",
                                                           "project",
                                                           "harness",
                                                           "captured_at",
                                                           "started_at",
                                                           "ended_at",
                                                           "manifest_path",
                                                           "source_node_id",
                                                           "content_sha256",
                                                           "hash_scope",
                                                           "sanitizer_version",
                                                           "memory_sentence",
                                                           "memory_sentence_version",
                                                           "memory_sentence_quality",
                                                           "memory_sentence_generated_at",
                                                           "idempotency_key"};

std::uint32_t mark(std::string_view text, std::uint64_t seed = kMarkKey) {
  const std::uint64_t hash = base::keyed_hash(text, seed);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

void append(std::string& out, std::uint32_t number) {
  char bytes[4];
  std::memcpy(bytes, &number, sizeof bytes);
  out.append(bytes, sizeof bytes);
}

std::uint32_t number_at(std::string_view bytes, std::size_t place) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

std::map<std::uint32_t, std::uint32_t> read_marks(std::string_view marks) {
  std::map<std::uint32_t, std::uint32_t> result;
  for (std::size_t at = 0; at + kMarkSize <= marks.size(); at += kMarkSize) {
    result[number_at(marks, at)] = number_at(marks, at + 4);
  }
  return result;
}

std::uint32_t value_mark(const parse::Frontmatter& fields, const parse::Frontmatter::Field& field) {
  if (!field.is_list) {
    return mark(field.scalar.text, kMarkKey + (field.scalar.is_null ? 1 : 2));
  }
  std::uint64_t hash = kMarkKey + 3;
  for (const parse::Scalar& item : fields.items(field)) {
    hash = base::keyed_hash(item.text, hash + (item.is_null ? 1 : 0));
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

std::optional<std::string_view> take(std::string_view& bytes) {
  if (bytes.size() < 4 || bytes.size() - 4 < number_at(bytes, 0)) {
    return std::nullopt;
  }
  const std::string_view part = bytes.substr(4, number_at(bytes, 0));
  bytes.remove_prefix(4 + part.size());
  return part;
}

}  // namespace

std::string field_marks(const parse::Frontmatter& fields) {
  std::string marks;
  marks.reserve(fields.fields().size() * kMarkSize);
  for (const parse::Frontmatter::Field& field : fields.fields()) {
    append(marks, mark(field.key));
    append(marks, value_mark(fields, field));
  }
  return marks;
}

std::string extra_field_names(const parse::Frontmatter& fields) {
  std::string names;
  for (const parse::Frontmatter::Field& field : fields.fields()) {
    if (std::find(kContractFields.begin(), kContractFields.end(), field.key) ==
        kContractFields.end()) {
      names.append(names.empty() ? "" : "\n").append(field.key);
    }
  }
  return names;
}

std::vector<std::string> differing_fields(const SealRecord& before, const SealRecord& after) {
  std::map<std::uint32_t, std::string> names;
  for (const std::string_view name : kContractFields) {
    names.emplace(mark(name), name);
  }
  for (const SealRecord* record : {&before, &after}) {
    std::istringstream lines(record->extra_names);
    for (std::string name; std::getline(lines, name);) {
      names.emplace(mark(name), name);
    }
  }
  const auto old_marks = read_marks(before.marks);
  const auto new_marks = read_marks(after.marks);
  std::vector<std::string> differing;
  const auto compare = [&](const auto& from, const auto& to, bool both) {
    for (const auto& [key, value] : from) {
      const auto other = to.find(key);
      if (other == to.end() || (both && other->second != value)) {
        const auto known = names.find(key);
        differing.push_back(known == names.end() ? "(another field)" : known->second);
      }
    }
  };
  compare(old_marks, new_marks, true);
  compare(new_marks, old_marks, false);
  std::sort(differing.begin(), differing.end());
  differing.erase(std::unique(differing.begin(), differing.end()), differing.end());
  return differing;
}

std::string pack(const SealRecord& record) {
  const std::array parts{&record.marks,
                         &record.extra_names,
                         &record.session.agent_id,
                         &record.session.session_id,
                         &record.session.session_key,
                         &record.session.harness};
  std::size_t size = 0;
  for (const std::string* part : parts) {
    size += 4 + part->size();
  }
  std::string packed;
  packed.reserve(size);
  for (const std::string* part : parts) {
    append(packed, static_cast<std::uint32_t>(part->size()));
    packed.append(*part);
  }
  return packed;
}

std::optional<SealRecord> unpack(std::string_view packed) {
  SealRecord record;
  for (std::string* part : {&record.marks,
                            &record.extra_names,
                            &record.session.agent_id,
                            &record.session.session_id,
                            &record.session.session_key,
                            &record.session.harness}) {
    const auto text = take(packed);
    if (!text) {
      return std::nullopt;
    }
    *part = *text;
  }
  return record;
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "learn/import_record.hpp"

#include "daybook/lineage/artifact.hpp"
#include "learn/bounded_json.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;
using nlohmann::ordered_json;

constexpr int kDeepest = 64;

/// One record of the array; the first thing wrong with it is kept.
class Record {
 public:
  Record(const ordered_json& value, std::size_t number) : value_(value), number_(number) {}

  std::string text(const char* name) {
    const ordered_json* field = find(name);
    if (field == nullptr) {
      return {};
    }
    if (!field->is_string()) {
      fail(std::string("'") + name + "' must be text");
      return {};
    }
    return field->get<std::string>();
  }

  bool has(const char* name) { return find(name) != nullptr; }

  /// A name of a list, as `read` knows it.
  template <typename Value>
  void named(const char* name, std::optional<Value> (*read)(std::string_view), Value& into) {
    const std::string text_there = text(name);
    if (text_there.empty()) {
      return;
    }
    if (const auto value = read(text_there)) {
      into = *value;
    } else {
      fail(std::string("'") + name + "' is not one that is known here");
    }
  }

  std::optional<lineage::Timestamp> time(const char* name) {
    const std::string text_there = text(name);
    if (text_there.empty()) {
      return std::nullopt;
    }
    const auto time = lineage::parse_timestamp(text_there);
    if (!time) {
      fail(std::string("'") + name + "' is no RFC 3339 time");
    }
    return time;
  }

  std::optional<std::uint64_t> number(const char* name, std::uint64_t most) {
    const ordered_json* field = find(name);
    if (field == nullptr) {
      return std::nullopt;
    }
    if (!field->is_number_unsigned() || field->get<std::uint64_t>() > most) {
      fail(std::string("'") + name + "' must be a whole number");
      return std::nullopt;
    }
    return field->get<std::uint64_t>();
  }

  std::string metadata() {
    const ordered_json* field = find("metadata");
    if (field == nullptr) {
      return {};
    }
    if (!field->is_object()) {
      fail("'metadata' must be an object or null");
      return {};
    }
    return field->dump();
  }

  void fail(const std::string& why) {
    if (!error_) {
      error_ = Error{ErrorKind::usage,
                     "record " + std::to_string(number_) + " cannot be imported: " + why,
                     {},
                     "Nothing was written. Correct it, then import again."};
    }
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const ordered_json* find(const char* name) {
    if (!value_.is_object()) {
      fail("it is no object");
      return nullptr;
    }
    const auto found = value_.find(name);
    return found == value_.end() || found->is_null() ? nullptr : &*found;
  }

  const ordered_json& value_;
  std::size_t number_;
  std::optional<Error> error_;
};

void read_kind(Record& record, Learning& learning) {
  lineage::MemoryType type = lineage::MemoryType::semantic;
  record.named("memory_type", lineage::memory_type_from_string, type);
  learning.kind = type == lineage::MemoryType::episodic     ? lineage::LearningKind::episode
                  : type == lineage::MemoryType::procedural ? lineage::LearningKind::procedure
                                                            : lineage::LearningKind::fact;
  record.named("learning_kind", lineage::learning_kind_from_string, learning.kind);
  if (record.has("memory_type") && lineage::memory_type_of(learning.kind) != type) {
    record.fail("'learning_kind' does not belong to its 'memory_type'");
  }
}

/// What is not said is as of a note that is made now.
void read_history(Record& record, Learning& learning, lineage::Timestamp now) {
  learning.created_at = record.time("created_at").value_or(now);
  learning.updated_at = record.time("updated_at").value_or(now);
  learning.expires_at = record.time("expires_at");
  learning.revision = record.number("revision", lineage::kMostRevision).value_or(1);
  learning.revoked_at = record.time("revoked_at");
  learning.revoked_reason = record.text("revoked_reason");
}

/// As the record says it; guarded later.
Learning read_learning(Record& record, const std::string& agent_id, lineage::Timestamp now) {
  Learning learning;
  read_kind(record, learning);
  learning.content = record.text("content");
  learning.category = record.text("category");
  learning.metadata = record.metadata();
  read_history(record, learning, now);
  const std::string agent = record.text("agent_id");
  learning.agent_id = !agent_id.empty() ? agent_id : agent.empty() ? "default" : agent;
  if (!lineage::is_valid_agent_id(learning.agent_id)) {
    record.fail("'agent_id' is not valid");
  }
  if (const std::string scope = record.text("scope"); !scope.empty()) {
    const auto known = lineage::learning_scope_from_string(scope);
    known ? void(learning.scope = *known)
          : record.fail("'scope' must be workspace:default, project:PATH or session:KEY");
  }
  record.named("status", lineage::learning_status_from_string, learning.status);
  learning.tier = learning.status == lineage::LearningStatus::provisional
                      ? lineage::PublishTier::provisional
                      : lineage::PublishTier::active;
  record.named("origin", lineage::learning_origin_from_string, learning.origin);
  if (learning.origin == lineage::LearningOrigin::daemon) {
    learning.origin = lineage::LearningOrigin::api;  // nobody can vouch for it here
  }
  record.named("sensitivity", lineage::sensitivity_from_string, learning.sensitivity);
  // An id of another program's means nothing here.
  const std::uint64_t id = record.number("id", lineage::kMostLearningId).value_or(0);
  learning.id = record.has("learning_kind") ? id : 0;
  return learning;
}

}  // namespace

Result<std::vector<ImportRecord>> read_import(std::string_view json,
                                              const std::string& agent_id,
                                              lineage::Timestamp now) {
  const auto array = parse_bounded<ordered_json>(json, kDeepest);
  if (!array.is_array()) {
    return Error{
        ErrorKind::usage,
        "what is to be imported is no JSON array, or one that is nested too deep or has an "
        "object with more than " +
            std::to_string(kMostMembers) + " members",
        {},
        "'daybook learnings export' writes one."};
  }
  std::vector<ImportRecord> records;
  for (std::size_t i = 0; i < array.size(); ++i) {
    Record record(array[i], i);
    Learning learning = read_learning(record, agent_id, now);
    if (record.error()) {
      return *record.error();
    }
    records.push_back({std::move(learning), i});
  }
  return records;
}

}  // namespace daybook::learn

// SPDX-License-Identifier: MIT
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "learn/agent_names.hpp"
#include "learn/archive.hpp"
#include "learn/bounded_json.hpp"
#include "learn/judgement.hpp"
#include "learn/keeping.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;
using nlohmann::ordered_json;

constexpr int kDeepest = 64;

ordered_json time_or_null(const std::optional<lineage::Timestamp>& time) {
  return time ? ordered_json(lineage::to_string(*time)) : ordered_json(nullptr);
}

ordered_json json_of(const Learning& learning) {
  ordered_json metadata = ordered_json::parse(learning.metadata, nullptr, false);
  return {{"id", learning.id},
          {"content", learning.content},
          {"category", learning.category},
          {"created_at", lineage::to_string(learning.created_at)},
          {"memory_type", to_string(lineage::memory_type_of(learning.kind))},
          {"metadata", metadata.is_object() ? std::move(metadata) : ordered_json(nullptr)},
          {"learning_kind", to_string(learning.kind)},
          {"agent_id", learning.agent_id},
          {"scope", lineage::to_string(learning.scope)},
          {"status", to_string(learning.status)},
          {"origin", to_string(learning.origin)},
          {"sensitivity", to_string(learning.sensitivity)},
          {"expires_at", time_or_null(learning.expires_at)}};
}

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

  std::uint64_t id() {
    const ordered_json* field = find("id");
    if (field == nullptr) {
      return 0;
    }
    const bool fits =
        field->is_number_unsigned() && field->get<std::uint64_t>() <= lineage::kMostLearningId;
    if (!fits) {
      fail("'id' must be a whole number");
      return 0;
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

struct Wanted {
  Learning learning;
  std::size_t number = 0;
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

/// As the record says it; guarded later.
Learning read_learning(Record& record, const std::string& agent_id, lineage::Timestamp now) {
  Learning learning;
  read_kind(record, learning);
  learning.content = record.text("content");
  learning.category = record.text("category");
  learning.metadata = record.metadata();
  learning.created_at = record.time("created_at").value_or(now);
  learning.updated_at = now;
  learning.expires_at = record.time("expires_at");
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
  const std::uint64_t id = record.id();
  learning.id = record.has("learning_kind") ? id : 0;
  return learning;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

Result<std::vector<Wanted>> read_records(const Desk& desk,
                                         const std::string& agent_id,
                                         std::string_view json,
                                         Imported& report) {
  const auto array = parse_bounded<ordered_json>(json, kDeepest);
  if (!array.is_array()) {
    return Error{ErrorKind::usage,
                 "what is to be imported is no JSON array",
                 {},
                 "'daybook learnings export' writes one."};
  }
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < array.size(); ++i) {
    Record record(array[i], i);
    Learning learning = read_learning(record, agent_id, desk.now);
    if (record.error()) {
      return *record.error();
    }
    if (is_blank(learning.content)) {
      ++report.blank;
    } else {
      wanted.push_back({std::move(learning), i});
    }
  }
  return wanted;
}

/// What the guard refuses is told and left out; the others are taken.
Result<void> judge(const Desk& desk, std::vector<Wanted>& wanted, Imported& report) {
  TRY_ASSIGN(const auto literals, literals_of(desk));
  TRY_ASSIGN(auto names, AgentNames::known(desk));
  std::erase_if(wanted, [&](Wanted& one) {
    Learning& learning = one.learning;
    const auto refuse = [&](const std::string& why) {
      report.refused.push_back("record " + std::to_string(one.number) + ": " + why);
      return true;
    };
    auto content = storable_content(learning.content, literals);
    auto metadata = storable_metadata(learning.metadata, literals);
    auto category = storable_category(learning.category, literals);
    const auto scope = storable_scope(learning.scope, literals);
    const lineage::MemoryType type = lineage::memory_type_of(learning.kind);
    if (!content || !metadata || !category || !scope) {
      return refuse(!content    ? content.error().message
                    : !metadata ? metadata.error().message
                    : !category ? category.error().message
                                : scope.error().message);
    }
    if (const auto named = names.check(learning.agent_id); !named) {
      return refuse(named.error().message);
    }
    if (!limit_of(desk.config, type).enabled) {
      return refuse(section_of(type) + ".enabled is false");
    }
    learning.content = std::move(*content);
    learning.metadata = std::move(*metadata);
    learning.category = std::move(*category);
    return false;
  });
  return {};
}

/// What is there already, so that nothing is imported twice.
class Known {
 public:
  Known(const std::vector<Shelved>& notes, lineage::Timestamp now) : now_(now) {
    for (const Shelved& shelved : notes) {
      if (shelved.valid) {
        add(shelved.note.learning);
      }
    }
  }

  void add(const Learning& learning) {
    said_.insert(key_of(learning, word_of(learning)));
    ids_.insert(learning.id);
  }

  /// By a note that lives, as when it is remembered by itself; of one that was put away here only
  /// the same is known, so that an own export can be taken twice.
  bool says(const Learning& learning) const {
    return said_.contains(key_of(learning, kLives)) ||
           said_.contains(key_of(learning, word_of(learning)));
  }
  bool has_id(std::uint64_t id) const { return ids_.contains(id); }

 private:
  static constexpr std::string_view kLives = "lives";

  std::string_view word_of(const Learning& learning) const {
    return is_live(learning, now_) ? kLives : to_string(learning.status);
  }

  static std::string key_of(const Learning& learning, std::string_view standing) {
    return std::string(standing) + "\n" + learning.agent_id + "\n" +
           std::string(to_string(learning.kind)) + "\n" + lineage::to_string(learning.scope) +
           "\n" + learning.content;
  }

  lineage::Timestamp now_;
  std::set<std::string> said_;
  std::set<std::uint64_t> ids_;
};

Result<void> take(
    const Desk& desk, Shelf& shelf, std::vector<Wanted>& wanted, Apply apply, Imported& report) {
  TRY_ASSIGN(const auto there, shelf.read_all());
  Known known(there, desk.now);
  std::set<std::pair<std::string, lineage::MemoryType>> touched;
  std::vector<Learning> taken;
  for (Wanted& one : wanted) {
    Learning& learning = one.learning;
    if (known.says(learning)) {
      ++report.known;
      continue;
    }
    if (is_forgotten(shelf.removals(), learning.agent_id, learning.id, learning.content)) {
      ++report.forgotten;
      continue;
    }
    // Under an id that was revoked here it would be dead at once.
    const bool dead = learning.status != lineage::LearningStatus::revoked &&
                      shelf.removals().revokes_learning(learning.id, learning.agent_id);
    if (dead || known.has_id(learning.id) || !shelf.take_id(learning.id)) {
      learning.id = 0;
    }
    ++report.written;
    known.add(learning);
    touched.emplace(learning.agent_id, lineage::memory_type_of(learning.kind));
    taken.push_back(std::move(learning));
  }
  if (apply == Apply::yes) {
    TRY(keep(desk, shelf, std::move(taken), report.change));
    for (const auto& [agent, type] : touched) {
      archive_surplus(desk, agent, type, {}, report.change);
    }
  }
  return {};
}

}  // namespace

std::string to_json(const std::vector<Note>& notes) {
  ordered_json array = ordered_json::array();
  for (const Note& note : notes) {
    array.push_back(json_of(note.learning));
  }
  return array.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<Imported> import(const Desk& desk,
                        const std::string& agent_id,
                        std::string_view json,
                        Apply apply) {
  Imported report;
  TRY_ASSIGN(auto wanted, read_records(desk, agent_id, json, report));
  TRY(judge(desk, wanted, report));
  std::set<std::string> agents;
  for (const Wanted& one : wanted) {
    agents.insert(one.learning.agent_id);
  }
  std::vector<canon::SessionLock> locks;  // in the order of the names, which is everybody's
  for (const std::string& agent : agents) {
    TRY_ASSIGN(auto lock, lock_agent(desk, agent));
    locks.push_back(std::move(lock));
  }
  TRY_ASSIGN(Shelf shelf, Shelf::open(desk));
  TRY(take(desk, shelf, wanted, apply, report));
  return report;
}

}  // namespace daybook::learn

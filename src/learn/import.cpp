// SPDX-License-Identifier: MIT
#include "daybook/learn/learn.hpp"
#include "learn/agent_names.hpp"
#include "learn/archive.hpp"
#include "learn/import_record.hpp"
#include "learn/judgement.hpp"
#include "learn/keeping.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Nothing is said by them, so nothing is lost.
void leave_out_blank(std::vector<ImportRecord>& wanted, Imported& report) {
  report.blank +=
      std::erase_if(wanted, [](const ImportRecord& one) { return is_blank(one.learning.content); });
}

/// All of its texts, in the form in which they are kept.
Result<void> make_storable(Learning& learning, const std::vector<std::string>& literals) {
  TRY_ASSIGN(learning.content, storable_content(learning.content, literals));
  TRY_ASSIGN(learning.metadata, storable_metadata(learning.metadata, literals));
  TRY_ASSIGN(learning.category, storable_category(learning.category, literals));
  TRY_ASSIGN(learning.revoked_reason, cut_reason(learning.revoked_reason, literals));
  return storable_scope(learning.scope, literals);
}

/// What the guard refuses is told and left out; the others are taken.
Result<void> judge(const Desk& desk, std::vector<ImportRecord>& wanted, Imported& report) {
  TRY_ASSIGN(const auto literals, literals_of(desk));
  TRY_ASSIGN(auto names, AgentNames::known(desk));
  std::erase_if(wanted, [&](ImportRecord& one) {
    const auto refuse = [&](const std::string& why) {
      report.refused.push_back("record " + std::to_string(one.number) + ": " + why);
      return true;
    };
    if (const auto storable = make_storable(one.learning, literals); !storable) {
      return refuse(storable.error().message);
    }
    if (const auto named = names.check(one.learning.agent_id); !named) {
      return refuse(named.error().message);
    }
    const lineage::MemoryType type = lineage::memory_type_of(one.learning.kind);
    if (!limit_of(desk.config, type).enabled) {
      return refuse(section_of(type) + ".enabled is false");
    }
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

Result<void> take(const Desk& desk,
                  Shelf& shelf,
                  std::vector<ImportRecord>& wanted,
                  Apply apply,
                  Imported& report) {
  TRY_ASSIGN(const auto there, shelf.read_all());
  Known known(there, desk.now);
  std::set<std::pair<std::string, lineage::MemoryType>> touched;
  std::vector<Learning> taken;
  for (ImportRecord& one : wanted) {
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

Result<Imported> import(const Desk& desk,
                        const std::string& agent_id,
                        std::string_view json,
                        Apply apply) {
  Imported report;
  TRY_ASSIGN(auto wanted, read_import(json, agent_id, desk.now));
  leave_out_blank(wanted, report);
  TRY(judge(desk, wanted, report));
  std::set<std::string> agents;
  for (const ImportRecord& one : wanted) {
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

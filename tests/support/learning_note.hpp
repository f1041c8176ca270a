// SPDX-License-Identifier: MIT
//
// Learning notes and their tombstones as text, written without the code that the tests are about.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/learning.hpp"

#include <map>
#include <string>

namespace daybook::support {

struct LearningNote {
  std::uint64_t id = 1;
  std::string content = "Tides are told in UTC.";
  std::map<std::string, std::string> fields{{"learning_kind", "fact"}};

  [[nodiscard]] std::string path() const {
    return "memory/learnings/" + std::to_string(id) + "-note.md";
  }
  [[nodiscard]] std::string text() const {
    std::string text = "---\nkind: learning\nlearning_id: " + std::to_string(id) + "\n";
    for (const auto& [key, value] : fields) {
      text.append(key).append(": ").append(value).append("\n");
    }
    return text.append("---\n\n").append(content).append("\n");
  }
};

/// `scope`: learning or revocation.
struct LearningTombstone {
  std::uint64_t id = 1;
  std::string scope = "learning";
  std::string agent = "default";
  std::string body;  ///< whose hash it lists
  std::string removed_at = "2026-03-30T10:00:00.000Z";
  std::string said = {};  ///< whose hash it lists as that of what a note says

  [[nodiscard]] std::string path() const {
    std::string time = removed_at;
    for (char& c : time) {
      c = c == ':' ? '-' : c;
    }
    return "memory/" + time + "--" + lineage::learning_token(agent, id).to_string() +
           "--tombstone.md";
  }
  [[nodiscard]] std::string text() const {
    return "---\nkind: tombstone\nagent_id: " + agent +
           "\nsession_token: " + lineage::learning_token(agent, id).to_string() +
           "\nremoved_at: " + removed_at + "\nreason: gone stale\nscope: " + scope +
           "\nlearning_id: " + std::to_string(id) + "\nremoved_paths: []\n" +
           (body.empty() ? "" : "removed_sha256:\n  - " + base::to_hex(base::sha256(body)) + "\n") +
           (said.empty() ? "" : "removed_sha256:\n  - " + said_hash() + "\n") + "---\n";
  }
  [[nodiscard]] std::string said_hash() const {
    return base::to_hex(base::sha256("daybook learning\n" + base::to_hex(base::sha256(said))));
  }
};

}  // namespace daybook::support

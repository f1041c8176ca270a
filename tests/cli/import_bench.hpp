// SPDX-License-Identifier: MIT
//
// An empty vault, a made history of two harnesses beside it, and the built program that imports the
// one into the other, at a time that stands still.
#pragma once

#include "cli/daybook_program.hpp"
#include "daybook/base/sha256.hpp"
#include "support/check_answer.hpp"
#include "support/made_history.hpp"
#include "support/temp_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace daybook::test {

/// Small sessions, so that many of them take no time.
inline support::HistoryPlan small_plan(std::size_t files) {
  support::HistoryPlan plan;
  plan.files = files;
  plan.turns = 3;
  plan.result_bytes = 80;
  plan.huge_every = 100;
  plan.huge_bytes = 100'000;
  return plan;
}

inline std::size_t count_kind(const std::vector<std::string>& names, const std::string& kind) {
  return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&kind](const auto& n) {
    return n.ends_with("--" + kind + ".md");
  }));
}

/// One line of a person and one of the assistant, as Claude Code writes them.
inline std::string lines(const std::string& id, const std::string& day, const std::string& words) {
  const auto line = [&](const std::string& who, const std::string& second) {
    return "{\"type\":\"" + who + "\",\"sessionId\":" + support::json_quoted(id) +
           ",\"cwd\":\"/home/nina/boats\",\"timestamp\":\"2026-03-" + day + "T10:00:" + second +
           ".000Z\",\"message\":{\"role\":\"" + who +
           "\",\"content\":" + support::json_quoted(words + " (" + who + ")") + "}}\n";
  };
  return line("user", "01") + line("assistant", "02");
}

class ImportBench {
 public:
  ImportBench() { place_.make_folder("vault/memory"); }
  explicit ImportBench(const support::HistoryPlan& plan) : ImportBench() {
    made_ = support::make_history(place_.at("history"), plan);
  }

  const support::TempFolder& place() const { return place_; }
  void set_now(const std::string& time) { now_ = time; }
  const std::vector<support::MadeSession>& made() const { return made_; }
  std::string claude() const { return place_.at("history/claude"); }
  std::string codex() const { return place_.at("history/codex"); }

  std::vector<support::MadeSession> made_by(std::string_view harness) const {
    std::vector<support::MadeSession> some;
    std::copy_if(made_.begin(), made_.end(), std::back_inserter(some), [harness](const auto& one) {
      return one.harness == harness;
    });
    return some;
  }

  support::Program program(std::vector<std::string> arguments) const {
    std::vector<std::string> all{
        "--workspace", place_.at("vault"), "--state-dir", place_.at("state"), "--now", now_};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return daybook(std::move(all));
  }

  support::ProgramOutcome run(std::vector<std::string> arguments) const {
    return support::run(program(std::move(arguments)));
  }

  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "--json");
    const auto outcome = run(std::move(arguments));
    return nlohmann::json::parse(outcome.out.empty() ? "{}" : outcome.out);
  }

  /// What `check` finds, as text; empty: nothing.
  std::string findings() const {
    const auto answer = support::read_check_answer(run({"--json", "check"}).out);
    return answer.findings.empty() ? std::string() : answer.to_text();
  }

  std::vector<std::string> memory_names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(place_.at("vault/memory"))) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Name -> inode, time of last change and size: what any writing would alter.
  std::map<std::string, std::string> memory_stats() const {
    std::map<std::string, std::string> stats;
    for (const std::string& name : memory_names()) {
      struct stat raw {};
      ::lstat(place_.at("vault/memory/" + name).c_str(), &raw);
      stats[name] = std::to_string(raw.st_ino) + " " + std::to_string(raw.st_mtim.tv_sec) + "." +
                    std::to_string(raw.st_mtim.tv_nsec) + " " +
                    std::to_string(raw.st_ctim.tv_nsec) + " " + std::to_string(raw.st_size);
    }
    return stats;
  }

  /// Name -> text, without what belongs to a device or comes with a publication.
  std::map<std::string, std::string> memory_texts() const {
    std::map<std::string, std::string> texts;
    for (const std::string& name : memory_names()) {
      texts[name] = without_device(place_.read("vault/memory/" + name));
    }
    return texts;
  }

  /// The one file of that kind whose frontmatter names the session; empty: none.
  std::string file_of(const std::string& session_id, const std::string& kind) const {
    const std::string wanted = "\nsession_id: " + support::json_quoted(session_id) + "\n";
    // An id that looks as if it held a password is kept as a hash of itself.
    const std::string hidden =
        "\nsession_id: \"redacted-" + base::to_hex(base::sha256(session_id)).substr(0, 16) + "\"\n";
    for (const std::string& name : memory_names()) {
      const std::string text =
          name.ends_with("--" + kind + ".md") ? place_.read("vault/memory/" + name) : "";
      if (text.find(wanted) != std::string::npos || text.find(hidden) != std::string::npos) {
        return "memory/" + name;
      }
    }
    return {};
  }

 private:
  static std::string without_device(const std::string& text) {
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      const std::string line = text.substr(at, end - at);
      if (!line.starts_with("device: ") && !line.starts_with("revision: ") &&
          !line.starts_with("updated_at: ")) {
        kept += line;
      }
      at = end;
    }
    return kept;
  }

  support::TempFolder place_;
  std::vector<support::MadeSession> made_;
  std::string now_ = "2027-01-01T00:00:00Z";
};

}  // namespace daybook::test

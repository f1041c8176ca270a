// SPDX-License-Identifier: MIT
//
// A vault with a little of everything that the commands which look at the memory must tell apart,
// indexed or not, with a state folder of its own and a clock that stands still. The same session
// key belongs to two agents.
#pragma once

#include "cli/daybook_program.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::test {

class MemoryVault {
 public:
  MemoryVault() {
    place_.make_folder("vault/memory");
    write("default", "key-1", "2026-03-28T22:34:06.792Z", "heron", "/home/dev/tidewater");
    write("other", "key-1", "2026-03-27T10:00:00.000Z", "walrus", "/home/dev/quillmark");
    write("default", "scratch", "2026-03-26T10:00:00.000Z", "gecko", "/tmp/scratch");
    write("default", "old", "2026-01-05T10:00:00.000Z", "bison", "/home/dev/tidewater");
    write("default", "ahead", "2026-05-05T10:00:00.000Z", "ibis", "/home/dev/tidewater");
  }

  /// A session whose summary alone names that word.
  support::SessionFiles session(const std::string& agent,
                                const std::string& key,
                                const std::string& time,
                                const std::string& word,
                                const std::string& project) const {
    support::SessionFiles files(agent, key, time, "run-" + agent + "-" + key);
    files.set_everywhere("project", support::json_quoted(project));
    files.summary.body = "# About the " + word + "\n\nThe " + word + " was seen in src/a.cpp.\n";
    files.summary.fields.set_text("memory_sentence",
                                  "Watched the animal " + key + " of " + agent +
                                      " near src/gauge/import.cpp until it left the river bank "
                                      "again in the late evening.");
    return files;
  }

  void write(const std::string& agent,
             const std::string& key,
             const std::string& time,
             const std::string& word,
             const std::string& project) const {
    session(agent, key, time, word, project).write(place_, "vault");
  }

  support::Program program(std::vector<std::string> arguments) const {
    return daybook(support::on_vault(place_.at("vault"), place_.at("state"), arguments));
  }

  support::ProgramOutcome run(std::vector<std::string> arguments) const {
    return support::run(program(std::move(arguments)));
  }

  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "--json");
    return nlohmann::json::parse(run(std::move(arguments)).out);
  }

  void index() const { run({"reindex"}); }

  const support::TempFolder& place() const { return place_; }

 private:
  support::TempFolder place_;
};

inline std::string token_of(std::string_view agent, std::string_view key) {
  return support::SessionFiles(agent, key, "2026-03-28T22:34:06.792Z").token();
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace daybook::test

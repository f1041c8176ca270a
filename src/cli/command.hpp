// SPDX-License-Identifier: MIT
//
// How a command joins the program: a function that adds its options to the parser and sets what is
// to be run when the command was given. One file a command.
//
// The parser is CLI11, whose headers take longer to compile than any command: only command.cpp and
// app.cpp know it.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace daybook::cli {

/// Set by the command that was given; returns the exit code.
using Run = std::function<int(const Settings&)>;

/// Takes what was given for an option; of its error the message is shown.
using Taker = std::function<Result<void>(const std::string&)>;

/// Says what is wrong with an argument; empty: nothing.
using Judge = std::function<std::string(const std::string&)>;

enum class Need : std::uint8_t { optional, required };

/// As the help text tells of it; descriptions are their first line, without the full stop.
struct OptionFacts {
  std::string name;  ///< with its dashes
  std::string description;
  std::string value_name;  ///< empty for a flag
};

struct CommandFacts {
  std::string name;
  std::string description;
  std::vector<OptionFacts> options;
  std::vector<CommandFacts> commands;
};

/// A flag that was added: only a handle.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}

  void excludes(const Flag& other) const;
  void needs(const Flag& other) const;

 private:
  CLI::Option* option_;
};

/// The program or one of its commands: only a handle. What is filled by reference has to live until
/// the arguments are parsed.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// A command of this one; its description is the summary, and `more` right behind it.
  Command add(const std::string& name,
              const std::string& summary,
              const std::string& more = {}) const;

  Flag flag(const std::string& names, bool& given, const std::string& help) const;

  void option(const std::string& names,
              const std::string& value_name,
              std::string& value,
              const std::string& help) const;
  void option(const std::string& names,
              const std::string& value_name,
              const Taker& take,
              const std::string& help) const;
  /// May be given again; each value is taken.
  void repeated_option(const std::string& names,
                       const std::string& value_name,
                       const Taker& take,
                       const std::string& help) const;

  void argument(const std::string& name,
                std::string& value,
                const std::string& help,
                Need need,
                const Judge& judge = {}) const;
  void arguments(const std::string& name,
                 std::vector<std::string>& values,
                 const std::string& help,
                 Need need) const;

  /// Called when all arguments are understood and this command is among them.
  void when_given(const std::function<void()>& call) const;

  bool was_given(const std::string& option) const;

  CommandFacts facts() const;

 private:
  CLI::App* app_;
};

void add_capture(const Command& program, Run& run);
void add_check(const Command& program, Run& run);
void add_watch(const Command& program, Run& run);
void add_reindex(const Command& program, Run& run);
void add_remove(const Command& program, Run& run);
void add_unremove(const Command& program, Run& run);
void add_accept(const Command& program, Run& run);
void add_conflicts(const Command& program, Run& run);
void add_render(const Command& program, Run& run);
void add_status(const Command& program, Run& run);
void add_doctor(const Command& program, Run& run);
void add_log(const Command& program, Run& run);
void add_show(const Command& program, Run& run);
void add_open(const Command& program, Run& run);
void add_search(const Command& program, Run& run);
void add_recall(const Command& program, Run& run);
void add_context(const Command& program, Run& run);
void add_policy(const Command& program, Run& run);
void add_learnings(const Command& program, Run& run);
void add_mcp(const Command& program, Run& run);
void add_links(const Command& program, Run& run);
void add_sanitize(const Command& program, Run& run);
void add_service(const Command& program, Run& run);
void add_config(const Command& program, Run& run);
void add_hook(const Command& program, Run& run);
void add_import(const Command& program, Run& run);
void add_init(const Command& program, Run& run);
void add_completion(const Command& program, Run& run);

/// The part of `capture` that empties the spool.
void add_drain(const Command& capture, Run& run);

/// Whether a harness calls its hook: then nothing may stand in its way, not even a wrong option.
bool is_hook_call(int argc, const char* const* argv);

}  // namespace daybook::cli

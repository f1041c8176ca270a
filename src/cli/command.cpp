// SPDX-License-Identifier: MIT
#include "cli/command.hpp"

#include <CLI/CLI.hpp>

namespace daybook::cli {
namespace {

/// CLI11 is told of a mistake by an exception, which ends in app.cpp.
void hand_over(const Taker& take, const std::string& value) {
  if (const auto taken = take(value); !taken) {
    throw CLI::ValidationError(taken.error().message);
  }
}

std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.ends_with('.')) {
    line.pop_back();
  }
  return line;
}

CommandFacts facts_of(const CLI::App& app) {
  CommandFacts facts{app.get_name(), first_line(app.get_description()), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      facts.options.push_back(
          {"--" + name, first_line(option->get_description()), option->get_option_text()});
    }
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    facts.commands.push_back(facts_of(*command));
  }
  return facts;
}

}  // namespace

void Flag::excludes(const Flag& other) const { option_->excludes(other.option_); }
void Flag::needs(const Flag& other) const { option_->needs(other.option_); }

Command Command::add(const std::string& name,
                     const std::string& summary,
                     const std::string& more) const {
  return Command(*app_->add_subcommand(name, summary + more));
}

Flag Command::flag(const std::string& names, bool& given, const std::string& help) const {
  return Flag(app_->add_flag(names, given, help));
}

void Command::option(const std::string& names,
                     const std::string& value_name,
                     std::string& value,
                     const std::string& help) const {
  app_->add_option(names, value, help)->option_text(value_name);
}

void Command::option(const std::string& names,
                     const std::string& value_name,
                     const Taker& take,
                     const std::string& help) const {
  const auto take_value = [take](const std::string& value) { hand_over(take, value); };
  app_->add_option_function<std::string>(names, take_value, help)->option_text(value_name);
}

void Command::repeated_option(const std::string& names,
                              const std::string& value_name,
                              const Taker& take,
                              const std::string& help) const {
  const auto take_values = [take](const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      hand_over(take, value);
    }
  };
  app_->add_option_function<std::vector<std::string>>(names, take_values, help)
      ->option_text(value_name)
      ->expected(1)
      ->take_all();
}

void Command::argument(const std::string& name,
                       std::string& value,
                       const std::string& help,
                       Need need,
                       const Judge& judge) const {
  CLI::Option* option = app_->add_option(name, value, help)->required(need == Need::required);
  if (judge) {
    option->check(judge);
  }
}

void Command::arguments(const std::string& name,
                        std::vector<std::string>& values,
                        const std::string& help,
                        Need need) const {
  app_->add_option(name, values, help)->required(need == Need::required);
}

void Command::when_given(const std::function<void()>& call) const { app_->callback(call); }

bool Command::was_given(const std::string& option) const { return app_->count(option) > 0; }

CommandFacts Command::facts() const { return facts_of(*app_); }

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
//
// `daybook completion bash|zsh|fish`: made from the parser itself, so that it never lags behind.
#include "cli/command.hpp"
#include "cli/terminal.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace daybook::cli {
namespace {

bool takes_folder(const OptionFacts& option) { return option.value_name == "DIR"; }

/// The words that an argument may be, for those that have only a few.
std::string choices_for(const OptionFacts& option) {
  static const std::map<std::string, std::string> choices{
      {"FORMAT", "human json gcc sarif"},
      {"KIND", "summary transcript compaction manifest"},
      {"LEVEL", "error warning info"},
      {"WHEN", "auto always never"}};
  const auto found = choices.find(option.value_name);
  return found == choices.end() ? std::string() : found->second;
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

template <typename Items>
std::string names_of(const Items& items, std::string_view separator) {
  std::string text;
  for (const auto& item : items) {
    text.append(text.empty() ? std::string_view{} : separator).append(item.name);
  }
  return text;
}

/// Options of the program and of all its commands that take an argument, each once.
std::vector<OptionFacts> options_with_argument(const CommandFacts& program) {
  std::map<std::string, OptionFacts> by_name;
  const auto add = [&by_name](const std::vector<OptionFacts>& options) {
    for (const OptionFacts& option : options) {
      if (!option.value_name.empty()) {
        by_name.emplace(option.name, option);
      }
    }
  };
  add(program.options);
  for (const CommandFacts& command : program.commands) {
    add(command.options);
  }
  std::vector<OptionFacts> options;
  options.reserve(by_name.size());
  for (auto& [name, option] : by_name) {
    options.push_back(std::move(option));
  }
  return options;
}

std::string bash(const CommandFacts& program) {
  const auto with_argument = options_with_argument(program);
  std::string arguments;
  for (const OptionFacts& option : with_argument) {
    const std::string choices = choices_for(option);
    const std::string generate = takes_folder(option) ? "-d"
                                 : choices.empty()    ? "-W ''"
                                                      : "-W " + shell_quoted(choices);
    arguments += "    " + option.name + ") COMPREPLY=($(compgen " + generate +
                 " -- \"$word\")); return ;;\n";
  }
  std::string cases;
  for (const CommandFacts& command : program.commands) {
    cases += "    " + command.name + ") options+=' " + names_of(command.options, " ") + "' ;;\n";
  }
  return "# bash completion for daybook; load with: source <(daybook completion bash)\n"
         "_daybook() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} command= i\n"
         "  local options=" +
         shell_quoted(names_of(program.options, " ")) +
         "\n"
         "  case ${COMP_WORDS[COMP_CWORD-1]} in\n" +
         arguments +
         "  esac\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case ${COMP_WORDS[i]} in\n"
         "      " +
         names_of(with_argument, "|") +
         ") ((i++)) ;;\n"
         "      " +
         names_of(program.commands, "|") +
         ") command=${COMP_WORDS[i]}; break ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  elif [[ -z $command ]]; then COMPREPLY=($(compgen -W " +
         shell_quoted(names_of(program.commands, " ")) +
         " -- \"$word\"))\n"
         "  elif [[ $command == completion ]]; then\n"
         "    COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\"))\n"
         "  elif [[ $command == config ]]; then\n"
         "    COMPREPLY=($(compgen -W 'show check' -- \"$word\"))\n"
         "  elif [[ $command == conflicts ]]; then\n"
         "    COMPREPLY=($(compgen -W 'list resolve' -- \"$word\"))\n"
         "  else COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _daybook daybook\n";
}

template <typename Items>
std::string zsh_items(const Items& items) {
  std::string text;
  for (const auto& item : items) {
    text += " " + shell_quoted(item.name + ":" + item.description);
  }
  return text;
}

std::string zsh(const CommandFacts& program) {
  const auto with_argument = options_with_argument(program);
  std::string arguments;
  for (const OptionFacts& option : with_argument) {
    const std::string choices = choices_for(option);
    arguments += "    " + option.name + ") " +
                 (takes_folder(option) ? "_files -/" : "compadd -- " + choices) + "; return ;;\n";
  }
  std::string cases;
  for (const CommandFacts& command : program.commands) {
    cases += "    " + command.name + ") options+=(" + zsh_items(command.options) + " ) ;;\n";
  }
  return "#compdef daybook\n"
         "# zsh completion for daybook; load with: source <(daybook completion zsh)\n"
         "_daybook() {\n"
         "  local -a commands options\n"
         "  local command= i\n"
         "  commands=(" +
         zsh_items(program.commands) + " )\n  options=(" + zsh_items(program.options) +
         " )\n"
         "  case ${words[CURRENT-1]} in\n" +
         arguments +
         "  esac\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    case ${words[i]} in\n"
         "      " +
         names_of(with_argument, "|") +
         ") ((i++)) ;;\n"
         "      " +
         names_of(program.commands, "|") +
         ") command=${words[i]}; break ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  if [[ ${words[CURRENT]} == -* ]]; then _describe option options\n"
         "  elif [[ -z $command ]]; then _describe command commands\n"
         "  elif [[ $command == completion ]]; then compadd bash zsh fish\n"
         "  elif [[ $command == config ]]; then compadd show check\n"
         "  elif [[ $command == conflicts ]]; then compadd list resolve\n"
         "  else _files\n"
         "  fi\n"
         "}\n"
         "compdef _daybook daybook\n";
}

std::string fish_option(const OptionFacts& option, const std::string& condition) {
  std::string line = "complete -c daybook" + condition + " -l " + option.name.substr(2) + " -d " +
                     shell_quoted(option.description);
  if (!option.value_name.empty()) {
    const std::string choices = choices_for(option);
    line += takes_folder(option) ? " -r -a '(__fish_complete_directories)'"
                                 : " -x -a " + shell_quoted(choices);
  }
  return line + "\n";
}

std::string fish(const CommandFacts& program) {
  std::string text = "# fish completion for daybook; load with: daybook completion fish | source\n";
  for (const OptionFacts& option : program.options) {
    text += fish_option(option, "");
  }
  for (const CommandFacts& command : program.commands) {
    text += "complete -c daybook -n __fish_use_subcommand -f -a " + command.name + " -d " +
            shell_quoted(command.description) + "\n";
    for (const OptionFacts& option : command.options) {
      text += fish_option(option, " -n '__fish_seen_subcommand_from " + command.name + "'");
    }
  }
  return text +
         "complete -c daybook -n '__fish_seen_subcommand_from completion' -f "
         "-a 'bash zsh fish'\n"
         "complete -c daybook -n '__fish_seen_subcommand_from config' -f -a 'show check'\n"
         "complete -c daybook -n '__fish_seen_subcommand_from conflicts' -f -a 'list resolve'\n";
}

}  // namespace

void add_completion(const Command& program, Run& run) {
  auto shell = std::make_shared<std::string>();
  const Command command = program.add("completion", "Print the completion script for a shell");
  const auto judge = [](const std::string& name) {
    const bool known = name == "bash" || name == "zsh" || name == "fish";
    return known ? std::string() : "there is completion for bash, zsh and fish, not " + name;
  };
  command.argument("SHELL", *shell, "bash, zsh or fish", Need::required, judge);
  command.when_given([program, &run, shell] {
    run = [program, shell](const Settings&) {
      const CommandFacts facts = program.facts();
      print(stdout, *shell == "bash" ? bash(facts) : *shell == "zsh" ? zsh(facts) : fish(facts));
      return kDone;
    };
  });
}

}  // namespace daybook::cli

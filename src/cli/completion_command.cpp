// SPDX-License-Identifier: MIT
//
// `daybook completion bash|zsh|fish`: made from the parser itself, so that it never lags behind.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/terminal.hpp"

namespace daybook::cli {
namespace {

struct Word {
  std::string text;
  std::string description;
};

struct Command {
  Word name;
  std::vector<Word> options;
};

std::string first_sentence(const std::string& text) {
  return text.substr(0, text.find_first_of(".\n"));
}

std::vector<Word> options_of(const CLI::App& app) {
  std::vector<Word> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.push_back({"--" + name, first_sentence(option->get_description())});
    }
  }
  return words;
}

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back({{command->get_name(), first_sentence(command->get_description())},
                        options_of(*command)});
  }
  return commands;
}

std::string joined(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) {
    text += (text.empty() ? "" : " ") + word.text;
  }
  return text;
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

std::string bash(const std::vector<Word>& globals, const std::vector<Command>& commands) {
  std::string names;
  std::string cases;
  for (const Command& command : commands) {
    names += (names.empty() ? "" : " ") + command.name.text;
    cases += "    " + command.name.text + ") options=\"$options " + joined(command.options) +
             "\" ;;\n";
  }
  return "# bash completion for daybook; load with: source <(daybook completion bash)\n"
         "_daybook() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} command= options=" +
         shell_quoted(joined(globals)) +
         " i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \" " +
         names +
         " \" in *\" ${COMP_WORDS[i]} \"*) command=${COMP_WORDS[i]}; break ;; esac\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  elif [[ -z $command ]]; then\n"
         "    COMPREPLY=($(compgen -W " +
         shell_quoted(names) +
         " -- \"$word\"))\n"
         "  elif [[ $command == completion ]]; then\n"
         "    COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _daybook daybook\n";
}

std::string zsh_items(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) {
    text += " " + shell_quoted(word.text + ":" + word.description);
  }
  return text;
}

std::string zsh(const std::vector<Word>& globals, const std::vector<Command>& commands) {
  std::vector<Word> names;
  std::string cases;
  for (const Command& command : commands) {
    names.push_back(command.name);
    cases += "    " + command.name.text + ") options+=(" + zsh_items(command.options) + " ) ;;\n";
  }
  return "#compdef daybook\n"
         "# zsh completion for daybook; load with: source <(daybook completion zsh)\n"
         "_daybook() {\n"
         "  local -a commands options\n"
         "  local word command=\n"
         "  commands=(" +
         zsh_items(names) + " )\n  options=(" + zsh_items(globals) +
         " )\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    [[ $word != -* ]] && { command=$word; break; }\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  if [[ ${words[CURRENT]} == -* ]]; then _describe option options\n"
         "  elif [[ -z $command ]]; then _describe command commands\n"
         "  elif [[ $command == completion ]]; then compadd bash zsh fish\n"
         "  else _files\n"
         "  fi\n"
         "}\n"
         "compdef _daybook daybook\n";
}

std::string fish(const std::vector<Word>& globals, const std::vector<Command>& commands) {
  std::string text =
      "# fish completion for daybook; load with: daybook completion fish | source\n";
  for (const Word& option : globals) {
    text += "complete -c daybook -l " + option.text.substr(2) + " -d " +
            shell_quoted(option.description) + "\n";
  }
  for (const Command& command : commands) {
    text += "complete -c daybook -n __fish_use_subcommand -f -a " + command.name.text + " -d " +
            shell_quoted(command.name.description) + "\n";
    for (const Word& option : command.options) {
      text += "complete -c daybook -n '__fish_seen_subcommand_from " + command.name.text +
              "' -l " + option.text.substr(2) + " -d " + shell_quoted(option.description) + "\n";
    }
  }
  return text +
         "complete -c daybook -n '__fish_seen_subcommand_from completion' -f "
         "-a 'bash zsh fish'\n";
}

}  // namespace

void add_completion(CLI::App& app, Run& run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print the completion script for a shell");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check([](const std::string& name) {
        const bool known = name == "bash" || name == "zsh" || name == "fish";
        return known ? std::string() : "there is completion for bash, zsh and fish, not " + name;
      });
  command->callback([&app, &run, shell] {
    run = [&app, shell](const Settings&) {
      const auto globals = options_of(app);
      const auto commands = commands_of(app);
      print(stdout,
            *shell == "bash"  ? bash(globals, commands)
            : *shell == "zsh" ? zsh(globals, commands)
                              : fish(globals, commands));
      return kDone;
    };
  });
}

}  // namespace daybook::cli

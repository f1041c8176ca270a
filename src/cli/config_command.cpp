// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/workspace_config.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace daybook::cli {
namespace {

using nlohmann::ordered_json;

struct Setting {
  std::string name;
  ordered_json value;
  std::string origin;
};

bool is_set(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value != nullptr && *value != '\0';
}

std::string workspace_origin(const Settings& settings) {
  return !settings.workspace.empty()   ? "--workspace"
         : is_set("DAYBOOK_WORKSPACE") ? "DAYBOOK_WORKSPACE"
         : is_set("SIGNET_WORKSPACE")  ? "SIGNET_WORKSPACE"
                                       : "default";
}

std::string state_origin(const Settings& settings) {
  return !settings.state_dir.empty()   ? "--state-dir"
         : is_set("DAYBOOK_STATE_DIR") ? "DAYBOOK_STATE_DIR"
         : is_set("XDG_STATE_HOME")    ? "XDG_STATE_HOME"
                                       : "default";
}

std::vector<Setting> settings_of(const parse::Config& config) {
  const auto origin = [&config](const std::string& name) {
    return config.given.contains(name) ? std::string(parse::kConfigFile) : std::string("default");
  };
  std::vector<Setting> list{
      {"noise", config.noise, {}},
      {"memory_md.max_bytes", config.max_bytes, {}},
      {"memory_md.max_lines", config.max_lines, {}},
      {"memory_md.max_tokens",
       config.max_tokens ? ordered_json(*config.max_tokens) : ordered_json(nullptr),
       {}},
      {"watch.settle_ms", config.settle_ms, {}},
      {"watch.longest_ms", config.longest_ms, {}},
      {"watch.sweep_seconds", config.sweep_seconds, {}},
      {"publisher", config.publisher, {}}};
  for (Setting& setting : list) {
    setting.origin = origin(setting.name);
  }
  return list;
}

std::string value_text(const ordered_json& value) {
  if (value.is_null()) {
    return "none";
  }
  if (value.is_string()) {
    return base::printable(value.get<std::string>());
  }
  if (!value.is_array()) {
    return value.dump();
  }
  std::string text;
  for (const ordered_json& item : value) {
    text.append(text.empty() ? "" : ", ").append(base::printable(item.get<std::string>()));
  }
  return text.empty() ? "none" : text;
}

void print_settings(const std::vector<Setting>& list, const Settings& settings) {
  if (settings.json) {
    ordered_json rows = ordered_json::array();
    for (const Setting& setting : list) {
      rows.push_back(
          {{"name", setting.name}, {"value", setting.value}, {"origin", setting.origin}});
    }
    print_json(ordered_json{{"settings", rows}});
    return;
  }
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  for (const Setting& setting : list) {
    text.append(setting.name).append(": ").append(value_text(setting.value)).append("  ");
    text.append(colors.dim).append("(").append(setting.origin).append(")").append(colors.reset);
    text.append("\n");
  }
  print(stdout, text);
}

Result<std::vector<Setting>> effective(const Settings& settings) {
  TRY_ASSIGN(const auto configured, open_configured_workspace(settings));
  const auto& [workspace, config] = configured;
  TRY_ASSIGN(const std::string state_dir, chosen_state_path(settings, workspace));
  std::vector<Setting> list{{"workspace", workspace, workspace_origin(settings)},
                            {"state_dir", state_dir, state_origin(settings)}};
  for (Setting& setting : settings_of(config)) {
    list.push_back(std::move(setting));
  }
  return list;
}

int check_config(const Settings& settings) {
  const auto workspace = open_configured_workspace(settings);
  if (!workspace) {
    return fail(workspace.error(), settings);
  }
  std::error_code trouble;
  const auto file = std::filesystem::path(workspace->path) / std::string(parse::kConfigFile);
  const bool is_there = std::filesystem::exists(file, trouble);
  if (settings.json) {
    print_json(ordered_json{{"valid", true}, {"file", is_there}});
  } else if (settings.loudness != Loudness::quiet) {
    print(stdout,
          is_there ? "daybook.yaml is all right.\n"
                   : "There is no daybook.yaml: the defaults apply.\n");
  }
  return kDone;
}

int run_config(const std::string& action, const Settings& settings) {
  if (action == "check") {
    return check_config(settings);
  }
  const auto list = effective(settings);
  if (!list) {
    return fail(list.error(), settings);
  }
  print_settings(*list, settings);
  return kDone;
}

}  // namespace

void add_config(CLI::App& app, Run& run) {
  auto action = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("config", "Show the settings and where they come from, or check them");
  command->add_option("ACTION", *action, "show or check")
      ->required()
      ->check([](const std::string& name) {
        const bool known = name == "show" || name == "check";
        return known ? std::string() : "config takes show or check, not " + name;
      });
  command->callback([&run, action] {
    run = [action](const Settings& settings) { return run_config(*action, settings); };
  });
}

}  // namespace daybook::cli

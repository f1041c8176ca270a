// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/config_doubts.hpp"
#include "daybook/service/workspace_config.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace daybook::cli {
namespace {

struct Setting {
  std::string name;
  Json value;
  std::string text;  ///< the value, for people
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

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text.append(text.empty() ? "" : ", ").append(base::printable(item));
  }
  return text.empty() ? "none" : text;
}

Setting text_setting(const std::string& name,
                     const std::string& value,
                     const std::string& origin = {}) {
  return {name, value, base::printable(value), origin};
}

/// A text that may be missing.
Setting optional_setting(const std::string& name, const std::string& value) {
  return value.empty() ? Setting{name, nullptr, "none", {}} : text_setting(name, value);
}

Setting number_setting(const std::string& name, std::optional<std::uint64_t> value) {
  return value ? Setting{name, *value, std::to_string(*value), {}}
               : Setting{name, nullptr, "none", {}};
}

std::vector<Setting> embeddings_settings(const parse::EmbeddingConfig& embeddings) {
  return {optional_setting("embeddings.base_url", embeddings.base_url),
          optional_setting("embeddings.model", embeddings.model),
          optional_setting("embeddings.api_key_env", embeddings.api_key_env),
          number_setting("embeddings.timeout_seconds", embeddings.timeout_seconds),
          number_setting("embeddings.batch", embeddings.batch),
          number_setting("embeddings.requests_per_minute", embeddings.requests_per_minute),
          optional_setting("embeddings.sqlite_vec", embeddings.sqlite_vec)};
}

std::vector<Setting> model_and_capture(const parse::Config& config) {
  const parse::ModelConfig& model = config.model;
  const bool pii = config.capture.redact_pii;
  return {optional_setting("model.base_url", model.base_url),
          optional_setting("model.model", model.model),
          optional_setting("model.api_key_env", model.api_key_env),
          number_setting("model.timeout_seconds", model.timeout_seconds),
          number_setting("model.retries", model.retries),
          {"model.command", model.command, listed(model.command), {}},
          {"capture.redact_pii", pii, pii ? "true" : "false", {}},
          optional_setting("capture.literals_file", config.capture.literals_file)};
}

Setting flag_setting(const std::string& name, bool value) {
  return {name, value, value ? "true" : "false", {}};
}

std::vector<Setting> learnings_of(const parse::Config& config) {
  const parse::LearningsConfig& learnings = config.learnings;
  return {text_setting("learnings.agent_procedures",
                       learnings.agent_procedures_active ? "active" : "provisional"),
          flag_setting("learnings.semantic.enabled", learnings.semantic.enabled),
          number_setting("learnings.semantic.max_memories", learnings.semantic.most),
          flag_setting("learnings.episodic.enabled", learnings.episodic.enabled),
          number_setting("learnings.episodic.max_episodes", learnings.episodic.most),
          flag_setting("learnings.procedural.enabled", learnings.procedural.enabled),
          number_setting("learnings.procedural.max_procedures", learnings.procedural.most)};
}

std::vector<Setting> settings_of(const parse::Config& config) {
  const auto origin = [&config](const std::string& name) {
    return config.given.contains(name) ? std::string(parse::kConfigFile) : std::string("default");
  };
  std::vector<Setting> list{{"noise", config.noise, listed(config.noise), {}},
                            number_setting("memory_md.max_bytes", config.max_bytes),
                            number_setting("memory_md.max_lines", config.max_lines),
                            number_setting("memory_md.max_tokens", config.max_tokens),
                            number_setting("watch.settle_ms", config.settle_ms),
                            number_setting("watch.longest_ms", config.longest_ms),
                            number_setting("watch.sweep_seconds", config.sweep_seconds),
                            text_setting("publisher", config.publisher)};
  for (Setting& setting : model_and_capture(config)) {
    list.push_back(std::move(setting));
  }
  for (Setting& setting : embeddings_settings(config.embeddings)) {
    list.push_back(std::move(setting));
  }
  for (Setting& setting : learnings_of(config)) {
    list.push_back(std::move(setting));
  }
  for (Setting& setting : list) {
    setting.origin = origin(setting.name);
  }
  return list;
}

void print_settings(const std::vector<Setting>& list, const Settings& settings) {
  if (settings.json) {
    Json rows = Json::array();
    for (const Setting& setting : list) {
      rows.push_back(Json::object(
          {{"name", setting.name}, {"value", setting.value}, {"origin", setting.origin}}));
    }
    print_json(Json::object({{"settings", rows}}));
    return;
  }
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  for (const Setting& setting : list) {
    text.append(setting.name).append(": ").append(setting.text).append("  ");
    text.append(colors.dim).append("(").append(setting.origin).append(")").append(colors.reset);
    text.append("\n");
  }
  print(stdout, text);
}

Result<std::vector<Setting>> effective(const Settings& settings) {
  TRY_ASSIGN(const auto configured, open_configured_workspace(settings));
  const auto& [workspace, config] = configured;
  TRY_ASSIGN(const std::string state_dir, chosen_state_path(settings, workspace));
  std::vector<Setting> list{text_setting("workspace", workspace, workspace_origin(settings)),
                            text_setting("state_dir", state_dir, state_origin(settings))};
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
  Json warnings = Json::array();
  for (const service::ConfigDoubt& doubt : service::doubts_about(workspace->config)) {
    warnings.push_back(doubt.message);
    if (!settings.json) {
      print(stderr,
            "daybook: warning: " + base::printable(doubt.message) + "\n  " +
                base::printable(doubt.hint) + "\n");
    }
  }
  if (settings.json) {
    print_json(Json::object({{"valid", true}, {"file", is_there}, {"warnings", warnings}}));
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

void add_config(const Command& program, Run& run) {
  auto action = std::make_shared<std::string>();
  const Command command =
      program.add("config", "Show the settings and where they come from, or check them");
  const auto judge = [](const std::string& name) {
    const bool known = name == "show" || name == "check";
    return known ? std::string() : "config takes show or check, not " + name;
  };
  command.argument("ACTION", *action, "show or check", Need::required, judge);
  command.when_given([&run, action] {
    run = [action](const Settings& settings) { return run_config(*action, settings); };
  });
}

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
#include "daybook/parse/config.hpp"

#include "daybook/base/nearest.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"

#include <yaml-cpp/yaml.h>

#include <functional>
#include <map>
#include <set>

namespace daybook::parse {
namespace {

Error config_error(const YAML::Mark& mark, std::string message, std::string hint) {
  std::string place(kConfigFile);
  if (mark.line >= 0) {
    place.append(":").append(std::to_string(mark.line + 1));
  }
  return {ErrorKind::usage, std::move(message), std::move(place), std::move(hint)};
}

Result<std::string> text_of(const YAML::Node& node, const std::string& key) {
  if (!node.IsScalar()) {
    return config_error(node.Mark(), "'" + key + "' takes one value", "Write 'key: value'.");
  }
  return node.Scalar();
}

Result<std::uint64_t> number_of(const YAML::Node& node, const std::string& key) {
  std::uint64_t number = 0;
  if (!node.IsScalar() || !YAML::convert<std::uint64_t>::decode(node, number) || number == 0 ||
      node.Scalar().find_first_not_of("0123456789") != std::string::npos) {
    return config_error(
        node.Mark(), "'" + key + "' takes a whole number above 0", "Digits only, such as 25000.");
  }
  return number;
}

Result<std::vector<std::string>> texts_of(const YAML::Node& node, const std::string& key) {
  std::vector<std::string> texts;
  if (node.IsNull()) {
    return texts;
  }
  if (!node.IsSequence()) {
    return config_error(
        node.Mark(), "'" + key + "' takes a list", "Write '- item' lines below it.");
  }
  for (const YAML::Node& item : node) {
    TRY_ASSIGN(std::string text, text_of(item, key));
    texts.push_back(std::move(text));
  }
  return texts;
}

using Reader = std::function<Result<void>(const YAML::Node&, const std::string& key)>;
using Readers = std::map<std::string, Reader>;

Result<void> read_mapping(const YAML::Node& node,
                          const std::string& prefix,
                          const Readers& readers,
                          std::set<std::string>& given) {
  if (node.IsNull()) {
    return {};
  }
  if (!node.IsMap()) {
    const std::string what =
        prefix.empty() ? "the file" : "'" + prefix.substr(0, prefix.size() - 1) + "'";
    return config_error(node.Mark(),
                        what + " takes 'key: value' lines",
                        "docs/CONFIGURATION.md shows all settings.");
  }
  std::map<std::string, bool> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) {
      return config_error(entry.first.Mark(), "a setting's name must be a word", {});
    }
    const std::string key = entry.first.Scalar();
    const std::string full_name = prefix + key;
    const auto reader = readers.find(key);
    if (reader == readers.end()) {
      std::vector<std::string> known;
      for (const auto& [name, unused] : readers) {
        known.push_back(name);
      }
      const std::string meant = base::nearest(key, known);
      return config_error(entry.first.Mark(),
                          "there is no setting " + base::quoted(full_name),
                          meant.empty() ? "See docs/CONFIGURATION.md for all settings."
                                        : "Did you mean " + base::quoted(prefix + meant) + "?");
    }
    if (std::exchange(seen[key], true)) {
      return config_error(entry.first.Mark(),
                          base::quoted(full_name) + " is set twice",
                          "Keep one of the two lines.");
    }
    TRY(reader->second(entry.second, full_name));
    if (!entry.second.IsNull()) {
      given.insert(full_name);
    }
  }
  return {};
}

Result<void> read_memory_md(const YAML::Node& node, const std::string& key, Config& config) {
  return read_mapping(
      node,
      key + ".",
      {{"max_bytes",
        [&config](const YAML::Node& value, const std::string& name) -> Result<void> {
          TRY_ASSIGN(config.max_bytes, number_of(value, name));
          return {};
        }},
       {"max_lines",
        [&config](const YAML::Node& value, const std::string& name) -> Result<void> {
          TRY_ASSIGN(config.max_lines, number_of(value, name));
          return {};
        }},
       {"max_tokens",
        [&config](const YAML::Node& value, const std::string& name) -> Result<void> {
          if (value.IsNull() || (value.IsScalar() && value.Scalar() == "none")) {
            return {};
          }
          TRY_ASSIGN(config.max_tokens, number_of(value, name));
          return {};
        }}},
      config.given);
}

Result<void> read_watch(const YAML::Node& node, const std::string& key, Config& config) {
  const auto number_into = [](std::uint64_t& place) {
    return [&place](const YAML::Node& value, const std::string& name) -> Result<void> {
      TRY_ASSIGN(place, number_of(value, name));
      return {};
    };
  };
  TRY(read_mapping(node,
                   key + ".",
                   {{"settle_ms", number_into(config.settle_ms)},
                    {"longest_ms", number_into(config.longest_ms)},
                    {"sweep_seconds", number_into(config.sweep_seconds)}},
                   config.given));
  constexpr std::uint64_t kLongestSettle = 60'000;
  constexpr std::uint64_t kLongestSweep = 86'400;
  if (config.settle_ms > config.longest_ms || config.longest_ms > kLongestSettle) {
    return config_error(node.Mark(),
                        "'watch.settle_ms' must not be above 'watch.longest_ms', nor that above "
                        "60000",
                        "The defaults are 200 and 2000.");
  }
  if (config.sweep_seconds > kLongestSweep) {
    return config_error(
        node.Mark(), "'watch.sweep_seconds' must not be above 86400", "The default is 60.");
  }
  return {};
}

Result<void> read_settings(const YAML::Node& root, Config& config) {
  return read_mapping(
      root,
      "",
      {{"noise",
        [&config](const YAML::Node& value, const std::string& name) -> Result<void> {
          TRY_ASSIGN(config.noise, texts_of(value, name));
          return {};
        }},
       {"memory_md",
        [&config](const YAML::Node& value, const std::string& name) {
          return read_memory_md(value, name, config);
        }},
       {"watch",
        [&config](const YAML::Node& value, const std::string& name) {
          return read_watch(value, name, config);
        }},
       {"publisher",
        [&config](const YAML::Node& value, const std::string& name) -> Result<void> {
          TRY_ASSIGN(config.publisher, text_of(value, name));
          return {};
        }}},
      config.given);
}

/// Whether there is anything but comments. yaml-cpp reads the first document and is silent about
/// the rest; asked for all of them, version 0.7 never comes back from `,.`. So the markers are
/// looked for here.
Result<bool> has_one_document(std::string_view yaml) {
  bool has_content = false;
  YAML::Mark mark;
  for (mark.line = 0; !yaml.empty(); ++mark.line) {
    const std::string_view line = yaml.substr(0, yaml.find('\n'));
    yaml.remove_prefix(std::min(line.size() + 1, yaml.size()));
    const bool is_marker = line.starts_with("---") || line.starts_with("...");
    if (is_marker && has_content) {
      return config_error(mark, "a second YAML document begins here", "Delete this line.");
    }
    const std::size_t first = line.find_first_not_of(" \t\r");
    has_content =
        has_content || (!is_marker && first != std::string_view::npos && line[first] != '#');
  }
  return has_content;
}

}  // namespace

Result<Config> read_config(std::string_view yaml) {
  if (yaml.size() > kLargestConfig) {
    return config_error(YAML::Mark::null_mark(), "the file is larger than 64 KiB", {});
  }
  if (!base::is_valid_utf8(yaml) || yaml.find('\0') != std::string_view::npos) {
    return config_error(YAML::Mark::null_mark(), "the file is not UTF-8 text", "Save it as UTF-8.");
  }
  Config config;
  try {
    TRY_ASSIGN(const bool has_content, has_one_document(yaml));
    const YAML::Node root = YAML::Load(std::string(yaml));
    if (has_content && !root.IsMap()) {  // yaml-cpp also gives up without a word
      return config_error(root.IsNull() ? YAML::Mark() : root.Mark(),
                          "the file takes 'key: value' lines",
                          "docs/CONFIGURATION.md shows all settings.");
    }
    TRY(read_settings(root, config));
  } catch (const YAML::Exception& error) {
    return config_error(error.mark, "this is not valid YAML: " + error.msg, "Correct the line.");
  }
  return config;
}

}  // namespace daybook::parse

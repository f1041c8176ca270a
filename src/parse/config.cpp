// SPDX-License-Identifier: MIT
#include "daybook/parse/config.hpp"

#include "daybook/base/utf8.hpp"
#include "parse/config_sections.hpp"
#include "parse/config_values.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace daybook::parse {
namespace {

/// A section of the file and what reads it.
using Section = Result<void> (*)(const YAML::Node&, const std::string&, Config&);

Reader section(Section read, Config& config) {
  return [read, &config](const YAML::Node& node, const std::string& name) {
    return read(node, name, config);
  };
}

Result<void> read_settings(const YAML::Node& root, Config& config) {
  return read_mapping(root,
                      "",
                      {{"noise", into(config.noise, texts_of)},
                       {"memory_md", section(read_memory_md, config)},
                       {"watch", section(read_watch, config)},
                       {"model", section(read_model, config)},
                       {"capture", section(read_capture, config)},
                       {"learnings", section(read_learnings, config)},
                       {"publisher", into(config.publisher, text_of)}},
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

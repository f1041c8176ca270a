// SPDX-License-Identifier: MIT
#include "parse/config_values.hpp"

#include "daybook/base/nearest.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/parse/config.hpp"

#include <yaml-cpp/yaml.h>

#include <utility>

namespace daybook::parse {

Error config_error(const YAML::Mark& mark, std::string message, std::string hint) {
  std::string place(kConfigFile);
  if (mark.line >= 0) {
    place.append(":").append(std::to_string(mark.line + 1));
  }
  return {ErrorKind::usage, std::move(message), std::move(place), std::move(hint)};
}

Error config_error(const YAML::Node& node, std::string message, std::string hint) {
  return config_error(node.Mark(), std::move(message), std::move(hint));
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

Result<std::uint64_t> count_of(const YAML::Node& node, const std::string& key) {
  if (node.IsScalar() && node.Scalar() == "0") {
    return std::uint64_t{0};
  }
  auto number = number_of(node, key);
  if (!number) {
    return config_error(node, "'" + key + "' takes a whole number", "Digits only, such as 2.");
  }
  return number;
}

Result<bool> flag_of(const YAML::Node& node, const std::string& key) {
  const std::string text = node.IsScalar() ? node.Scalar() : std::string();
  if (text != "true" && text != "false") {
    return config_error(node, "'" + key + "' takes true or false", "Write one of the two words.");
  }
  return text == "true";
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

}  // namespace daybook::parse

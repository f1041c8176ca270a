// SPDX-License-Identifier: MIT
//
// The values of daybook.yaml, one by one: a YAML node -> text, number, list or mapping, or the
// error that names its line. Pure. Throws what yaml-cpp throws; config.cpp catches it.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace daybook::parse {

Error config_error(const YAML::Mark& mark, std::string message, std::string hint);
/// At the line of this node.
Error config_error(const YAML::Node& node, std::string message, std::string hint);

Result<std::string> text_of(const YAML::Node& node, const std::string& key);
/// A whole number above 0.
Result<std::uint64_t> number_of(const YAML::Node& node, const std::string& key);
/// A whole number, or 0.
Result<std::uint64_t> count_of(const YAML::Node& node, const std::string& key);
/// `true` or `false`.
Result<bool> flag_of(const YAML::Node& node, const std::string& key);
/// A list; nothing is an empty one.
Result<std::vector<std::string>> texts_of(const YAML::Node& node, const std::string& key);

/// Takes a setting's value and full name, such as `watch.settle_ms`.
using Reader = std::function<Result<void>(const YAML::Node&, const std::string& key)>;
using Readers = std::map<std::string, Reader>;

/// Puts what `read` makes of the value into `place`, which must outlive the reader.
template <typename T>
Reader into(T& place, Result<T> (*read)(const YAML::Node&, const std::string&)) {
  return [&place, read](const YAML::Node& node, const std::string& key) -> Result<void> {
    TRY_ASSIGN(place, read(node, key));
    return {};
  };
}

/// Hands every entry to its reader, and notes in `given` which were set. An entry without a reader
/// is an error that names the nearest one with.
Result<void> read_mapping(const YAML::Node& node,
                          const std::string& prefix,
                          const Readers& readers,
                          std::set<std::string>& given);

}  // namespace daybook::parse

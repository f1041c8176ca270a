// SPDX-License-Identifier: MIT
#include "mcp/id_search.hpp"

#include <algorithm>
#include <utility>

namespace daybook::mcp {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kLongestId = 300;

/// Behind the string that begins at `at`, with its quotes.
std::size_t string_end(std::string_view line, std::size_t at) {
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    at += line[at] == '\\' ? 1U : 0U;
  }
  return std::min(at + 1, line.size());
}

/// The value behind the colon at or behind `at`, if it is an id.
Json id_behind(std::string_view line, std::size_t at) {
  at = line.find_first_not_of(kBlanks, at);
  if (at == std::string_view::npos || line[at] != ':') {
    return nullptr;
  }
  at = line.find_first_not_of(kBlanks, at + 1);
  if (at == std::string_view::npos) {
    return nullptr;
  }
  const std::size_t end = line[at] == '"'
                              ? string_end(line, at)
                              : std::min(line.find_first_not_of("-0123456789", at), line.size());
  if (end - at > kLongestId) {
    return nullptr;
  }
  auto id = Json::parse(line.substr(at, end - at), Json::HalfCharacters::replaced);
  return id && is_id(*id) ? std::move(*id) : Json();
}

}  // namespace

bool is_id(const Json& id) { return id.text() != nullptr || id.integer().has_value(); }

Json id_in(std::string_view line) {
  Json found;
  int ids = 0;
  int depth = 0;
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || line[begin] != '{') {
    return nullptr;
  }
  for (std::size_t at = begin; at < line.size();) {
    if (line[at] == '"') {
      const std::size_t end = string_end(line, at);
      if (depth == 1 && line.substr(at, end - at) == "\"id\"") {
        Json id = id_behind(line, end);
        ids += id.is_null() ? 0 : 1;
        found = id.is_null() ? std::move(found) : std::move(id);
      }
      at = end;
      continue;
    }
    const bool opens = line[at] == '{' || line[at] == '[';
    const bool closes = line[at] == '}' || line[at] == ']';
    depth += opens ? 1 : closes ? -1 : 0;
    ++at;
  }
  return ids == 1 ? std::move(found) : Json();
}

}  // namespace daybook::mcp

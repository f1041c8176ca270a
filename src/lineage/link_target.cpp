// SPDX-License-Identifier: MIT
#include "daybook/lineage/link_target.hpp"

#include "daybook/base/path.hpp"
#include "daybook/lineage/artifact_name.hpp"

#include <string>

namespace daybook::lineage {
namespace {

constexpr std::string_view kMemoryFolder = "memory/";

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool encoded = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                         hex_value(text[i + 2]) >= 0;
    if (encoded) {
      out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

bool has_parent_component(std::string_view path) {
  while (true) {
    const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
    if (path.substr(0, end) == "..") {
      return true;
    }
    if (end == path.size()) {
      return false;
    }
    path.remove_prefix(end + 1);
  }
}

bool is_drive(std::string_view path) {
  const auto letter = static_cast<char>(path.empty() ? 0 : path.front() | 0x20);
  return path.size() >= 2 && letter >= 'a' && letter <= 'z' && path[1] == ':' &&
         (path.size() == 2 || path[2] == '/' || path[2] == '\\');
}

bool starts_with_file_scheme(std::string_view path) {
  constexpr std::string_view kScheme = "file:";
  if (path.size() < kScheme.size()) {
    return false;
  }
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = path[i] >= 'A' && path[i] <= 'Z' ? static_cast<char>(path[i] | 0x20) : path[i];
    if (c != kScheme[i]) {
      return false;
    }
  }
  return true;
}

bool escapes_as_written(std::string_view path) {
  return path.starts_with('/') || path.starts_with('\\') || path.starts_with("~/") ||
         path.starts_with("memory\\") ||
         (path.find("..") != std::string_view::npos && has_parent_component(path)) ||
         is_drive(path) || starts_with_file_scheme(path) ||
         path.find('\0') != std::string_view::npos;
}

/// A file of memory/, but for the folder or the extension: `2026-…--summary`.
bool names_an_artifact(std::string_view path) {
  std::string name(base::file_name_of(path));
  if (!name.ends_with(".md")) {
    name += ".md";
  }
  return read_artifact_name(name).form == NameForm::artifact;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

LinkTarget classify(std::string_view path) {
  if (escapes_workspace(path)) {
    return {LinkForm::escapes, path};
  }
  if (path.starts_with(kMemoryFolder)) {
    const bool whole = path.ends_with(".md") && path.size() > kMemoryFolder.size() + 3;
    return {whole ? LinkForm::memory_path : LinkForm::not_root_relative, path};
  }
  return {names_an_artifact(path) ? LinkForm::not_root_relative : LinkForm::note, path};
}

}  // namespace

bool escapes_workspace(std::string_view path) {
  if (escapes_as_written(path)) {
    return true;
  }
  if (path.find('%') == std::string_view::npos) {
    return false;
  }
  // Nobody here decodes percent signs, but whoever does must not be led out: `%252e` included.
  std::string decoded(path);
  for (int pass = 0; pass < 3 && decoded.find('%') != std::string::npos; ++pass) {
    decoded = percent_decoded(decoded);
    if (escapes_as_written(decoded)) {
      return true;
    }
  }
  return false;
}

LinkTarget read_wikilink(std::string_view inside) {
  std::string_view target = inside.substr(0, inside.find('|'));
  if (target.size() < inside.size() && target.ends_with('\\')) {
    target.remove_suffix(1);  // `\|` is how a label is set off inside a table
  }
  const std::string_view path = trimmed(target.substr(0, target.find('#')));
  if (path.empty()) {
    return {LinkForm::self, path};
  }
  return classify(path);
}

}  // namespace daybook::lineage

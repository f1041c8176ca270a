// SPDX-License-Identifier: MIT
#include "daybook/redact/literals.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/utf8.hpp"
#include "redact/cursor.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace daybook::redact {
namespace {

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace

std::string_view literal_problem(std::string_view literal) {
  constexpr std::array kMarkers{
      kMarker, kKeyMarker, kCardMarker, kPhoneMarker, kEmailMarker, kSsnMarker};
  if (!base::is_valid_utf8(literal)) {
    return "is not UTF-8";
  }
  if (base::count_characters(literal) < kLeastLiteral) {
    return "is shorter than 6 characters";
  }
  if (literal.size() > kMostLiteral) {
    return "is longer than 4096 bytes";
  }
  if (std::any_of(literal.begin(), literal.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
      })) {
    return "holds a control character";
  }
  if (std::any_of(kMarkers.begin(), kMarkers.end(), [literal](std::string_view marker) {
        return marker.find(literal) != std::string_view::npos;
      })) {
    return "is part of a marker";
  }
  return {};
}

Result<std::vector<std::string>> parse_literals(std::string_view text, const std::string& path) {
  std::vector<std::string> literals;
  std::size_t number = 0;
  if (text.starts_with("\xef\xbb\xbf")) {
    text.remove_prefix(3);
  }
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view literal = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (literal.empty() || literal.front() == '#') {
      continue;
    }
    if (const std::string_view problem = literal_problem(literal); !problem.empty()) {
      return Error{
          ErrorKind::usage,
          "line " + std::to_string(number) + " of the file of literals " + std::string(problem),
          path,
          "Mend or remove the line; until then nothing is stored."};
    }
    literals.emplace_back(literal);
  }
  return literals;
}

Result<std::vector<std::string>> read_literals(base::Disk& disk, const std::string& path) {
  const std::filesystem::path place(path);
  const std::string folder = place.parent_path().empty() ? "." : place.parent_path().string();
  auto text = base::read_file(disk, folder, place.filename().string(), kMostLiteralsFile);
  if (!text) {
    Error error = std::move(text).error().in_context("reading the file of literals");
    error.path = path;
    if (error.hint.empty()) {
      error.hint =
          "Make it readable, or take it out of the settings; until then nothing is stored.";
    }
    return error;
  }
  return parse_literals(*text, path);
}

}  // namespace daybook::redact

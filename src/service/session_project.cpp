// SPDX-License-Identifier: MIT
#include "service/session_project.hpp"

#include "daybook/base/path.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace daybook::service {
namespace {

/// A session tells it in one of its first lines; what stands before it may be long.
constexpr std::size_t kMostRead = std::size_t{1024} * 1024;
constexpr std::size_t kPiece = std::size_t{16} * 1024;

bool is_in(std::string_view folder, std::string_view project) {
  return folder == project ||
         (folder.starts_with(project) && (project == "/" || folder[project.size()] == '/'));
}

std::string working_folder(base::Disk& disk,
                           const SessionSource& source,
                           const harness::SessionFile& file) {
  harness::TranscriptRenderer renderer(source.harness);
  const Error enough{ErrorKind::io, "enough was read", {}, {}};
  std::size_t read = 0;
  std::string unused;
  static_cast<void>(
      harness::stream_session(disk, source.root, file, [&](std::string_view piece) -> Result<void> {
        for (std::size_t at = 0; at < piece.size(); at += kPiece) {
          renderer.feed(piece.substr(at, kPiece), unused);
          unused.clear();
          read += kPiece;
          if (!renderer.outline().project.empty() || read >= kMostRead) {
            return enough;
          }
        }
        return {};
      }));
  return renderer.outline().project;
}

std::string as_folder_name(std::string_view path) {
  std::string name(path);
  std::replace_if(
      name.begin(),
      name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
      '-');
  return name;
}

/// `projects/-home-nina-work/…` -> `-home-nina-work`, whichever of these folders was named.
std::string kept_in(const SessionSource& source, const harness::SessionFile& file) {
  std::string folder = source.root + "/" + file.path;
  folder.resize(folder.rfind('/'));
  if (folder.ends_with("/subagents")) {
    folder.resize(folder.rfind('/'));
    folder.resize(folder.rfind('/'));
  }
  return std::string(base::file_name_of(folder));
}

}  // namespace

bool is_session_of_project(base::Disk& disk,
                           const SessionSource& source,
                           const harness::SessionFile& file,
                           const std::string& project) {
  const std::string folder = working_folder(disk, source, file);
  if (!folder.empty()) {
    return is_in(folder, project);
  }
  const std::string name = kept_in(source, file);
  const std::string wanted = as_folder_name(project);
  return name == wanted || name.starts_with(wanted + "-");
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
//
// A project is a path, and people name it by as much of its end as they like. Pure; any thread.
#pragma once

#include <string_view>

namespace daybook::lineage {

inline std::string_view without_end_slashes(std::string_view project) {
  while (project.size() > 1 && project.ends_with('/')) {
    project.remove_suffix(1);
  }
  return project;
}

/// Whether `wanted` is the whole project, or its last parts: `tidewater` of `/home/me/tidewater`.
/// Slashes at the end of either say nothing.
inline bool names_project(std::string_view project, std::string_view wanted) {
  project = without_end_slashes(project);
  wanted = without_end_slashes(wanted);
  return project == wanted || (project.ends_with(wanted) && project.size() > wanted.size() &&
                               project[project.size() - wanted.size() - 1] == '/');
}

}  // namespace daybook::lineage

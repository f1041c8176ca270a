// SPDX-License-Identifier: MIT
//
// A project is a path, and people name it by as much of its end as they like. Pure; any thread.
#pragma once

#include <string_view>

namespace daybook::lineage {

/// Whether `wanted` is the whole project, or its last parts: `tidewater` of `/home/me/tidewater`.
inline bool names_project(std::string_view project, std::string_view wanted) {
  return project == wanted || (project.ends_with(wanted) && project.size() > wanted.size() &&
                               project[project.size() - wanted.size() - 1] == '/');
}

}  // namespace daybook::lineage

// SPDX-License-Identifier: MIT
//
// Whether a folder lies on a file system that others can change without this kernel's knowledge:
// what they do there is never reported. Any thread.
#pragma once

#include <string>

namespace daybook::watch {

/// The kind of file system, such as "nfs"; empty: changes are reported, or it is not known.
std::string silent_file_system(const std::string& folder);

/// The same of a number as statfs(2) gives it.
std::string silent_file_system(unsigned long type);

}  // namespace daybook::watch

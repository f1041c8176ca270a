// SPDX-License-Identifier: MIT
//
// Copies of files in the state folder that may quote what is removed: those of `replaced/`, and
// others that the caller knows. Texts -> those that must go are deleted. What cannot be listed,
// read or deleted is an error and not an absence, since a removal is done only without them. Any
// thread that holds the pipeline lock; failure leaves the rest for the next time.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/state/state_folder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace daybook::state {

/// Full paths. None if there is no such folder.
Result<std::vector<std::string>> replaced_copies(const StateFolder& folder);

/// Reads each and deletes those of whose text `goes` says so.
Result<void> erase_copies(const std::vector<std::string>& paths,
                          const std::function<bool(const std::string& text)>& goes);

}  // namespace daybook::state

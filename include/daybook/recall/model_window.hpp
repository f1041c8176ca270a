// SPDX-License-Identifier: MIT
//
// The name of a model -> how many tokens it takes at once, as far as that is known. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace daybook::recall {

/// By the beginning of the name, in any case; what stands before its last `/` says nothing.
std::optional<std::uint64_t> window_of_model(std::string_view model);

}  // namespace daybook::recall

// SPDX-License-Identifier: MIT
//
// Text on one line -> do its words announce a secret and go on to tell it: "client_secret=tide",
// "the password is hunter2", "authorization: bearer …"? Names are compared by whole words. Linear,
// whatever the text; pure.
#pragma once

#include <string_view>

namespace daybook::redact {

bool announces_secret(std::string_view text);

}  // namespace daybook::redact

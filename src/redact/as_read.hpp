// SPDX-License-Identifier: MIT
//
// Text -> the same as people and models read it, for whoever looks for words in it: what shows
// nothing is gone, letters of another width are the plain ones, blanks and controls are one blank.
// MEMORY.md shows notes in about that form, so what is split by such characters is whole again
// there. Linear; pure.
#pragma once

#include <string>
#include <string_view>

namespace daybook::redact {

enum class Lines { kept, joined };

/// Plain ASCII without controls and blanks in a row comes back as it is.
std::string as_read(std::string_view text, Lines lines);

/// Whether as_read() would give anything else.
bool reads_otherwise(std::string_view text, Lines lines);

}  // namespace daybook::redact

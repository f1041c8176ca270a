// SPDX-License-Identifier: MIT
//
// Whatever the text: judging it ends, as text and as JSON; reading it as people do a second time
// changes nothing; and what is refused as plain text is refused with a character in it that shows
// nothing, wherever that stands.
#include "daybook/base/utf8.hpp"
#include "daybook/redact/secret_guard.hpp"
#include "redact/as_read.hpp"
#include "require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using daybook::fuzz::require;
using daybook::redact::as_read;
using daybook::redact::Lines;
using daybook::redact::secret_in;

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 4096) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::vector<std::string> literals{"Project Heron"};
  const bool refused = secret_in(text, literals).has_value();
  daybook::redact::secret_in_json(text, literals);
  if (daybook::base::is_valid_utf8(text)) {
    for (const Lines lines : {Lines::kept, Lines::joined}) {
      const std::string once = as_read(text, lines);
      require(as_read(once, lines) == once, "what was read reads the same again");
    }
  }
  if (refused && is_plain(text) && as_read(text, Lines::joined) == text) {
    std::string hidden(text);
    hidden.insert((data[0] + 256U * data[1]) % (text.size() + 1), "\u200b");
    require(secret_in(hidden, literals).has_value(), "an invisible character hides nothing");
  }
  return 0;
}

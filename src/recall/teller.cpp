// SPDX-License-Identifier: MIT
#include "recall/teller.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::recall {
namespace {

std::string first_characters(std::string text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t count = 0; count < most && at < text.size(); ++count) {
    at += std::max<std::size_t>(1, base::decode_utf8(text, at).size);
  }
  if (at < text.size()) {
    text.resize(at);
    text.append("…");
  }
  return text;
}

}  // namespace

std::string Teller::tell(std::string_view text, std::size_t most_characters) {
  redact::Report report;
  std::string told = redact::sanitize(text, policy_, &report);
  redacted_ += (report.secrets > 0 ? 1 : 0) + report.pii;
  if (told.ends_with('\n')) {
    told.pop_back();  // the sanitizer ends what it gives with a line end, which is none of the text
  }
  return first_characters(std::move(told), most_characters);
}

}  // namespace daybook::recall

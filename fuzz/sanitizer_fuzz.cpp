// SPDX-License-Identifier: MIT
//
// Whatever the text and however it is cut: sanitised twice is sanitised once, pieces give what the
// whole gives, and what comes out is valid UTF-8 with LF line ends and no control characters.
#include "daybook/base/utf8.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using daybook::redact::Pii;
using daybook::redact::Policy;

bool is_clean(std::string_view text) {
  const bool no_controls = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 ? c != 0x7F : c == '\n' || c == '\t';
  });
  return no_controls && daybook::base::is_valid_utf8(text) &&
         (text.empty() || (text.ends_with('\n') && text != "\n" && !text.ends_with("\n\n"))) &&
         text.find(" \n") == std::string_view::npos && text.find("\t\n") == std::string_view::npos;
}

std::string in_pieces(std::string_view text, const Policy& policy, std::size_t step) {
  daybook::redact::Sanitizer sanitizer(policy);
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += step) {
    sanitizer.feed(text.substr(at, step), out);
  }
  sanitizer.finish(out);
  return out;
}

void must(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  // The first byte says how large the pieces are and what the policy is.
  const std::size_t step = 1 + data[0] % 17;
  Policy policy;
  policy.pii = data[0] >= 128 ? Pii::kept : Pii::redacted;
  if (data[0] % 2 == 1) {
    policy.literals = {"Project Heron", "ted> <red", "sk-ant", "heron-lake"};
  }
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string once = daybook::redact::sanitize(text, policy);
  must(is_clean(once), "not clean");
  must(daybook::redact::sanitize(once, policy) == once, "not idempotent");
  must(in_pieces(text, policy, step) == once, "depends on the pieces");
  return 0;
}

// SPDX-License-Identifier: MIT
#include "redact/prefix_tokens.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>

namespace daybook::redact {
namespace {

constexpr std::size_t kMostField = 128;
constexpr std::size_t kMostFields = 6;
constexpr std::size_t kLeastHash = 22;  // of MD5; all others are longer

constexpr std::array<std::string_view, 15> kMethods{"$6$",
                                                    "$5$",
                                                    "$1$",
                                                    "$y$",
                                                    "$gy$",
                                                    "$7$",
                                                    "$2a$",
                                                    "$2b$",
                                                    "$2x$",
                                                    "$2y$",
                                                    "$apr1$",
                                                    "$sha1$",
                                                    "$argon2i$",
                                                    "$argon2d$",
                                                    "$argon2id$"};

bool is_field(char c) { return is(c, kAlnum | kBase64Sign | kDot | kHyphen) || c == ','; }

}  // namespace

Hit match_password_hash(const Cursor& cursor) {
  const auto* const method =
      std::find_if(kMethods.begin(), kMethods.end(), [&cursor](std::string_view known) {
        return cursor.starts_with(known);
      });
  if (method == kMethods.end()) {
    return {};
  }
  const char* field = cursor.at + method->size();
  const char* end = field;
  for (std::size_t fields = 0; fields < kMostFields; ++fields) {
    const char* const last = cursor.end - field > static_cast<std::ptrdiff_t>(kMostField)
                                 ? field + kMostField
                                 : cursor.end;
    end = std::find_if_not(field, last, is_field);
    if (cursor.peek_at(end) != '$') {
      break;
    }
    field = end + 1;
  }
  cursor.looked_at(end - cursor.at);
  while (end > field && end[-1] == ',') {
    --end;  // of a list
  }
  const bool salted = field > cursor.at + method->size();
  if (!salted || end - field < static_cast<std::ptrdiff_t>(kLeastHash)) {
    return {};
  }
  Hit hit;
  hit.consume = static_cast<std::size_t>(end - cursor.at);
  hit.marker = kMarker;
  hit.shape = "password-hash";
  return hit;
}

}  // namespace daybook::redact

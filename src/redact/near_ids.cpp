// SPDX-License-Identifier: MIT
#include "redact/near_ids.hpp"

#include "redact/wrapping.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace daybook::redact {
namespace {

constexpr std::size_t kTwilioId = 34;  // AC and 32 hexadecimal digits
constexpr std::size_t kTwilioToken = 32;
constexpr std::size_t kAwsIdBody = 16;
constexpr std::size_t kAwsSecret = 40;

bool all_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is(c, kDigit | kHexLetter) && !is(c, kUpper);
  });
}

bool looks_like_aws_secret(std::string_view run) {
  const auto has = [run](CharClass wanted) {
    return std::any_of(run.begin(), run.end(), [wanted](char c) { return is(c, wanted); });
  };
  return run.size() == kAwsSecret && has(kLower) && has(kUpper) && has(kDigit | kBase64Sign);
}

std::string without_escapes(std::string_view run) {
  std::string text;
  std::copy_if(run.begin(), run.end(), std::back_inserter(text), [](char c) { return c != '\\'; });
  return text;
}

/// `is_body` is asked of what stands behind each `prefix`.
template <typename IsBody>
bool holds_id(std::string_view text, std::string_view prefix, const IsBody& is_body) {
  for (std::size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at + 1)) {
    if (is_body(text.substr(at + prefix.size()))) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_twilio_id(const Cursor& cursor) {
  return cursor.starts_with("AC") && cursor.rest().size() >= kTwilioId && token_may_begin(cursor) &&
         all_hex(cursor.rest().substr(2, kTwilioToken)) && !is(cursor.peek(kTwilioId), kWord);
}

bool holds_twilio_id(std::string_view text) {
  return holds_id(text, "AC", [](std::string_view rest) {
    return rest.size() >= kTwilioToken && all_hex(rest.substr(0, kTwilioToken));
  });
}

bool holds_aws_id(std::string_view text) {
  constexpr std::array kPrefixes{"AKIA", "ASIA", "ABIA", "ACCA"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [text](const char* prefix) {
    return holds_id(text, prefix, [](std::string_view rest) {
      return rest.size() >= kAwsIdBody &&
             std::all_of(rest.begin(), rest.begin() + kAwsIdBody, [](char c) {
               return is(c, kUpper | kDigit);
             });
    });
  });
}

const char* base64_end(const char* at, const char* end) {
  const char* p = run_end(at, end, kBase64);
  while (p > at && between(p, end).starts_with("\\/")) {
    p = run_end(p + 2, end, kBase64);
  }
  return p;
}

bool NearIds::hold(std::size_t place) const {
  const auto next = std::lower_bound(ids_.begin(), ids_.end(), place);
  return (at_beginning_ && place <= kNear) || (next != ids_.end() && *next - place <= kNear) ||
         (next != ids_.begin() && place - next[-1] <= kNear);
}

std::string_view secret_of_id(std::string_view left,
                              std::string_view run,
                              const NearIds& aws,
                              const NearIds& twilio) {
  const bool sized = run.size() >= kAwsSecret && run.size() <= 2 * kAwsSecret;
  if (sized && aws.hold(left.size()) && looks_like_aws_secret(without_escapes(run))) {
    return "aws-secret-key";
  }
  if (run.size() == kTwilioToken && all_hex(run) && twilio.hold(left.size()) &&
      token_may_follow(left)) {
    return "twilio-token";
  }
  return {};
}

}  // namespace daybook::redact

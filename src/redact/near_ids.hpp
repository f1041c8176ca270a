// SPDX-License-Identifier: MIT
//
// Secrets that have no beginning of their own and are known by an id near them: those of AWS and
// Twilio. Pure.
#pragma once

#include "redact/cursor.hpp"

#include <string_view>
#include <vector>

namespace daybook::redact {

/// At `AC` and 32 hexadecimal digits.
bool is_twilio_id(const Cursor& cursor);

/// Whether such an id stands anywhere in a text.
bool holds_twilio_id(std::string_view text);
/// The same of AWS: `AKIA` and 16 capitals or digits.
bool holds_aws_id(std::string_view text);

/// The end of a run of base64, in which slashes may be escaped.
const char* base64_end(const char* at, const char* end);

/// Places near an id.
class NearIds {
 public:
  /// `ids` in ascending order. `at_beginning`: an id stood on a line before.
  NearIds(const std::vector<std::size_t>& ids, bool at_beginning)
      : ids_(ids), at_beginning_(at_beginning) {}

  bool none() const { return ids_.empty() && !at_beginning_; }
  bool hold(std::size_t place) const;

 private:
  static constexpr std::size_t kNear = 512;

  const std::vector<std::size_t>& ids_;
  bool at_beginning_;
};

/// The shape of the secret that a run is which stands behind `left`; empty: it is none.
std::string_view secret_of_id(std::string_view left,
                              std::string_view run,
                              const NearIds& aws,
                              const NearIds& twilio);

}  // namespace daybook::redact

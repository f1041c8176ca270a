// SPDX-License-Identifier: MIT
//
// Text of old notes -> as much of it as may be told: redacted first and cut afterwards, because a
// secret that is cut in two is none any more, and its head would stay. One thread.
#pragma once

#include "daybook/redact/sanitizer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace daybook::recall {

class Teller {
 public:
  explicit Teller(redact::Policy policy) : policy_(std::move(policy)) {}

  /// At most so many characters, and an ellipsis where there are more.
  std::string tell(std::string_view text, std::size_t most_characters);

  const redact::Policy& policy() const { return policy_; }

  /// Texts from which secrets went, and every personal detail that did.
  std::uint64_t redacted() const { return redacted_; }

 private:
  redact::Policy policy_;
  std::uint64_t redacted_ = 0;
};

}  // namespace daybook::recall

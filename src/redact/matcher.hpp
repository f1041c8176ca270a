// SPDX-License-Identifier: MIT
//
// One place of a line -> what begins there and must not stay: the first of the rules that its
// character calls for. Literals, and numbers of persons, are not among them: they may begin
// anywhere. Pure.
#pragma once

#include "daybook/redact/sanitizer.hpp"
#include "redact/candidates.hpp"
#include "redact/cursor.hpp"

namespace daybook::redact {

class Matcher {
 public:
  Matcher(const Candidates& candidates, Pii pii)
      : candidates_(candidates), pii_(pii == Pii::redacted) {}

  Hit match(const Cursor& cursor) const;
  /// Whether the line ends with the mere beginning of a token there.
  bool breaks_off(const Cursor& cursor) const;

 private:
  Hit match_tokens(const Cursor& cursor) const;

  const Candidates& candidates_;
  bool pii_;
};

}  // namespace daybook::redact

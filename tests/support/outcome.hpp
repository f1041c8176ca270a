// SPDX-License-Identifier: MIT
//
// A Result in one word, for tests that compare many.
#pragma once

#include "daybook/base/result.hpp"

#include <string>

namespace daybook::support {

template <typename T>
std::string outcome_of(const Result<T>& result) {
  if (result.ok()) {
    return "ok";
  }
  switch (result.error().kind) {
    case ErrorKind::already_exists:
      return "already_exists";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::not_permitted:
      return "not_permitted";
    case ErrorKind::not_regular:
      return "not_regular";
    case ErrorKind::io:
      return "io";
    default:
      return "another kind";
  }
}

}  // namespace daybook::support

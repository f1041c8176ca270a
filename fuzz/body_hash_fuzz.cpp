// SPDX-License-Identifier: MIT
//
// However a body is cut into pieces, its hash, its seal and its UTF-8 verdict stay the same.
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/body_hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = daybook::base;
  namespace lineage = daybook::lineage;
  if (size == 0) {
    return 0;
  }
  // The first byte says how large the pieces are.
  const std::size_t step = 1 + data[0] % 17;
  const std::string_view body(reinterpret_cast<const char*>(data + 1), size - 1);
  lineage::BodyHasher hasher;
  lineage::FileSealer sealer;
  base::Utf8Validator validator;
  bool valid = true;
  for (std::size_t at = 0; at < body.size(); at += step) {
    const std::string_view piece = body.substr(at, step);
    hasher.update(piece);
    sealer.update(piece);
    valid = validator.feed(piece) && valid;
  }
  valid = validator.finish() && valid;
  const std::size_t invalid = base::first_invalid_utf8(body);
  const bool same =
      hasher.finish() == lineage::body_hash(body) && sealer.finish() == lineage::file_seal(body) &&
      valid == (invalid == base::kAllValid) && (valid || validator.error_offset() == invalid);
  if (!same) {
    std::abort();
  }
  return 0;
}

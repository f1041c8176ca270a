// SPDX-License-Identifier: MIT
//
// `body-normalized-v1`: CRLF and CR become LF, blanks and tabs at line ends and blank lines at the
// end are removed, the result has no final newline; SHA-256 over it. One pass, no copy of the body,
// constant memory also for a body of a gigabyte that arrives in pieces. And the seal of a whole
// file: only a BOM and line ends are evened out. One hasher belongs to one thread. Cannot fail.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/base/text_survey.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace daybook::lineage {

inline constexpr std::string_view kHashScope = "body-normalized-v1";

class BodyHasher {
 public:
  /// Pieces may be cut anywhere.
  void update(std::string_view piece);
  base::Digest finish();

 private:
  void end_line();
  void blanks(std::string_view run);
  void text(std::string_view run);

  base::Sha256 sha_;
  std::uint64_t pending_newlines_ = 0;  // fed only when text follows: blank lines at the end vanish
  bool blanks_since_mark_ = false;      // blanks were fed; at a line end they are taken back
  bool after_cr_ = false;
};

base::Digest body_hash(std::string_view body);
/// The same with one look less, for a body within a text whose traits are known.
base::Digest body_hash(std::string_view body, const base::TextTraits& traits);

/// How many bytes that hash covers; counted no further than it takes to know that there are
/// `enough`. Tombstones name bodies by their hash only from kLeastNamedBody on: shorter ones are
/// boilerplate that unrelated sessions share.
std::uint64_t normalized_size(std::string_view body,
                              std::uint64_t enough = static_cast<std::uint64_t>(-1));
inline constexpr std::uint64_t kLeastNamedBody = 64;

/// SHA-256 of a file without BOM and with LF line ends, in pieces.
class FileSealer {
 public:
  void update(std::string_view piece);
  base::Digest finish();

 private:
  void feed(std::string_view piece);

  base::Sha256 sha_;
  bool after_cr_ = false;
  std::size_t bom_bytes_seen_ = 0;  // of the three that a BOM has; 3 = past the beginning
};

base::Digest file_seal(std::string_view file);
base::Digest file_seal(std::string_view file, const base::TextTraits& traits);

}  // namespace daybook::lineage

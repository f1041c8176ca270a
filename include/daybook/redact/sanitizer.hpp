// SPDX-License-Identifier: MIT
//
// Text of a session -> the same text without secrets and, by policy, without personal data:
// `sanitize_transcript_v1`. The rules are frozen (docs/SANITIZER.md, golden files in tests/redact);
// other rules are another version. Same input, same output; sanitising twice changes nothing;
// pieces may be cut anywhere. Linear time; holds about 1.5 MiB, however long the text or a line of
// it. One Sanitizer belongs to one thread. Cannot fail; does no I/O.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::redact {

inline constexpr std::string_view kSanitizerVersion = "sanitize_transcript_v1";

enum class Pii : std::uint8_t { redacted, kept };

struct Policy {
  Pii pii = Pii::redacted;
  /// Texts that the operator never wants to see stored, matched exactly. Those that read_literals()
  /// would refuse are passed over.
  std::vector<std::string> literals;
};

struct Finding {
  std::string_view shape;  ///< a stable name such as "github-token"; lives for ever
  std::uint64_t line = 0;  ///< of the input, from 1
};

inline constexpr std::size_t kMostFindings = 1000;

struct Report {
  std::uint64_t secrets = 0;
  std::uint64_t pii = 0;
  std::uint64_t replaced_bytes = 0;  ///< invalid UTF-8, each now U+FFFD
  std::uint64_t removed_bytes = 0;   ///< control characters and the terminal sequences they begin
  std::vector<Finding> findings;     ///< the first kMostFindings, in the order of the text
  std::map<std::string, std::uint64_t> by_shape;
};

class Sanitizer {
 public:
  /// The policy must outlive it.
  explicit Sanitizer(const Policy& policy);
  ~Sanitizer();
  Sanitizer(const Sanitizer&) = delete;
  Sanitizer& operator=(const Sanitizer&) = delete;

  /// Appends to `out` what is settled.
  void feed(std::string_view piece, std::string& out);
  /// Appends the rest. Nothing may be fed after it.
  void finish(std::string& out);

  const Report& report() const;

  /// Bytes that were looked at beyond the one look that every byte gets: a measure of work that
  /// does not depend on the machine.
  std::uint64_t work() const;
  /// Bytes that wait for more text.
  std::size_t held_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sanitize(std::string_view text, const Policy& policy, Report* report = nullptr);

}  // namespace daybook::redact

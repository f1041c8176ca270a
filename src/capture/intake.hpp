// SPDX-License-Identifier: MIT
//
// Text from outside -> text that may be kept: a transcript streamed through renderer and sanitizer
// into the spool, short fields cleaned, bodies without links that nobody here has made. Memory does
// not grow with the transcript. One thread; failure leaves at most a temporary in the spool.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/artifact_writer.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/harness/session_file.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::capture {

/// What was redacted or repaired on the way.
struct IntakeCounts {
  std::uint64_t secrets = 0;
  std::uint64_t pii = 0;
  std::uint64_t replaced_bytes = 0;

  void add(const redact::Report& report);
};

struct TakenTranscript {
  base::Digest sha256{};  ///< of the normalised body
  std::uint64_t bytes = 0;
  std::string beginning;            ///< of the sanitised text, at most kBeginning
  std::string ending;               ///< and its end, if it is longer
  harness::SessionOutline outline;  ///< its texts sanitised
};

inline constexpr std::size_t kBeginning = std::size_t{64} * 1024;

/// Nothing in it: `bytes` is 0.
Result<TakenTranscript> take_transcript(const canon::BodySource& raw,
                                        std::optional<harness::Format> format,
                                        const redact::Policy& policy,
                                        SpoolWriter& spool,
                                        IntakeCounts& counts);

/// A whole text: sanitised, ending with a line feed; empty when there is nothing in it.
std::string take_text(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts);

/// The same for the body of a summary or a compaction: what reads as a link becomes plain text,
/// because a link among canonical files is a statement that only Daybook makes.
std::string take_body(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts);

/// A short field, without the line feed at its end.
std::string take_field(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts);

/// Ids name a session, so two that differ must not become one: an id that holds something to be
/// redacted is replaced by a hash of itself.
std::string take_id(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts);

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
//
// One line -> the line without what must not stay. A line is gone over until nothing changes any
// more, each time from left to right; so what comes out is left alone by a second sanitising. One
// that does not come to rest in kMostPasses becomes a single marker. What a line says about the
// next ones is in LineState. One LineRedactor belongs to one thread.
#pragma once

#include "daybook/redact/sanitizer.hpp"
#include "redact/candidates.hpp"
#include "redact/cursor.hpp"
#include "redact/matcher.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace daybook::redact {

inline constexpr int kMostPasses = 6;
/// In how many lines behind an id its secret is looked for.
inline constexpr int kNearLines = 4;

/// What the lines before say about a line.
struct LineState {
  bool wrapped = false;     ///< a token was cut by the line's end: the rest of it follows
  bool broken_off = false;  ///< the line ends with the mere beginning of a token, which stayed
  int near_aws_id = 0;      ///< lines in which the id's secret may stand
  int near_twilio_id = 0;

  bool neutral() const {
    return !wrapped && !broken_off && near_aws_id == 0 && near_twilio_id == 0;
  }
};

/// The part of a line that may be changed; all of it, but for lines that are worked on in windows.
struct Span {
  std::size_t from = 0;
  std::size_t to = static_cast<std::size_t>(-1);
};

struct LineOutcome {
  LineState next;            ///< for the line that follows
  bool opens_key = false;    ///< a private key goes on there
  bool touches_end = false;  ///< something was found that goes on where the text ends
};

class LineRedactor {
 public:
  LineRedactor(const Policy& policy, Report& report);

  /// Start of the first thing in [begin, end), which may be many lines, that redact() has to see;
  /// or `end`. Matchers see the line that it stands on, as they do in redact(), and no other.
  const char* first_event(const char* begin, const char* end);

  /// Replaces `line`, which has no newline.
  LineOutcome redact(std::string& line,
                     const LineState& state,
                     std::uint64_t number,
                     Span span = {});

  std::uint64_t work() const { return work_; }

 private:
  struct Pass;

  bool redact_literals(std::string& line, std::uint64_t number, Span& span, LineOutcome& outcome);
  void take_over(std::string& line, Span& span);
  Hit match_literal(const Cursor& cursor) const;
  void scan(Pass& pass);
  bool try_here(Pass& pass, const char* at);
  bool apply(Pass& pass, const char* at, const Hit& hit);
  void take_literals(Pass& pass);
  void continue_token(Pass& pass, const LineState& state, bool first);
  void redact_near_ids(Pass& pass, const LineState& state);
  void found(const Hit& hit, std::uint64_t number);

  LiteralSet literals_;
  std::unique_ptr<Candidates> own_candidates_;  // if there are literals
  const Candidates& candidates_;
  Matcher matcher_;
  bool pii_;
  Report& report_;
  std::uint64_t work_ = 0;
  std::string scratch_;
};

}  // namespace daybook::redact

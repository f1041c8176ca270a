// SPDX-License-Identifier: MIT
#include "redact/line_redactor.hpp"

#include "daybook/base/utf8.hpp"
#include "redact/candidate_scan.hpp"
#include "redact/near_ids.hpp"
#include "redact/numbers.hpp"
#include "redact/wrapping.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace daybook::redact {
namespace {

constexpr std::size_t kLeastBrokenOff = 9;  // of the rest of a token that only just began
constexpr std::size_t kLookWrapped = 256;

/// Nothing else begins with these: they are looked at because a digit follows.
bool only_numbers(char c) { return c == '\\' || c == '\n' || is(c, kBlank | kQuote); }

/// An id of its own, not the rest of something.
bool is_uuid(std::string_view run) {
  constexpr std::size_t kSize = 36;
  if (run.size() != kSize) {
    return false;
  }
  for (std::size_t i = 0; i < kSize; ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen ? run[i] != '-' : !is(run[i], kDigit | kHexLetter)) {
      return false;
    }
  }
  return true;
}

/// The line of a text that holds a place, for places that come in order. Each byte is looked at
/// once or twice, however many places there are.
class LineAround {
 public:
  LineAround(const char* text, const char* text_end)
      : begin_(text), end_(find_end(text, text_end)), text_end_(text_end) {}

  void move_to(const char* at) {
    if (at <= end_) {
      return;
    }
    begin_ = at;
    while (begin_[-1] != '\n') {
      --begin_;  // at most to the end of the line before
    }
    end_ = find_end(at, text_end_);
  }

  const char* begin() const { return begin_; }
  const char* end() const { return end_; }

 private:
  static const char* find_end(const char* from, const char* end) {
    const void* const found = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
    return found == nullptr ? end : static_cast<const char*>(found);
  }

  const char* begin_;
  const char* end_;
  const char* text_end_;
};

std::unique_ptr<Candidates> candidates_with(const LiteralSet& literals, Pii pii) {
  if (literals.empty()) {
    return nullptr;
  }
  auto candidates = std::make_unique<Candidates>(Candidates::shared(pii));
  candidates->add(literals);
  return candidates;
}

std::string_view without_blanks_at_end(std::string_view text) {
  while (!text.empty() && is(text.back(), kBlank)) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

/// One time over a line: what was read so far, and what stands for it.
struct LineRedactor::Pass {
  std::string_view text;
  Span span;
  std::uint64_t number;
  std::string& out;
  const char* copied;  // everything before is in `out`
  LineOutcome outcome{};
  std::vector<std::size_t> aws_ids{};  // where they stand in `out`
  std::vector<std::size_t> twilio_ids{};
  bool changed = false;

  const char* end() const { return text.data() + text.size(); }
  void copy_to(const char* place) {
    out.append(copied, static_cast<std::size_t>(place - copied));
    copied = place;
  }
  Cursor cursor(std::uint64_t* work) const {
    return {out.data(), out.data() + out.size(), copied, end(), work};
  }
};

LineRedactor::LineRedactor(const Policy& policy, Report& report)
    : literals_(policy.literals),
      own_candidates_(candidates_with(literals_, policy.pii)),
      candidates_(own_candidates_ ? *own_candidates_ : Candidates::shared(policy.pii)),
      matcher_(candidates_, policy.pii),
      pii_(policy.pii == Pii::redacted),
      report_(report) {}

Hit LineRedactor::match_literal(const Cursor& cursor) const {
  Hit hit;
  hit.consume = literals_.match(cursor.rest());
  if (hit.consume > 0) {
    hit.marker = kMarker;
    hit.shape = "literal";
  }
  return hit;
}

const char* LineRedactor::first_event(const char* begin, const char* end) {
  LineAround line(begin, end);
  const auto cursor_at = [&](const char* at) {
    line.move_to(at);
    return Cursor{line.begin(), at, at, line.end(), &work_};
  };
  if (pii_ && begin < end && is(*begin, kDigit) && match_number(cursor_at(begin))) {
    return begin;
  }
  CandidateScan scan(candidates_, begin, end, end);
  for (const char* at = scan.next(begin); at < end; at = scan.next(at + 1)) {
    ++work_;
    const Cursor cursor = cursor_at(at);
    if ((!literals_.empty() && match_literal(cursor)) ||
        (!only_numbers(*at) && matcher_.match(cursor))) {
      return at;
    }
    if (pii_ && !is(*at, kAlnum)) {
      const char* const number = at + (*at == '\\' ? 2 : 1);
      if (number < end && is(*number, kDigit) && match_number(cursor_at(number))) {
        return number;  // the place before it may be the end of another line
      }
    }
    if (is(*at, kAlnum) && (is_twilio_id(cursor) || matcher_.breaks_off(cursor))) {
      return at;
    }
  }
  return end;
}

void LineRedactor::found(const Hit& hit, std::uint64_t number) {
  ++(hit.pii ? report_.pii : report_.secrets);
  ++report_.by_shape[std::string(hit.shape)];
  if (report_.findings.size() < kMostFindings) {
    report_.findings.push_back({hit.shape, number});
  }
}

bool LineRedactor::apply(Pass& pass, const char* at, const Hit& hit) {
  pass.copy_to(at + hit.keep);
  // What was kept stands between what is erased and the marker only if nothing is erased.
  pass.out.resize(base::character_begin(pass.out, pass.out.size() - hit.erase));
  pass.out.append(hit.marker);
  pass.copied = at + hit.keep + hit.consume;
  while (pass.copied < pass.end() && base::continues_character(*pass.copied)) {
    ++pass.copied;  // never half a character, whatever bound a matcher met
  }
  pass.changed = true;
  if (hit.marker == kKeyMarker) {
    pass.outcome.opens_key = hit.opens_key;
  }
  pass.outcome.touches_end = pass.copied == pass.end();
  pass.outcome.next.wrapped = hit.wraps;
  // Whatever rule it was: if there was an id in it, what that belongs to may stand near.
  const std::string_view erased = between(at, pass.copied);
  if (holds_aws_id(erased)) {
    pass.outcome.next.near_aws_id = kNearLines;
    pass.aws_ids.push_back(pass.out.size());
  }
  if (holds_twilio_id(erased)) {
    pass.outcome.next.near_twilio_id = kNearLines;
    pass.twilio_ids.push_back(pass.out.size());
  }
  found(hit, pass.number);
  return true;
}

bool LineRedactor::try_here(Pass& pass, const char* at) {
  pass.copy_to(at);
  const Cursor cursor = pass.cursor(&work_);
  if (const Hit hit = matcher_.match(cursor); hit) {
    return apply(pass, at, hit);
  }
  if (is(*at, kAlnum)) {
    if (is_twilio_id(cursor)) {
      pass.twilio_ids.push_back(pass.out.size());
    }
    pass.outcome.next.broken_off = pass.outcome.next.broken_off || matcher_.breaks_off(cursor);
  }
  const char* const number = at + (*at == '\\' ? 2 : 1);
  if (!pii_ || number >= pass.end() || !is(*number, kDigit)) {
    return false;
  }
  pass.copy_to(number);
  if (const Hit hit = match_number(pass.cursor(&work_)); hit) {
    return apply(pass, number, hit);
  }
  // Something else may begin between here and the number.
  pass.out.resize(pass.out.size() - static_cast<std::size_t>(number - at));
  pass.copied = at;
  return false;
}

void LineRedactor::scan(Pass& pass) {
  const char* const stop = pass.text.data() + std::min(pass.span.to, pass.text.size());
  if (pii_ && pass.copied < stop && is(*pass.copied, kDigit) && pass.out.empty()) {
    if (const Hit hit = match_number(pass.cursor(&work_)); hit) {
      apply(pass, pass.copied, hit);
    }
  }
  const char* at = pass.copied;
  CandidateScan places(candidates_, at, stop, pass.end());
  while (true) {
    at = places.next(at);
    if (at >= stop) {
      break;
    }
    ++work_;
    at = try_here(pass, at) ? pass.copied : at + 1;
  }
  pass.copy_to(pass.end());
}

void LineRedactor::take_literals(Pass& pass) {
  const char* const stop = pass.text.data() + std::min(pass.span.to, pass.text.size());
  const char* at = pass.copied;
  CandidateScan places(candidates_, at, stop, pass.end());
  while (true) {
    at = places.next(at);
    if (at >= stop) {
      break;
    }
    pass.copy_to(at);
    const Hit hit = match_literal(pass.cursor(&work_));
    if (hit) {
      apply(pass, at, hit);
    }
    at = hit ? pass.copied : at + 1;
  }
  pass.copy_to(pass.end());
}

void LineRedactor::continue_token(Pass& pass, const LineState& state, bool first) {
  if (!(state.wrapped && first) && !state.broken_off) {
    return;
  }
  const char* const begin = pass.text.data() + wrapped_prefix(pass.text);
  const char* const looked = run_end(begin, pass.end(), kSecretRun, kLookWrapped);
  const std::string_view run = between(begin, looked);
  const std::size_t least = state.wrapped && first ? 8 : kLeastBrokenOff;
  if (run.size() < least || !looks_random(run) || (!state.wrapped && is_uuid(run))) {
    return;
  }
  Hit hit;
  const char* const token_end = end_of_pieces(run_end(looked, pass.end(), kSecretRun), pass.end());
  hit.consume = static_cast<std::size_t>(token_end - begin);
  hit.marker = kMarker;
  hit.shape = "wrapped-token";
  hit.wraps = wraps_here(token_end, pass.end());
  apply(pass, begin, hit);
}

/// Runs of the length of a secret near the id that it belongs to: on its line, or at the beginning
/// of the next ones.
void LineRedactor::redact_near_ids(Pass& pass, const LineState& state) {
  const bool begins = pass.span.from == 0;
  const NearIds aws(pass.aws_ids, begins && state.near_aws_id > 0);
  const NearIds twilio(pass.twilio_ids, begins && state.near_twilio_id > 0);
  if (aws.none() && twilio.none()) {
    return;
  }
  const std::string line = std::move(pass.out);
  pass.out.clear();
  const char* const end = line.data() + line.size();
  const std::size_t raw = pass.text.size() - std::min(pass.text.size(), pass.span.to);
  const char* at = line.data();
  while (at < end) {
    const char* const run = base64_end(at, end);
    const auto place = static_cast<std::size_t>(at - line.data());
    const bool in_span =
        place >= pass.span.from && place < line.size() - std::min(raw, line.size());
    Hit hit;
    if (in_span) {
      hit.shape = secret_of_id({line.data(), place}, between(at, run), aws, twilio);
    }
    if (hit.shape.empty()) {
      pass.out.append(at, run);
    } else {
      found(hit, pass.number);
      pass.out.append(kMarker);
      pass.changed = true;
    }
    at = run < end ? run + 1 : run;
    pass.out.append(run, static_cast<std::size_t>(at - run));
  }
}

bool LineRedactor::redact_literals(std::string& line,
                                   std::uint64_t number,
                                   Span& span,
                                   LineOutcome& outcome) {
  if (literals_.empty()) {
    return false;
  }
  scratch_.clear();
  Pass pass{line, span, number, scratch_, line.data()};
  pass.copy_to(line.data() + std::min(span.from, line.size()));
  take_literals(pass);
  outcome.touches_end = outcome.touches_end || pass.outcome.touches_end;
  if (pass.changed) {
    take_over(line, span);
  }
  return pass.changed;
}

/// The line is now what was made of it. The span's end is where text begins that was not worked on
/// yet; it stays that far from the line's end.
void LineRedactor::take_over(std::string& line, Span& span) {
  if (span.to != Span{}.to) {
    span.to = scratch_.size() - (line.size() - std::min(line.size(), span.to));
  }
  line.swap(scratch_);
}

LineOutcome LineRedactor::redact(std::string& line,
                                 const LineState& state,
                                 std::uint64_t number,
                                 Span span) {
  LineOutcome outcome;
  bool first = true;
  int erased_twilio_id = 0;
  for (int turn = 0; turn < kMostPasses; ++turn) {
    if (span.to == Span{}.to) {
      line.resize(without_blanks_at_end(line).size());
    }
    if (redact_literals(line, number, span, outcome)) {
      continue;
    }
    scratch_.clear();
    Pass pass{line, span, number, scratch_, line.data()};
    pass.copy_to(line.data() + std::min(span.from, line.size()));
    if (span.from == 0) {
      continue_token(pass, state, first);
    }
    first = false;
    scan(pass);
    redact_near_ids(pass, state);
    outcome.opens_key = outcome.opens_key || pass.outcome.opens_key;
    outcome.touches_end = outcome.touches_end || pass.outcome.touches_end;
    outcome.next.wrapped = outcome.next.wrapped || pass.outcome.next.wrapped;
    outcome.next.near_aws_id = std::max(outcome.next.near_aws_id, pass.outcome.next.near_aws_id);
    erased_twilio_id = std::max(erased_twilio_id, pass.outcome.next.near_twilio_id);
    outcome.next.near_twilio_id = pass.twilio_ids.empty() ? erased_twilio_id : kNearLines;
    outcome.next.broken_off = pass.outcome.next.broken_off;
    if (!pass.changed) {
      return outcome;
    }
    take_over(line, span);
  }
  std::size_t from = std::min(span.from, line.size());
  while (from < line.size() && base::continues_character(line[from])) {
    ++from;  // not within a character
  }
  line.replace(from, std::string::npos, kMarker);
  outcome.next.broken_off = false;
  outcome.next.near_twilio_id = 0;
  return outcome;
}

}  // namespace daybook::redact

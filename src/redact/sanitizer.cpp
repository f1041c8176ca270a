// SPDX-License-Identifier: MIT
#include "daybook/redact/sanitizer.hpp"

#include "redact/cleaner.hpp"
#include "redact/line_redactor.hpp"
#include "redact/line_writer.hpp"
#include "redact/private_keys.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace daybook::redact {
namespace {

constexpr std::size_t kSlice = 65536;         // of the input, cleaned at a time
constexpr std::size_t kWindow = 512 * 1024;   // a longer line is worked on in windows of this size
constexpr std::size_t kContext = 2 * kReach;  // of a window: seen, not changed
constexpr std::size_t kMostOpenLine = 4096;   // that waits for the rest of a line behind a key

std::uint64_t newlines_in(std::string_view text) {
  std::uint64_t count = 0;
  std::size_t at = 0;
#ifdef __SSE2__
  const __m128i newline = _mm_set1_epi8('\n');
  while (at + 16 <= text.size()) {
    __m128i counts = _mm_setzero_si128();  // of each of 16 places; at most 255
    for (int i = 0; i < 255 && at + 16 <= text.size(); ++i, at += 16) {
      const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
      counts = _mm_sub_epi8(counts, _mm_cmpeq_epi8(block, newline));
    }
    const __m128i sums = _mm_sad_epu8(counts, _mm_setzero_si128());
    count += static_cast<std::uint64_t>(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
  }
#endif
  return count + static_cast<std::uint64_t>(
                     std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n'));
}

bool ends_swallowing(char c) { return is(c, kBlank | kQuote); }

}  // namespace

/// Clean text -> lines. Most text is whole lines without any event, which are copied as they are; a
/// line with one, or near one, is redacted by itself.
class Sanitizer::Impl {
 public:
  explicit Impl(const Policy& policy) : redactor_(policy, report_) {}

  void feed(std::string_view piece, std::string& out) {
    writer_.write_to(out);
    for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), kSlice))) {
      const std::size_t old = buffer_.size();
      cleaner_.feed(piece.substr(0, kSlice), buffer_);
      drain(old);
    }
  }

  void finish(std::string& out) {
    writer_.write_to(out);
    const std::size_t old = buffer_.size();
    cleaner_.finish(buffer_);
    drain(old);
    if (in_long_line_ || !buffer_.empty()) {
      buffer_.push_back('\n');
      drain(buffer_.size() - 1);
    }
    close_key();
    writer_.finish();
    update();
  }

  const Report& report() {
    update();
    return report_;
  }
  std::uint64_t work() const { return redactor_.work(); }
  std::size_t held_bytes() const {
    return buffer_.capacity() + long_.capacity() + line_.capacity() + open_line_.capacity();
  }

 private:
  void update() {
    report_.replaced_bytes = cleaner_.replaced_bytes();
    report_.removed_bytes = cleaner_.removed_bytes();
  }

  /// Works through what is complete; what was there before `old` has no newline.
  void drain(std::size_t old) {
    std::size_t at = 0;
    if (in_long_line_) {
      at = add_to_long_line(0);
      if (in_long_line_) {
        buffer_.clear();
        return;
      }
    }
    const std::size_t searched = std::max(at, old);
    const std::size_t found = std::string_view(buffer_).substr(searched).rfind('\n');
    if (found != std::string_view::npos) {
      const std::size_t newline = searched + found;
      lines(std::string_view(buffer_).substr(at, newline + 1 - at));
      at = newline + 1;
    }
    buffer_.erase(0, at);
    if (buffer_.size() > kWindow) {
      begin_long_line();
      add_to_long_line(0);
      buffer_.clear();
    }
  }

  /// Whole lines.
  void lines(std::string_view text) {
    while (!text.empty()) {
      if (!state_.neutral() || key_is_open_) {
        const std::size_t size = text.find('\n');
        line(text.substr(0, size));
        text.remove_prefix(size + 1);
        continue;
      }
      const char* const end = text.data() + text.size();
      const char* const event = redactor_.first_event(text.data(), end);
      if (event == end) {
        unchanged(text);
        return;
      }
      const std::size_t offset = static_cast<std::size_t>(event - text.data());
      const std::size_t before =
          offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
      const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
      unchanged(text.substr(0, start));
      text.remove_prefix(start);
      const std::size_t size = text.find('\n');
      line(text.substr(0, size));
      text.remove_prefix(size + 1);
    }
  }

  void unchanged(std::string_view text) {
    if (text.empty()) {
      return;
    }
    writer_.lines(text);
    number_ += newlines_in(text);
  }

  /// One line, without its newline.
  void line(std::string_view text) {
    if (text.size() > kWindow) {
      begin_long_line();
      add_to_long_line(text);
      end_long_line();
      return;
    }
    line_.assign(text);
    if (key_is_open_ && belongs_to_key()) {
      ++number_;
      return;
    }
    settle();
    ++number_;
  }

  /// The line is part of the open key, or may be. If the key ends on it, what follows is put behind
  /// its marker.
  bool belongs_to_key() {
    const KeyLineVerdict verdict = key_.judge(line_);
    switch (verdict.kind) {
      case KeyLine::inside:
        waiting_.clear();
        return true;
      case KeyLine::waits:
        waiting_.push_back(line_);
        return true;
      case KeyLine::beside:
      case KeyLine::outside:
        write_open_line();
        key_is_open_ = verdict.kind == KeyLine::beside;
        return false;
      case KeyLine::ends_it:
        break;
    }
    waiting_.clear();
    line_.erase(0, verdict.size);
    if (open_line_.size() > kMostOpenLine || open_line_.empty()) {
      close_key();
      return line_.empty();
    }
    open_line_.resize(std::min(open_line_.size(), behind_open_key(open_line_)));
    line_.insert(0, open_line_);
    open_line_.clear();
    key_is_open_ = false;
    return false;
  }

  void close_key() {
    write_open_line();
    key_is_open_ = false;
  }

  /// What waited for the rest of the key: its marker, and lines that turn out to be text.
  void write_open_line() {
    if (!open_line_.empty()) {
      writer_.line(open_line_);
      open_line_.clear();
      advance(open_next_);
    }
    if (waiting_.empty()) {
      return;
    }
    const std::string current = std::move(line_);
    const std::uint64_t number = number_;
    number_ -= waiting_.size();
    for (const std::string& waited : waiting_) {
      line_ = waited;
      const LineOutcome outcome = redactor_.redact(line_, state_, number_++);
      writer_.line(line_);
      advance(outcome.next);
    }
    waiting_.clear();
    number_ = number;
    line_ = current;
  }

  /// Redacts line_ and writes it, or keeps it while a key is open.
  void settle() {
    const LineOutcome outcome = redactor_.redact(line_, state_, number_);
    if (outcome.opens_key && open_key(line_)) {
      open_line_.swap(line_);
      open_next_ = outcome.next;
      open_next_.wrapped = false;
      state_.wrapped = false;
      return;
    }
    writer_.line(line_);
    advance(outcome.next);
  }

  /// Nothing but the key stands at the end of this line.
  bool open_key(std::string_view line) {
    const bool alone = behind_open_key(line) != std::string_view::npos;
    key_is_open_ = true;
    key_.open(!alone);
    return alone;
  }

  /// A line was written: what it says about the next.
  void advance(const LineState& next) {
    state_.wrapped = next.wrapped;
    state_.broken_off = next.broken_off;
    state_.near_aws_id = std::max(next.near_aws_id, std::max(0, state_.near_aws_id - 1));
    state_.near_twilio_id = std::max(next.near_twilio_id, std::max(0, state_.near_twilio_id - 1));
  }

  // --- lines longer than a window
  // -----------------------------------------------------------------

  void begin_long_line() {
    close_key();
    in_long_line_ = true;
    swallowing_ = false;
    context_ = 0;
    long_.clear();
    long_.reserve(kWindow);
  }

  /// From buffer_; returns what was taken, with the newline if the line ends.
  std::size_t add_to_long_line(std::size_t from) {
    const std::size_t newline = buffer_.find('\n', from);
    add_to_long_line(std::string_view(buffer_).substr(
        from, newline == std::string::npos ? newline : newline - from));
    if (newline == std::string::npos) {
      return buffer_.size();
    }
    end_long_line();
    return newline + 1;
  }

  void add_to_long_line(std::string_view text) {
    while (!text.empty()) {
      if (swallowing_) {
        const auto* const end = std::find_if(text.begin(), text.end(), ends_swallowing);
        swallowing_ = end == text.end();
        text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
        continue;
      }
      if (long_.size() >= kWindow) {
        work_on_window();
        continue;
      }
      const std::size_t taken = std::min(text.size(), kWindow - long_.size());
      long_.append(text.substr(0, taken));
      text.remove_prefix(taken);
    }
  }

  /// Everything but the end of the window is settled, because matchers look no further than kReach.
  void work_on_window() {
    const Span span{context_, long_.size() - kContext};
    const LineOutcome outcome = redactor_.redact(long_, state_, number_, span);
    long_line_next_.near_aws_id = std::max(long_line_next_.near_aws_id, outcome.next.near_aws_id);
    state_.wrapped = state_.broken_off = false;
    swallowing_ = outcome.touches_end;
    const std::size_t kept = std::min(long_.size(), 3 * kContext);
    writer_.part(std::string_view(long_).substr(0, long_.size() - kept));
    long_.erase(0, long_.size() - kept);
    context_ = std::min(kept, kContext);
  }

  void end_long_line() {
    LineOutcome outcome = redactor_.redact(long_, state_, number_, {context_});
    writer_.part(long_);
    writer_.line({});
    outcome.next.near_aws_id = std::max(outcome.next.near_aws_id, long_line_next_.near_aws_id);
    long_line_next_ = {};
    in_long_line_ = false;
    ++number_;
    advance(outcome.next);
    if (outcome.opens_key) {
      open_key(long_);
    }
  }

  Report report_;
  Cleaner cleaner_;
  LineRedactor redactor_;
  LineWriter writer_;
  OpenKey key_;
  LineState state_;
  LineState long_line_next_;
  LineState open_next_;    // what open_line_ says about the next line
  std::string buffer_;     // clean text that was not worked on yet
  std::string line_;       // the one that is worked on
  std::string open_line_;  // holds the marker of a key that is still open; empty if it was written
  std::vector<std::string> waiting_;  // lines behind it that may be part of the key
  std::string long_;                  // the window of a long line
  std::uint64_t number_ = 1;
  std::size_t context_ = 0;  // bytes at the beginning of the window that are settled
  bool key_is_open_ = false;
  bool in_long_line_ = false;
  bool swallowing_ = false;  // what was found goes on to the next blank or quote
};

Sanitizer::Sanitizer(const Policy& policy) : impl_(std::make_unique<Impl>(policy)) {}
Sanitizer::~Sanitizer() = default;

void Sanitizer::feed(std::string_view piece, std::string& out) { impl_->feed(piece, out); }
void Sanitizer::finish(std::string& out) { impl_->finish(out); }
const Report& Sanitizer::report() const { return impl_->report(); }
std::uint64_t Sanitizer::work() const { return impl_->work(); }
std::size_t Sanitizer::held_bytes() const { return impl_->held_bytes(); }

std::string sanitize(std::string_view text, const Policy& policy, Report* report) {
  std::string out;
  out.reserve(text.size() + 1);
  Sanitizer sanitizer(policy);
  sanitizer.feed(text, out);
  sanitizer.finish(out);
  if (report != nullptr) {
    *report = sanitizer.report();
  }
  return out;
}

}  // namespace daybook::redact

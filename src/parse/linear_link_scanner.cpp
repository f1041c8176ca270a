// SPDX-License-Identifier: MIT
//
// The line scanner: pieces of a body -> wikilinks. What it reports does not depend on where the
// pieces were cut, because it only ever looks at whole lines, or at windows counted from the start
// of a line that is too long to be kept whole.
#include "daybook/parse/wikilinks.hpp"
#include "parse/link_candidates.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace daybook::parse {
namespace {

constexpr std::size_t kWindow = 64 * 1024;        // as much of one line as is looked at together
constexpr std::size_t kHalfWindow = kWindow / 2;  // every window gets the scanner at least this far
// The end of a window is scanned with the next one. Longer than a link, so none is cut.
constexpr std::size_t kOverlap = kMaxLinkBytes + 64;
constexpr std::size_t kMaxBackticks = 80;  // cmark-gfm does not take longer runs for code either

/// The code spans of one text, looked up from left to right.
class CodeSpans {
 public:
  /// `undecided_from`: kNone if the text is all there is. Else it goes on, so that a run of
  /// backticks at its end may be longer than it seems, and one behind that offset may be closed by
  /// what follows.
  CodeSpans(std::string_view text, std::size_t undecided_from)
      : text_(text), undecided_from_(undecided_from), run_(text.find('`')) {}

  /// The end of the code span around `at`, else nothing. `at` never decreases.
  std::optional<std::size_t> end_around(std::size_t at) {
    while (run_ < at) {
      const std::size_t end = read_span(run_);
      run_ = text_.find('`', end);
      if (end > at) {
        return end;
      }
    }
    return std::nullopt;
  }

  /// The first run so far that begins a code span if what follows the text closes it.
  std::size_t undecided() const { return undecided_; }

 private:
  /// The end of the code span that begins at `open`, or of the backticks there that begin none.
  std::size_t read_span(std::size_t open) {
    if (is_escaped(text_, open)) {
      ++open;
    }
    const std::size_t length = run_length(open);
    const std::size_t end = open + length;
    if (length == 0 || length > kMaxBackticks) {
      return end;
    }
    survey_runs();
    if (last_[length] <
        end) {  // nothing can close it: no search, or many of them would be quadratic
      undecided_ = open >= undecided_from_ ? std::min(open, undecided_) : undecided_;
      return end;
    }
    std::size_t close = text_.find('`', end);
    while (run_length(close) != length) {
      close = text_.find('`', close + run_length(close));
    }
    return close + length;
  }

  std::size_t run_length(std::size_t at) const {
    return std::min(text_.find_first_not_of('`', at), text_.size()) - at;
  }

  /// Notes where the last run of each length begins.
  void survey_runs() {
    if (surveyed_) {
      return;
    }
    surveyed_ = true;
    for (std::size_t at = text_.find('`'); at != kNone;) {
      const std::size_t length = run_length(at);
      const bool cut = undecided_from_ != kNone && at + length == text_.size();
      if (length <= kMaxBackticks && !cut) {
        last_[length] = at;
      }
      at = text_.find('`', at + length);
    }
  }

  std::string_view text_;
  std::size_t undecided_from_;
  std::size_t undecided_ = kNone;
  std::size_t run_ = 0;  // the next run of backticks that no code span contains
  bool surveyed_ = false;
  std::array<std::size_t, kMaxBackticks + 1> last_{};
};

/// Up to where a window can be judged alone: before the overlap, and before what gives the next
/// byte another meaning.
std::size_t end_of_window(std::string_view window) {
  std::size_t end = window.size() - kOverlap;
  while (end > kHalfWindow && std::string_view("!\\`").find(window[end - 1]) != kNone) {
    --end;
  }
  return end;
}

struct Fence {
  char mark = 0;
  std::size_t length = 0;
  std::string_view behind;
};

/// The line as a code fence; no mark if it is none.
Fence as_fence(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start == kNone || start > 3 || (line[start] != '`' && line[start] != '~')) {
    return {};
  }
  const char mark = line[start];
  const std::size_t end = std::min(line.find_first_not_of(mark, start), line.size());
  return end - start < 3 ? Fence{} : Fence{mark, end - start, line.substr(end)};
}

}  // namespace

void LinearLinkScanner::feed(std::string_view piece) {
  if (after_carriage_return_ && piece.starts_with('\n')) {
    piece.remove_prefix(1);
    after_carriage_return_ = false;
  }
  LineEnds ends(piece);
  for (std::size_t start = 0; start < piece.size();) {
    after_carriage_return_ = false;
    const std::size_t end = ends.next(start);
    const std::string_view part = piece.substr(start, end - start);
    if (end == piece.size()) {
      append(part);
      return;
    }
    if (carried_.empty() && !line_overflowed_ && part.size() <= kWindow) {
      end_line(part);
    } else {
      append(part);
      end_line(carried_);
      carried_.clear();
    }
    ++line_;
    line_overflowed_ = false;
    after_carriage_return_ = piece[end] == '\r' && end + 1 == piece.size();
    start = ends.skip(end);
  }
}

void LinearLinkScanner::finish() {
  end_line(carried_);
  carried_.clear();
}

/// Adds to the line, and scans its beginning once there is more of it than fits into the window.
void LinearLinkScanner::append(std::string_view part) {
  while (!part.empty()) {
    if (carried_.size() == kWindow) {
      carried_.erase(0, fence_ != 0 ? kWindow : scan_segment(carried_, Segment::line_goes_on));
      line_overflowed_ = true;
    }
    const std::size_t size = std::min(part.size(), kWindow - carried_.size());
    carried_.append(part.substr(0, size));
    part.remove_prefix(size);
  }
}

/// `line` is what remains to be scanned of it.
void LinearLinkScanner::end_line(std::string_view line) {
  if (line.empty()) {
    return;
  }
  const bool is_fence = !line_overflowed_ && read_fence(line);
  if (!is_fence && fence_ == 0 && line.find("[[") != kNone) {
    scan_segment(line, Segment::line_ends);
  }
}

/// Opens or closes a code fence. False if the line does neither.
bool LinearLinkScanner::read_fence(std::string_view line) {
  const Fence fence = as_fence(line);
  if (fence.mark == 0) {
    return false;
  }
  if (fence_ == 0) {
    const bool opens = fence.mark == '~' || fence.behind.find('`') == kNone;
    fence_ = opens ? fence.mark : '\0';
    fence_length_ = fence.length;
    return opens;
  }
  const bool closes = fence.mark == fence_ && fence.length >= fence_length_ &&
                      fence.behind.find_first_not_of(" \t") == kNone;
  fence_ = closes ? '\0' : fence_;
  return closes;
}

/// Returns up to where the text is done with; all of it if the line ends.
std::size_t LinearLinkScanner::scan_segment(std::string_view text, Segment segment) {
  const bool goes_on = segment == Segment::line_goes_on;
  const std::size_t limit = goes_on ? end_of_window(text) : text.size();
  CodeSpans spans(text, goes_on ? kHalfWindow : kNone);
  std::size_t done = 0;
  while (done < limit) {
    const std::optional<LinkCandidate> link = next_candidate(text, done);
    if (!goes_on && !link) {
      break;
    }
    const std::size_t at = link ? std::min(link->open, limit) : limit;
    if (const std::optional<std::size_t> code = spans.end_around(at)) {
      done = *code;
      continue;
    }
    if (spans.undecided() != kNone) {
      return spans.undecided();
    }
    if (at == limit) {
      return limit;
    }
    visit_({link->inside(text), line_, link->embed});
    done = link->close;
  }
  return goes_on ? done : text.size();
}

}  // namespace daybook::parse

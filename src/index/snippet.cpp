// SPDX-License-Identifier: MIT
#include "daybook/index/snippet.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace daybook::index {
namespace {

/// So many words of a phrase are compared; one bit each.
constexpr std::size_t kPhraseWords = 64;

struct Found {
  std::size_t term = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Finds terms in a stream of words. For each term a bit a word: bit i says that the last i + 1
/// words are the term's first i + 1 words. So each word costs the same, however terms overlap.
class TermFinder {
 public:
  explicit TermFinder(const std::vector<SearchTerm>& terms) : progress_(terms.size()) {
    for (std::size_t term = 0; term < terms.size(); ++term) {
      const auto& words = terms[term].words;
      const std::size_t size = std::min(words.size(), kPhraseWords);
      lengths_.push_back(size);
      for (std::size_t place = 0; place < size; ++place) {
        initials_.set(initial_of(words[place]));
        if (place + 1 == words.size() && terms[term].match == SearchTerm::Match::prefix) {
          prefixes_.push_back({words[place], {term, place}});
        } else {
          places_[words[place]].push_back({term, place});
        }
      }
    }
  }

  /// Calls `found` for each term that ends with this word.
  template <typename Visitor>
  void feed(std::string_view word, std::size_t begin, std::size_t end, Visitor&& found) {
    begins_[count_++ % kPhraseWords] = begin;
    // Nearly every word begins with another letter than all that is looked for.
    if (active_.empty() && !initials_.test(initial_of(word))) {
      return;
    }
    matched_.clear();
    if (const auto known = places_.find(word); known != places_.end()) {
      matched_ = known->second;
    }
    for (const auto& [prefix, place] : prefixes_) {
      if (word.starts_with(prefix)) {
        matched_.push_back(place);
      }
    }
    // Each term's bits move on by one where this word is the one that comes next.
    for (const Place& place : matched_) {
      Progress& progress = progress_[place.term];
      const bool continues = place.index == 0 || ((progress.now >> (place.index - 1)) & 1U) != 0;
      if (continues) {
        progress.next |= std::uint64_t{1} << place.index;
      }
    }
    std::swap(active_, former_);
    active_.clear();
    for (const Place& place : matched_) {
      active_.push_back(place.term);
    }
    settle(end, found);
  }

 private:
  struct Place {
    std::size_t term = 0;
    std::size_t index = 0;
  };
  struct Progress {
    std::uint64_t now = 0;
    std::uint64_t next = 0;
  };
  struct WordHash {
    using is_transparent = void;  // NOLINT: the standard's name
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>{}(word);
    }
  };

  static std::size_t initial_of(std::string_view word) {
    return word.empty() ? 0 : static_cast<unsigned char>(word.front());
  }

  template <typename Visitor>
  void settle(std::size_t end, Visitor&& found) {
    std::sort(active_.begin(), active_.end());
    active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
    for (const std::size_t term : former_) {
      if (!std::binary_search(active_.begin(), active_.end(), term)) {
        progress_[term] = {};
      }
    }
    for (const std::size_t term : active_) {
      progress_[term].now = std::exchange(progress_[term].next, 0);
      const std::size_t length = lengths_[term];
      if (((progress_[term].now >> (length - 1)) & 1U) != 0) {
        found(Found{term, begins_[(count_ - length) % kPhraseWords], end});
      }
    }
  }

  std::unordered_map<std::string, std::vector<Place>, WordHash, std::equal_to<>> places_;
  std::vector<std::pair<std::string, Place>> prefixes_;
  std::bitset<256> initials_;  // first bytes of all words that are looked for
  std::vector<std::size_t> lengths_;
  std::vector<Progress> progress_;
  std::vector<Place> matched_;
  std::vector<std::size_t> active_;  // terms with progress
  std::vector<std::size_t> former_;
  std::array<std::size_t, kPhraseWords> begins_{};
  std::size_t count_ = 0;
};

/// The stretch of at most `width` bytes with most different terms.
class BestPlace {
 public:
  BestPlace(std::size_t terms, std::size_t width) : counts_(terms), width_(width) {}

  void add(const Found& found) {
    window_.push_back(found);
    distinct_ += counts_[found.term]++ == 0 ? 1U : 0U;
    while (window_.size() > 1 && found.end - window_.front().begin > width_) {
      distinct_ -= --counts_[window_.front().term] == 0 ? 1U : 0U;
      window_.pop_front();
    }
    if (distinct_ > best_distinct_) {
      best_distinct_ = distinct_;
      best_ = {window_.front().begin, found.end};
    }
  }

  bool is_found() const { return best_distinct_ > 0; }
  bool is_perfect() const { return best_distinct_ == counts_.size(); }
  Snippet::Range range() const { return best_; }

 private:
  std::deque<Found> window_;
  std::vector<std::size_t> counts_;
  std::size_t width_;
  std::size_t distinct_ = 0;
  std::size_t best_distinct_ = 0;
  Snippet::Range best_;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// How far a cut may move to fall between two words.
constexpr std::size_t kReach = 24;

std::size_t start_of_word(std::string_view text, std::size_t at, std::size_t not_after) {
  if (at == 0) {
    return 0;
  }
  const std::size_t limit = std::min(not_after, at + kReach);
  for (std::size_t i = at; i < limit; ++i) {
    if (is_blank(text[i - 1]) && !is_blank(text[i])) {
      return i;
    }
  }
  while (at < not_after && base::continues_character(text[at])) {
    ++at;
  }
  return at;
}

std::size_t end_of_word(std::string_view text, std::size_t at, std::size_t not_before) {
  if (at >= text.size()) {
    return text.size();
  }
  const std::size_t limit = std::max(not_before, at - std::min(at, kReach));
  for (std::size_t i = at; i > limit; --i) {
    if (is_blank(text[i]) && !is_blank(text[i - 1])) {
      return i;
    }
  }
  return base::character_begin(text, at);
}

/// Which bytes of the text to show, given what must be among them.
Snippet::Range frame(std::string_view text, Snippet::Range place, std::size_t width) {
  const std::size_t size = std::min(place.end - place.begin, width);
  const std::size_t spare = width - size;
  std::size_t from = place.begin - std::min(place.begin, spare / 3);
  const std::size_t to = std::min(text.size(), from + width);
  // Near the end of the text there is more room before.
  from = std::min(from, to - std::min(to, width));
  return {start_of_word(text, from, place.begin),
          end_of_word(text, to, std::min(place.begin + size, to))};
}

/// Text on one line: runs of blanks become one blank, and the ranges move with them.
void put_line(std::string_view text, const std::vector<Snippet::Range>& ranges, Snippet& snippet) {
  std::size_t range = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (range < ranges.size() && ranges[range].end == i) {
      snippet.ranges.back().end = snippet.text.size();
      ++range;
    }
    if (range < ranges.size() && ranges[range].begin == i) {
      snippet.ranges.push_back({snippet.text.size(), 0});
    }
    if (i < text.size() && !is_blank(text[i])) {
      snippet.text.push_back(text[i]);
    } else if (i < text.size() && !snippet.text.empty() && snippet.text.back() != ' ') {
      snippet.text.push_back(' ');
    }
  }
  if (snippet.text.ends_with(' ')) {
    snippet.text.pop_back();
  }
  // A phrase may have been cut behind a blank.
  if (!snippet.ranges.empty()) {
    snippet.ranges.back().end = std::min(snippet.ranges.back().end, snippet.text.size());
  }
}

/// Sorted, those that touch or overlap made one, nothing beyond `limit`.
std::vector<Snippet::Range> merged(std::vector<Snippet::Range> ranges, std::size_t limit) {
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::vector<Snippet::Range> apart;
  for (const Snippet::Range& range : ranges) {
    const std::size_t end = std::min(range.end, limit);
    if (range.begin >= end) {
      continue;
    }
    if (!apart.empty() && range.begin <= apart.back().end) {
      apart.back().end = std::max(apart.back().end, end);
    } else {
      apart.push_back({range.begin, end});
    }
  }
  return apart;
}

}  // namespace

Result<Snippet> make_snippet(store::WordSplitter& splitter,
                             std::string_view text,
                             const std::vector<SearchTerm>& terms,
                             std::size_t width) {
  const Error no_memory{ErrorKind::io, "no memory to look through the text", {}, {}};
  BestPlace best(terms.size(), width);
  TermFinder finder(terms);
  const bool searched =
      splitter.each(text, [&](std::string_view word, std::size_t begin, std::size_t end) {
        finder.feed(word, begin, end, [&best](const Found& found) { best.add(found); });
        return best.is_perfect() ? store::Visit::stop : store::Visit::next;
      });
  if (!searched) {
    return no_memory;
  }
  const Snippet::Range place = best.range();
  const Snippet::Range shown = frame(text, place, width);
  // Once more over what is shown: all that is to be highlighted, not only the best place.
  std::vector<Snippet::Range> ranges;
  TermFinder again(terms);
  const std::size_t until = std::max(shown.end, place.end);
  const bool marked = splitter.each(text.substr(shown.begin, until - shown.begin),
                                    [&](std::string_view word, std::size_t begin, std::size_t end) {
                                      again.feed(word, begin, end, [&ranges](const Found& found) {
                                        ranges.push_back({found.begin, found.end});
                                      });
                                    });
  if (!marked) {
    return no_memory;
  }
  Snippet snippet;
  const std::size_t size = shown.end - shown.begin;
  put_line(text.substr(shown.begin, size), merged(std::move(ranges), size), snippet);
  snippet.cut_before = shown.begin > 0;
  snippet.cut_after = shown.end < text.size();
  return snippet;
}

}  // namespace daybook::index

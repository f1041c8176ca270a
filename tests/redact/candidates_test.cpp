// SPDX-License-Identifier: MIT
// What the blocks of a CandidateScan mark, against the rule that is asked about one place at a
// time. On a processor that has no vectors for it both are the same code.
#include "redact/candidate_scan.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::redact {
namespace {

constexpr std::size_t kBlock = NibbleFilter::kBlock;
constexpr std::size_t kAlignments = 32;

using Places = std::vector<std::size_t>;

/// A copy whose last byte is the last of its allocation, so that ASan sees what is read behind it.
class Placed {
 public:
  explicit Placed(std::string_view text, std::size_t alignment = 0)
      : bytes_(std::make_unique<char[]>(alignment + text.size())),
        begin_(bytes_.get() + alignment),
        size_(text.size()) {
    std::copy(text.begin(), text.end(), begin_);
  }
  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] const char* end() const { return begin_ + size_; }

 private:
  std::unique_ptr<char[]> bytes_;
  char* begin_;
  std::size_t size_;
};

Places by_rule(const Candidates& candidates, const Placed& text, std::size_t size) {
  Places places;
  for (std::size_t i = 0; i < size; ++i) {
    const char* const at = text.begin() + i;
    if (candidates.next(at, at + 1, text.end()) == at) {
      places.push_back(i);
    }
  }
  return places;
}

Places by_scan(const Candidates& candidates, const Placed& text, std::size_t size) {
  Places places;
  const char* const end = text.begin() + size;
  CandidateScan scan(candidates, text.begin(), end, text.end());
  for (const char* at = scan.next(text.begin()); at < end; at = scan.next(at + 1)) {
    places.push_back(static_cast<std::size_t>(at - text.begin()));
  }
  return places;
}

bool begins_with_one(const Places& places) { return !places.empty() && places.front() == 0; }

bool agree(const Candidates& candidates, std::string_view text, std::size_t alignment = 0) {
  const Placed placed(text, alignment);
  return by_scan(candidates, placed, text.size()) == by_rule(candidates, placed, text.size());
}

const std::vector<std::string>& literals() {
  static const std::vector<std::string> literals{"Herr Müller",
                                                 "ärger im Haus",
                                                 " blank first",
                                                 "kk-kk-kk",
                                                 "77 seven",
                                                 "%%percent",
                                                 "pa~~word"};
  return literals;
}

/// For each policy; the last one has literals.
std::vector<const Candidates*> every_kind() {
  static const Candidates with_literals = [] {
    Candidates candidates(Pii::redacted);
    candidates.add(LiteralSet(literals()));
    return candidates;
  }();
  return {&Candidates::shared(Pii::redacted), &Candidates::shared(Pii::kept), &with_literals};
}

/// Everything that is found by more than two bytes.
std::vector<std::string> beginnings() {
  std::vector<std::string> all{"eyJ",  "SG.",  "Bear", "bear", "BEAR", "PASS", "IDEN", "iden",
                               "#def", "pass", "ENV ", "$6$",  "$5$",  "$1$",  "$y$",  "$gy$",
                               "$7$",  "$2a$", "$2b$", "$2x$", "$2y$", "$apr", "$sha", "$arg"};
  for (const PrefixToken& token : prefix_tokens()) {
    all.emplace_back(token.prefix.substr(0, 4));
  }
  for (const char escape : {'n', 'r', 't'}) {
    for (char digit = '0'; digit <= '9'; ++digit) {
      all.push_back(std::string{'\\', escape, digit});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("Each pair of bytes is a candidate in a block if it is one by itself") {
  for (const Candidates* const candidates : every_kind()) {
    int wrong = 0;
    for (unsigned first = 0; first < 256; ++first) {
      std::string text;
      for (unsigned second = 0; second < 256; ++second) {
        // What follows differs, so that no third or fourth byte is needed for a pair.
        text += {static_cast<char>(first), static_cast<char>(second)};
        text += {static_cast<char>(second * 7 + first), static_cast<char>(second * 31)};
        text += 'x';  // five bytes a pair: each pair meets another place of its block
      }
      wrong += agree(*candidates, text) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("A pair of bytes is a candidate at every place of a block") {
  for (const Candidates* const candidates : every_kind()) {
    int wrong = 0;
    for (unsigned first = 0; first < 256; ++first) {
      for (const char second :
           {'0', '9', 'a', 'Z', '"', '\'', '-', 'p', 'u', 'K', ' ', '\n', '\x80'}) {
        std::string text(5 * kBlock, 'x');
        for (std::size_t at = 0; at + 1 < text.size();
             at += 3) {  // no multiple of three is a block
          text[at] = static_cast<char>(first);
          text[at + 1] = second;
        }
        wrong += agree(*candidates, text) ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("A beginning is found at every place of a block, and nothing that only resembles it") {
  for (const std::string& beginning : beginnings()) {
    int wrong = 0;
    for (std::size_t at = 0; at < 2 * kBlock; ++at) {
      std::string text(3 * kBlock, 'x');
      text.replace(at, beginning.size(), beginning);
      const Placed placed(text);
      const Places places = by_scan(Candidates::shared(Pii::redacted), placed, text.size());
      wrong += std::find(places.begin(), places.end(), at) == places.end() ? 1 : 0;
      wrong += places == by_rule(Candidates::shared(Pii::redacted), placed, text.size()) ? 0 : 1;
      for (std::size_t i = 0; i < beginning.size(); ++i) {
        std::string other = text;
        other[at + i] = static_cast<char>(other[at + i] ^ 1);
        wrong += agree(Candidates::shared(Pii::redacted), other) ? 0 : 1;
      }
    }
    CAPTURE(beginning);
    CHECK(wrong == 0);
  }
}

TEST_CASE("What the end of the text cuts is a candidate as it is for the rule") {
  for (const Candidates* const candidates : every_kind()) {
    int wrong = 0;
    for (const std::string& beginning : beginnings()) {
      for (std::size_t size = 1; size <= beginning.size(); ++size) {
        for (std::size_t before = 0; before <= 2 * kBlock + 8; ++before) {
          const std::string text = std::string(before, 'x') + beginning.substr(0, size);
          wrong += agree(*candidates, text) ? 0 : 1;
        }
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("The last byte of a text is always a candidate, an empty text has none") {
  const Candidates& candidates = Candidates::shared(Pii::redacted);
  CHECK(by_scan(candidates, Placed(""), 0).empty());
  for (std::size_t size = 1; size < 4 * kBlock; ++size) {
    CHECK(by_scan(candidates, Placed(std::string(size, 'x')), size) == Places{size - 1});
  }
}

TEST_CASE("A literal of the operator is a candidate at every place of a block") {
  const Candidates& candidates = *every_kind().back();
  for (const std::string& literal : literals()) {
    int wrong = 0;
    for (std::size_t at = 0; at < 2 * kBlock; ++at) {
      std::string text(3 * kBlock, 'x');
      text.replace(at, literal.size(), literal);
      const Placed placed(text);
      const Places places = by_scan(candidates, placed, text.size());
      wrong += std::find(places.begin(), places.end(), at) == places.end() ? 1 : 0;
      wrong += places == by_rule(candidates, placed, text.size()) ? 0 : 1;
    }
    CAPTURE(literal);
    CHECK(wrong == 0);
  }
}

TEST_CASE("Each of thousands of literals is a candidate, and no other word is") {
  std::vector<std::string> many;
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; b += 2) {
      for (char c = 'a'; c <= 'z'; c += 3) {
        many.push_back(std::string{a, b, c, '9'} + " and more");
      }
    }
  }
  Candidates candidates(Pii::kept);
  candidates.add(LiteralSet(many));
  int missed = 0;
  int others = 0;
  for (const std::string& literal : many) {
    const Placed placed(literal + std::string(2 * kBlock, ' '));
    missed += begins_with_one(by_scan(candidates, placed, literal.size())) ? 0 : 1;
    missed += begins_with_one(by_rule(candidates, placed, literal.size())) ? 0 : 1;
    std::string other = literal;
    other[3] = '8';
    const Placed beside(other + std::string(2 * kBlock, ' '));
    others += begins_with_one(by_scan(candidates, beside, other.size())) ? 1 : 0;
  }
  CHECK(missed == 0);
  CHECK(others == 0);
}

TEST_CASE("Random texts have the candidates of the rule, at every alignment and up to every end") {
  std::vector<std::string> parts = beginnings();
  parts.insert(parts.end(), literals().begin(), literals().end());
  for (const char* const part : {" ",
                                 "x",
                                 "some words of prose",
                                 ": ",
                                 "= ",
                                 "::",
                                 "--",
                                 "- ",
                                 ">a",
                                 " 12",
                                 "\n",
                                 "@b",
                                 "(\"",
                                 "\xC3\xA4",
                                 "\xE2\x86\x92"
                                 "1",
                                 "SK",
                                 "MT"}) {
    parts.emplace_back(part);
  }
  for (const Candidates* const candidates : every_kind()) {
    REQUIRE(rc::check("spellings that matter", [&] {
      const auto text = *support::text_made_of(parts);
      const auto alignment = *rc::gen::inRange<std::size_t>(0, kAlignments);
      RC_ASSERT(agree(*candidates, text, alignment));
    }));
    REQUIRE(rc::check("any bytes, an end before that of the text", [&] {
      const auto size = *rc::gen::inRange<std::size_t>(0, 6 * kBlock);
      std::string text(size, ' ');
      std::generate(text.begin(), text.end(), [] {
        return static_cast<char>(*rc::gen::inRange<int>(0, 256));
      });
      const Placed placed(text);
      for (std::size_t end = size - std::min<std::size_t>(size, 6); end <= size; ++end) {
        RC_ASSERT(by_scan(*candidates, placed, end) == by_rule(*candidates, placed, end));
      }
    }));
  }
}

TEST_CASE("A scan that goes on further ahead gives the next place from there") {
  const Candidates& candidates = Candidates::shared(Pii::redacted);
  REQUIRE(rc::check("steps of any size", [&] {
    const auto text =
        *support::text_made_of({"ghp_", ": ", "a few words ", "\n", "1", std::string(90, 'x')});
    const Placed placed(text);
    CandidateScan scan(candidates, placed.begin(), placed.end(), placed.end());
    const char* at = placed.begin();
    while (at < placed.end()) {
      const char* const found = scan.next(at);
      RC_ASSERT(found == candidates.next(at, placed.end(), placed.end()));
      at = std::min(found + *rc::gen::inRange<std::ptrdiff_t>(1, 400), placed.end());
    }
    RC_ASSERT(scan.next(placed.end()) == placed.end());
  }));
}

}  // namespace daybook::redact

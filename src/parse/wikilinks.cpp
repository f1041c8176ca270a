// SPDX-License-Identifier: MIT
//
// The only user of cmark-gfm. It is asked one thing: is this place text? Each candidate is replaced
// in a copy of the body by a word that means nothing in markdown, and whatever word comes back in a
// text node was a link. So cmark-gfm cannot disagree about brackets, and lines are counted in the
// body itself.
#include "daybook/parse/wikilinks.hpp"

#include "parse/link_candidates.hpp"
#include "parse/markdown_shape.hpp"

#include <cmark-gfm.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace daybook::parse {
namespace {

// Larger bodies are not worth a copy and a tree; is_cheap_markdown() would refuse most of them.
constexpr std::size_t kMaxParsedBytes = 1024 * 1024;

// Noncharacters: allowed in UTF-8 and meaningless in markdown. The copy has them from nowhere else.
constexpr std::string_view kWordOpen = "\xEF\xB7\x90";   // U+FDD0
constexpr std::string_view kWordClose = "\xEF\xB7\x91";  // U+FDD1

/// The bytes that CopyForCmark replaces: emphasis, entities, NUL, and all that is not ASCII.
constexpr std::array<bool, 256> replaced_bytes() {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = byte == '*' || byte == '_' || byte == '&' || byte == 0 || byte >= 0x80;
  }
  return table;
}

constexpr std::array<bool, 256> kReplaced = replaced_bytes();

bool is_scheme_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' || c == '+' ||
         c == '-';
}

/// Writes the copy of one body that cmark-gfm gets to see.
///
/// Besides the candidates, it replaces what has no say in whether something is text but costs time
/// or certainty: emphasis (`*a [b](c)` repeated is quadratic), entities (`&#xFDD0;` could forge a
/// word), NUL and bytes beyond ASCII (broken UTF-8 stops cmark-gfm's searches at odd places). What
/// stands for them is chosen to be no other syntax, and to leave HTML tags what they are.
class CopyForCmark {
 public:
  CopyForCmark(std::string_view body,
               const std::vector<LinkCandidate>& candidates,
               std::string& copy)
      : body_(body), candidates_(candidates), copy_(copy) {}

  void make() {
    copy_.clear();
    copy_.reserve(body_.size() + body_.size() / 4);
    LineEnds ends(body_);
    for (std::size_t start = 0; start < body_.size();) {
      const std::size_t end = ends.next(start);
      const std::size_t next = ends.skip(end);
      add_line(start, end);
      copy_.append(body_.substr(end, next - end));
      start = next;
    }
  }

 private:
  void add_line(std::size_t start, std::size_t end) {
    const std::string_view line = body_.substr(start, end - start);
    const std::size_t prefix = read_line_prefix(line).length;
    copy_.append(line.substr(0, prefix));
    const std::string_view text = line.substr(prefix);
    if (may_be_thematic_break(text)) {
      copy_.append(text);
    } else if (text.starts_with("[^") && text.find("]:") != kNone) {
      copy_.push_back(',');  // a footnote, which is text, not the definition of a link
      add_text(start + prefix + 1, end);
    } else {
      add_text(start + prefix, end);
    }
  }

  /// `***` and `* **`; also `**`, which is no emphasis as long as blanks stand around it.
  static bool may_be_thematic_break(std::string_view text) {
    const char mark = text.empty() ? '\0' : text.front();
    return (mark == '*' || mark == '_') && std::all_of(text.begin(), text.end(), [mark](char c) {
             return c == mark || is_blank(c);
           });
  }

  void add_text(std::size_t from, std::size_t end) {
    while (from < end) {
      const std::size_t link = next_ < candidates_.size() ? candidates_[next_].open : kNone;
      const std::size_t stop = std::min(link, end);
      add_plain(from, stop);
      from = stop;
      if (stop == link) {
        add_word(next_);
        from = candidates_[next_].close;
        ++next_;
      }
    }
  }

  void add_word(std::size_t number) {
    std::array<char, 20> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    copy_.append(kWordOpen);
    copy_.append(digits.data(), written.ptr);
    copy_.append(kWordClose);
  }

  void add_plain(std::size_t from, std::size_t end) {
    while (from < end) {
      std::size_t stop = from;
      while (stop < end && !kReplaced[static_cast<unsigned char>(body_[stop])]) {
        ++stop;
      }
      copy_.append(body_.substr(from, stop - from));
      if (stop < end) {
        copy_.push_back(body_[stop] == '_' ? instead_of_underscore(stop) : ',');
      }
      from = stop + 1;
    }
  }

  /// Names of HTML attributes may contain underscores: `<a _x="…">`, `<a x_y="…">`. Nothing else
  /// that matters may, so it must not become part of a list marker (`1_ x`) or a scheme
  /// (`<a_b:…>`).
  char instead_of_underscore(std::size_t at) const {
    if (at == 0 || is_blank_or_line_end(body_[at - 1])) {
      return ':';
    }
    std::size_t scheme = at;
    while (scheme > 0 && is_scheme_byte(body_[scheme - 1])) {  // at most to the last underscore
      --scheme;
    }
    const bool behind_angle = scheme > 0 && body_[scheme - 1] == '<';
    const bool like_list_marker = is_digit(body_[at - 1]);
    return behind_angle || like_list_marker ? ',' : '.';
  }

  std::string_view body_;
  const std::vector<LinkCandidate>& candidates_;
  std::string& copy_;
  std::size_t next_ = 0;  // candidate
};

/// Calls `found` with the number of each word in `text`.
template <typename Found>
void find_words(std::string_view text, Found found) {
  for (std::size_t at = text.find(kWordOpen); at != kNone; at = text.find(kWordOpen, at)) {
    at += kWordOpen.size();
    std::size_t number = 0;
    std::from_chars(text.data() + at, text.data() + text.size(), number);
    found(number);
  }
}

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct FreeIterator {
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
};

void mark_words_of(cmark_node* text, std::vector<bool>& is_text) {
  const char* literal = cmark_node_get_literal(text);
  if (literal == nullptr) {
    return;
  }
  find_words(literal, [&](std::size_t number) {
    if (number < is_text.size()) {
      is_text[number] = true;
    }
  });
  // `<https://x/[[y]]>` shows its destination as text: still a destination.
  cmark_node* parent = cmark_node_parent(text);
  if (parent != nullptr && cmark_node_get_type(parent) == CMARK_NODE_LINK) {
    find_words(cmark_node_get_url(parent), [&](std::size_t number) {
      if (number < is_text.size()) {
        is_text[number] = false;
      }
    });
  }
}

/// Which of the candidates cmark-gfm takes for text.
std::vector<bool> ask_cmark(const std::string& copy, std::size_t candidates) {
  std::vector<bool> is_text(candidates, false);
  const std::unique_ptr<cmark_node, FreeNode> document(
      cmark_parse_document(copy.data(), copy.size(), CMARK_OPT_DEFAULT));
  const std::unique_ptr<cmark_iter, FreeIterator> iterator(cmark_iter_new(document.get()));
  for (cmark_event_type event = cmark_iter_next(iterator.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(iterator.get())) {
    cmark_node* node = cmark_iter_get_node(iterator.get());
    if (cmark_node_get_type(node) == CMARK_NODE_TEXT) {
      mark_words_of(node, is_text);
    }
  }
  return is_text;
}

std::vector<LinkCandidate> find_candidates(std::string_view body) {
  std::vector<LinkCandidate> candidates;
  std::size_t from = 0;
  while (const std::optional<LinkCandidate> found = next_candidate(body, from)) {
    candidates.push_back(*found);
    from = found->close;
  }
  return candidates;
}

/// In the order of the body, whatever the order in which cmark-gfm has met them.
void report(std::string_view body,
            const std::vector<LinkCandidate>& candidates,
            const std::vector<bool>& is_text,
            const LinkVisitor& visit) {
  LineEnds ends(body);
  std::uint32_t line = 1;
  std::size_t end = ends.next(0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    while (end < candidates[i].open) {
      ++line;
      end = ends.next(ends.skip(end));
    }
    if (is_text[i]) {
      visit({candidates[i].inside(body), line, candidates[i].embed});
    }
  }
}

bool has_four_blanks(std::string_view body) {
  // A search for them would stop at each blank between two words. Of four in a row each fourth byte
  // sees one.
  for (std::size_t at = 3; at < body.size(); at += 4) {
    if (body[at] == ' ') {
      const std::string_view around = body.substr(at - 3, 7);
      if (around.find("    ") != kNone) {
        return true;
      }
    }
  }
  return false;
}

/// Without any of these a document holds nothing but text: no code, no HTML, no destination. Most
/// notes with links are such, and are spared the copy and the tree.
bool is_all_text(std::string_view body) {
  const auto lacks = [body](auto what) { return body.find(what) == kNone; };
  return lacks('`') && lacks('<') && lacks('~') && lacks('\t') && lacks("](") && lacks("]:") &&
         !has_four_blanks(body);
}

}  // namespace

LinkScan find_wikilinks(std::string_view body, const LinkVisitor& visit) {
  if (!next_candidate(body, 0)) {
    return LinkScan::exact;
  }
  if (body.size() <= kMaxParsedBytes) {
    const std::vector<LinkCandidate> candidates = find_candidates(body);
    if (is_all_text(body)) {
      report(body, candidates, std::vector<bool>(candidates.size(), true), visit);
      return LinkScan::exact;
    }
    thread_local std::string copy;  // a new one for each body would be a large allocation each
    CopyForCmark(body, candidates, copy).make();
    if (is_cheap_markdown(copy)) {
      report(body, candidates, ask_cmark(copy, candidates.size()), visit);
      return LinkScan::exact;
    }
  }
  LinearLinkScanner scanner(visit);
  scanner.feed(body);
  scanner.finish();
  return LinkScan::linear;
}

}  // namespace daybook::parse

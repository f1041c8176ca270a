// SPDX-License-Identifier: MIT
#include "daybook/index/search_query.hpp"

#include "daybook/store/fts5.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace daybook::index {
namespace {

/// One term as it was typed.
struct Typed {
  std::string_view text;
  bool quoted = false;
  bool excluded = false;
  SearchTerm::Match match = SearchTerm::Match::whole;
};

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; }

/// Takes the next term off the front; nothing when only blanks are left.
std::optional<Typed> take_term(std::string_view& rest) {
  rest.remove_prefix(static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_blank) -
                                              rest.begin()));
  if (rest.empty()) {
    return std::nullopt;
  }
  Typed term;
  // `--force` is a flag that somebody looks for.
  if (rest.size() > 1 && rest[0] == '-' && rest[1] != '-' && !is_blank(rest[1])) {
    term.excluded = true;
    rest.remove_prefix(1);
  }
  if (rest.front() == '"') {
    rest.remove_prefix(1);
    term.quoted = true;
    const std::size_t end = std::min(rest.find('"'), rest.size());
    term.text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (rest.starts_with('*')) {
      term.match = SearchTerm::Match::prefix;
      rest.remove_prefix(1);
    }
    return term;
  }
  const auto ends = [](char c) { return is_blank(c) || c == '"'; };
  const auto end = std::find_if(rest.begin(), rest.end(), ends);
  term.text = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(term.text.size());
  if (term.text.ends_with('*')) {
    term.match = SearchTerm::Match::prefix;
  }
  return term;
}

/// In quotes nothing has a meaning to FTS5, and there is no quote inside. A NUL would end the text.
std::string quoted(const Typed& term) {
  std::string text("\"");
  text.append(term.text);
  std::replace(text.begin(), text.end(), '\0', ' ');
  text.append(term.match == SearchTerm::Match::prefix ? "\" *" : "\"");
  return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text("(");
  for (const std::string& part : parts) {
    if (text.size() > 1) {
      text.append(between);
    }
    text.append(part);
  }
  return text.append(")");
}

/// Terms that hold at least one word; `OR` between two of them stays a mark of its own.
struct Reading {
  struct Item {
    Typed typed;
    SearchTerm term;
  };
  std::vector<Item> items;
};

Result<Reading> read_terms(std::string_view typed) {
  Reading reading;
  TRY_ASSIGN(store::WordSplitter splitter, store::WordSplitter::make());
  std::string_view rest = typed.substr(0, kLongestQuery);
  while (reading.items.size() < kMostTerms) {
    const auto taken = take_term(rest);
    if (!taken) {
      break;
    }
    SearchTerm term{{}, taken->match};
    if (!splitter.each(taken->text, [&term](std::string_view word, std::size_t, std::size_t) {
          term.words.emplace_back(word);
        })) {
      return Error{ErrorKind::io, "no memory to read the query", {}, {}};
    }
    if (!term.words.empty()) {
      reading.items.push_back({*taken, std::move(term)});
    }
  }
  return reading;
}

bool is_or(const Reading::Item& item) {
  return item.typed.text == "OR" && !item.typed.quoted && !item.typed.excluded;
}

}  // namespace

Result<SearchQuery> SearchQuery::parse(std::string_view typed) {
  TRY_ASSIGN(Reading reading, read_terms(typed));
  SearchQuery query;
  std::vector<std::vector<std::string>> groups;
  std::vector<std::string> without;
  auto& items = reading.items;
  bool either = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].typed.excluded) {
      without.push_back(quoted(items[i].typed));
      either = false;
      continue;
    }
    // Between two terms it joins them; anywhere else it is a word like others.
    const bool joins = i > 0 && i + 1 < items.size() && !items[i - 1].typed.excluded &&
                       !items[i + 1].typed.excluded && !groups.empty() && !either;
    if (is_or(items[i]) && joins) {
      either = true;
      continue;
    }
    if (!either) {
      groups.emplace_back();
    }
    groups.back().push_back(quoted(items[i].typed));
    query.terms_.push_back(std::move(items[i].term));
    either = false;
  }
  if (groups.empty()) {
    return query;
  }
  std::vector<std::string> all;
  all.reserve(groups.size());
  for (const auto& group : groups) {
    all.push_back(joined(group, " OR "));
  }
  query.expression_ = joined(all, " AND ");
  if (!without.empty()) {
    query.expression_.append(" NOT ").append(joined(without, " OR "));
  }
  query.phrases_ = query.terms_.size() + without.size();
  return query;
}

}  // namespace daybook::index

// SPDX-License-Identifier: MIT
#include "daybook/index/full_text_search.hpp"

#include "index/bm25.hpp"
#include "index/month_search.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace daybook::index {
namespace {

/// A match before all months are known: how rare a phrase is decides the score.
struct Candidate {
  SearchHit hit;
  double bytes = 0;
};

/// What one month holds, or all that were searched.
struct Matches {
  std::vector<Candidate> candidates;
  // Of each candidate in turn each phrase's, the sentence weighing more. All in one: a list for
  // each of a thousand candidates would cost more than the ranking.
  std::vector<double> frequencies;
  double documents = 0;
  double bytes = 0;
  std::vector<double> rows;  // how many documents hold each phrase

  explicit Matches(std::size_t phrases) : rows(phrases) {}

  void add(const Matches& more) {
    candidates.insert(candidates.end(), more.candidates.begin(), more.candidates.end());
    frequencies.insert(frequencies.end(), more.frequencies.begin(), more.frequencies.end());
    documents += more.documents;
    bytes += more.bytes;
    std::transform(more.rows.begin(), more.rows.end(), rows.begin(), rows.begin(), std::plus<>());
  }

  void keep_newest(std::size_t count) {
    if (count < candidates.size()) {
      candidates.resize(count);
      frequencies.resize(count * rows.size());
    }
  }
};

struct Search {
  const std::string& index_id;
  const SearchQuery& query;
  const SearchFilter& filter;
  std::string sql;
  Matches matches;
};

/// Newest first, since row ids grow with time; CROSS JOIN, since only so FTS5 leads.
std::string make_sql(const SearchFilter& filter) {
  return "SELECT document.file, document.time, document.bytes, phrase_counts(words) "
         "FROM words CROSS JOIN document ON document.id = words.rowid WHERE words MATCH ?" +
         filter_sql(filter) + " ORDER BY words.rowid DESC LIMIT ?";
}

/// As phrase_counts() gives them: each phrase's by column; with the first match also how many
/// documents hold each.
bool has_all_counts(const store::Row& row, const Matches& matches) {
  const std::size_t of_each = matches.candidates.empty() ? kTextColumns + 1 : kTextColumns;
  return row.blob(3).size() == matches.rows.size() * of_each * sizeof(std::uint32_t);
}

/// Takes a match as it comes from SQL; the first one also tells how common the phrases are.
void add_candidate(const store::Row& row, Matches& matches) {
  const std::string_view counts = row.blob(3);
  const std::size_t phrases = matches.rows.size();
  if (matches.candidates.empty()) {
    for (std::size_t phrase = 0; phrase < phrases; ++phrase) {
      matches.rows[phrase] = number_at(counts, phrases * kTextColumns + phrase);
    }
  }
  matches.candidates.push_back(
      {{row.integer(0), 0, {row.integer(1)}}, static_cast<double>(row.integer(2))});
  for (std::size_t phrase = 0; phrase < phrases; ++phrase) {
    matches.frequencies.push_back(number_at(counts, phrase * kTextColumns) +
                                  kSentenceWeight * number_at(counts, phrase * kTextColumns + 1));
  }
}

/// A month's newest matches. Files of another index hold none.
Result<Matches> search_month(const std::string& path, store::Access access, const Search& search) {
  Matches matches(search.query.phrases());
  TRY_ASSIGN(auto month, open_month(path, access, search.index_id, search.filter));
  if (!month) {
    return matches;
  }
  TRY_ASSIGN(auto select, month->database->prepare(search.sql));
  bool sound = true;
  const auto take = [&](const store::Row& row) {
    sound = has_all_counts(row, matches);
    if (sound) {
      add_candidate(row, matches);
    }
    return sound ? store::Visit::next : store::Visit::stop;
  };
  TRY(select.each(
      take, search.query.expression(), kRankedMatches - search.matches.candidates.size()));
  if (!sound) {
    return not_as_made(path);
  }
  // A month without a match would change the words' rarity and nothing else.
  if (!matches.candidates.empty()) {
    matches.documents = static_cast<double>(month->meta.documents);
    matches.bytes = static_cast<double>(month->meta.bytes);
  }
  return matches;
}

std::vector<SearchHit> ranked(const Matches& matches, std::size_t limit) {
  const Corpus corpus{matches.documents, matches.bytes, matches.rows};
  std::vector<SearchHit> hits;
  hits.reserve(matches.candidates.size());
  for (std::size_t place = 0; place < matches.candidates.size(); ++place) {
    hits.push_back(matches.candidates[place].hit);
    hits.back().score = bm25(
        corpus,
        matches.candidates[place].bytes,
        std::span(matches.frequencies).subspan(place * matches.rows.size(), matches.rows.size()));
  }
  keep_best_with_equals(hits, limit);
  return hits;
}

using MonthResults = std::vector<std::optional<Result<Matches>>>;

enum class Passed : std::uint8_t { whole, enough, month_vanished };

/// Takes the months' matches in their order, as far as they are ranked.
Result<Passed> take_results(MonthResults results,
                            std::span<const MonthName> months,
                            Search& search,
                            SearchAnswer& answer) {
  for (std::size_t i = 0; i < months.size(); ++i) {
    Result<Matches>& searched = *results[i];
    if (searched) {
      const std::size_t room = kRankedMatches - search.matches.candidates.size();
      searched->keep_newest(room);
      search.matches.add(*searched);
      if (search.matches.candidates.size() == kRankedMatches) {
        return Passed::enough;
      }
    } else if (searched.error().kind == ErrorKind::not_found) {
      return Passed::month_vanished;
    } else if (searched.error().kind == ErrorKind::damaged) {
      answer.damaged.push_back(months[i].month);
    } else {
      return std::move(searched).error();
    }
  }
  return Passed::whole;
}

Result<Passed> search_months(const std::string& folder, Search& search, SearchAnswer& answer) {
  // The newest month often suffices; the further back, the more have not.
  constexpr std::size_t kMostAtOnce = 16;
  TRY_ASSIGN(const auto months, months_to_search(folder));
  const auto ask = [&search](const std::string& path, store::Access access) {
    return search_month(path, access, search);
  };
  std::size_t at_once = 1;
  for (std::size_t at = 0; at < months.size(); at_once = std::min(at_once * 2, kMostAtOnce)) {
    const auto some = std::span(months).subspan(at, std::min(at_once, months.size() - at));
    TRY_ASSIGN(const Passed passed,
               take_results(ask_together(some, folder, ask), some, search, answer));
    if (passed != Passed::whole) {
      answer.older_left_out = passed == Passed::enough;
      return passed;
    }
    at += some.size();
  }
  return Passed::whole;
}

}  // namespace

Result<SearchAnswer> search_text(const std::string& folder,
                                 const std::string& index_id,
                                 const SearchQuery& query,
                                 const SearchFilter& filter,
                                 std::size_t limit) {
  if (query.is_empty() || limit == 0) {
    return SearchAnswer{};
  }
  // A month that is built anew between the listing and its opening has another name: look again.
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    SearchAnswer answer;
    Search search{index_id, query, filter, make_sql(filter), Matches(query.phrases())};
    TRY_ASSIGN(const Passed passed, search_months(folder, search, answer));
    if (passed != Passed::month_vanished || attempt == kAttempts) {
      answer.hits = ranked(search.matches, limit);
      return answer;
    }
  }
}

}  // namespace daybook::index

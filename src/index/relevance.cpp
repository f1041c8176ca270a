// SPDX-License-Identifier: MIT
#include "daybook/index/relevance.hpp"

#include "index/bm25.hpp"
#include "index/month_search.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>

namespace daybook::index {
namespace {

/// About so many documents of a month are scored: those with its rarest words.
constexpr std::int64_t kScoredOfMonth = 1500;

struct Candidate {
  RelevantDocument document;
  double bytes = 0;
};

/// What one month holds, or all together.
struct Candidates {
  std::vector<Candidate> list;
  std::vector<double> frequencies;  // of each candidate in turn each term's
  double documents = 0;
  double bytes = 0;
  std::vector<double> rows;  // how many documents hold each term

  explicit Candidates(std::size_t terms) : rows(terms) {}

  void add(const Candidates& more) {
    list.insert(list.end(), more.list.begin(), more.list.end());
    frequencies.insert(frequencies.end(), more.frequencies.begin(), more.frequencies.end());
    documents += more.documents;
    bytes += more.bytes;
    std::transform(more.rows.begin(), more.rows.end(), rows.begin(), rows.begin(), std::plus<>());
  }
};

struct Asking {
  const std::string& index_id;
  const std::vector<QuestionTerm>& terms;
  const NamedProjects& projects;
  const SearchFilter& filter;
  bool only_counts;  // no document of a month is wanted
};

std::string any_of(const std::vector<QuestionTerm>& terms, const std::vector<std::size_t>& which) {
  std::string expression("(");
  for (const std::size_t place : which) {
    expression.append(expression.size() > 1 ? " OR \"" : "\"").append(terms[place].stem);
    expression.append(terms[place].match == SearchTerm::Match::prefix ? "\" *" : "\"");
  }
  return expression.append(")");
}

std::vector<std::size_t> all_places(std::size_t terms) {
  std::vector<std::size_t> places(terms);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// How many documents of the month hold each term; nothing when none holds any.
Result<std::optional<std::vector<double>>> rows_of_terms(OpenMonth& month, const Asking& asking) {
  const std::size_t terms = asking.terms.size();
  TRY_ASSIGN(auto select,
             month.database->prepare(
                 "SELECT phrase_counts(words) FROM words WHERE words MATCH ? LIMIT 1"));
  std::optional<std::vector<double>> rows;
  bool sound = true;
  TRY(select.each(
      [&](const store::Row& row) {
        const std::string_view counts = row.blob(0);
        sound = counts.size() == terms * (kTextColumns + 1) * sizeof(std::uint32_t);
        rows.emplace(terms);
        for (std::size_t term = 0; sound && term < terms; ++term) {
          (*rows)[term] = number_at(counts, terms * kTextColumns + term);
        }
      },
      any_of(asking.terms, all_places(terms))));
  if (!sound) {
    return not_as_made(month.database->path());
  }
  return rows;
}

/// Documents of a project that a term names count as holding it.
Result<void> add_rows_of_projects(OpenMonth& month, const Asking& asking, Candidates& found) {
  if (asking.projects.empty()) {
    return {};
  }
  std::string numbers;
  for (const auto& [project, terms] : asking.projects) {
    numbers.append(numbers.empty() ? "" : ",").append(std::to_string(project));
  }
  TRY_ASSIGN(auto select,
             month.database->prepare("SELECT project, count(*) FROM document WHERE project IN (" +
                                     numbers + ") GROUP BY project"));
  return select.each([&](const store::Row& row) {
    const std::uint32_t named = asking.projects.at(row.integer(0));
    for (std::size_t term = 0; term < found.rows.size(); ++term) {
      if ((named >> term & 1U) != 0) {
        found.rows[term] =
            std::min(found.documents, found.rows[term] + static_cast<double>(row.integer(1)));
      }
    }
  });
}

/// The rarest, as long as they do not mean too many documents; one at least.
std::vector<std::size_t> telling_terms(const std::vector<double>& rows) {
  std::vector<std::size_t> by_rarity;
  for (const std::size_t place : all_places(rows.size())) {
    if (rows[place] > 0) {
      by_rarity.push_back(place);
    }
  }
  std::stable_sort(by_rarity.begin(), by_rarity.end(), [&rows](std::size_t a, std::size_t b) {
    return rows[a] < rows[b];
  });
  double documents = 0;
  std::size_t count = 0;
  while (count < by_rarity.size() &&
         (count == 0 || documents + rows[by_rarity[count]] <= kScoredOfMonth)) {
    documents += rows[by_rarity[count++]];
  }
  by_rarity.resize(count);
  return by_rarity;
}

Candidates candidates_of(const OtherDocuments& others, std::size_t terms) {
  Candidates found(terms);
  found.documents = static_cast<double>(others.documents);
  found.bytes = static_cast<double>(others.bytes);
  for (const OtherDocuments::Document& document : others.list) {
    found.list.push_back(
        {{document.file, 0, document.time, 0}, static_cast<double>(document.bytes)});
    for (std::size_t term = 0; term < terms; ++term) {
      const double frequency = document.frequencies[term];
      found.frequencies.push_back(frequency);
      found.rows[term] += frequency > 0 ? 1 : 0;
      found.list.back().document.terms |= frequency > 0 ? 1U << term : 0U;
    }
  }
  return found;
}

Result<Candidates> ask_month(const std::string& path, store::Access access, const Asking& asking) {
  const std::size_t terms = asking.terms.size();
  Candidates found(terms);
  TRY_ASSIGN(auto month, open_month(path, access, asking.index_id, asking.filter));
  if (!month) {
    return found;
  }
  found.documents = static_cast<double>(month->meta.documents);
  found.bytes = static_cast<double>(month->meta.bytes);
  TRY_ASSIGN(auto rows, rows_of_terms(*month, asking));
  if (!rows) {
    return found;
  }
  found.rows = std::move(*rows);
  const auto telling = telling_terms(found.rows);
  TRY(add_rows_of_projects(*month, asking, found));
  if (asking.only_counts) {
    return found;
  }
  // All terms, so that each is counted; and one of the telling ones.
  const std::string expression =
      any_of(asking.terms, all_places(terms)) + " AND " + any_of(asking.terms, telling);
  TRY_ASSIGN(auto select,
             month->database->prepare(
                 "SELECT document.file, document.time, document.bytes, phrase_counts(words), "
                 "document.project FROM words CROSS JOIN document ON document.id = words.rowid "
                 "WHERE words MATCH ?" +
                 filter_sql(asking.filter) + " ORDER BY words.rowid DESC LIMIT ?"));
  bool sound = true;
  const auto take = [&](const store::Row& row) {
    const std::string_view counts = row.blob(3);
    sound = counts.size() >= terms * kTextColumns * sizeof(std::uint32_t);
    if (!sound) {
      return store::Visit::stop;
    }
    found.list.push_back(
        {{row.integer(0), 0, {row.integer(1)}, 0}, static_cast<double>(row.integer(2))});
    const auto project = asking.projects.find(row.integer(4));
    const std::uint32_t named = project == asking.projects.end() ? 0 : project->second;
    for (std::size_t term = 0; term < terms; ++term) {
      const double frequency = number_at(counts, term * kTextColumns) +
                               kSentenceWeight * (number_at(counts, term * kTextColumns + 1) +
                                                  static_cast<double>(named >> term & 1U));
      found.frequencies.push_back(frequency);
      found.list.back().document.terms |= frequency > 0 ? 1U << term : 0U;
    }
    return store::Visit::next;
  };
  TRY(select.each(take, expression, 2 * kScoredOfMonth));
  return sound ? Result(std::move(found)) : not_as_made(path);
}

std::vector<RelevantDocument> ranked(const Candidates& all, std::size_t limit) {
  const Corpus corpus{all.documents, all.bytes, all.rows};
  std::vector<RelevantDocument> documents;
  documents.reserve(all.list.size());
  for (std::size_t place = 0; place < all.list.size(); ++place) {
    documents.push_back(all.list[place].document);
    documents.back().score =
        bm25(corpus,
             all.list[place].bytes,
             std::span(all.frequencies).subspan(place * all.rows.size(), all.rows.size()));
  }
  keep_best_with_equals(documents, limit);
  return documents;
}

}  // namespace

Result<RelevantDocuments> find_relevant(const std::string& folder,
                                        const std::string& index_id,
                                        const Question& question,
                                        const NamedProjects& projects,
                                        const SearchFilter& filter,
                                        std::size_t limit,
                                        const OtherDocuments& others) {
  static_assert(kMostQuestionTerms <= 32, "a document's terms are bits of 32");
  if (question.is_empty() || limit == 0) {
    return RelevantDocuments{};
  }
  const Asking asking{index_id, question.terms(), projects, filter, others.alone};
  const auto ask = [&asking](const std::string& path, store::Access access) {
    return ask_month(path, access, asking);
  };
  // A month that is built anew between the listing and its opening has another name: look again.
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    RelevantDocuments answer;
    Candidates all = candidates_of(others, question.terms().size());
    bool vanished = false;
    TRY_ASSIGN(const auto months, months_to_search(folder));
    auto answers = ask_together(months, folder, ask);
    for (std::size_t i = 0; i < months.size(); ++i) {
      Result<Candidates>& of_month = *answers[i];
      if (of_month) {
        all.add(*of_month);
      } else if (of_month.error().kind == ErrorKind::not_found) {
        vanished = true;
      } else if (of_month.error().kind == ErrorKind::damaged) {
        answer.damaged.push_back(months[i].month);
      } else {
        return std::move(of_month).error();
      }
    }
    if (!vanished || attempt == kAttempts) {
      answer.found = ranked(all, limit);
      return answer;
    }
  }
}

}  // namespace daybook::index

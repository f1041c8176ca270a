// SPDX-License-Identifier: MIT
#include "recall/learning_candidates.hpp"

#include "daybook/lineage/project.hpp"
#include "daybook/store/fts5.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::recall {
namespace {

using index::QuestionTerm;
using lineage::Learning;

bool is_in_scope(const Learning& learning, const RecallRequest& request) {
  const bool in_time = (!request.since || *request.since <= learning.created_at) &&
                       (!request.until || learning.created_at <= *request.until);
  const bool is_of_project = learning.scope.kind == lineage::ScopeKind::project;
  const bool of_project = !is_of_project || request.project.empty() ||
                          lineage::names_project(learning.scope.id, request.project);
  const bool visible = request.behalf ? request.behalf->scopes.sees(learning.scope)
                                      : learning.scope.kind != lineage::ScopeKind::session;
  return in_time && of_project && visible && learning.is_shown(request.now) &&
         wants(request, lineage::memory_type_of(learning.kind));
}

/// How often the text holds each term.
bool count_terms(store::WordSplitter& splitter,
                 std::string_view text,
                 const std::vector<QuestionTerm>& terms,
                 std::vector<double>& frequencies) {
  bool any = false;
  splitter.each(text, [&](std::string_view word, std::size_t, std::size_t) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const bool holds = terms[i].match == index::SearchTerm::Match::prefix
                             ? word.starts_with(terms[i].stem)
                             : word == terms[i].stem;
      frequencies[i] += holds ? 1 : 0;
      any |= holds;
    }
  });
  return any;
}

}  // namespace

bool wants(const RecallRequest& request, lineage::MemoryType type) {
  return request.types.empty() ||
         std::find(request.types.begin(), request.types.end(), type) != request.types.end();
}

Result<LearningCandidates> learning_candidates(index::Reader& reader,
                                               const index::Question& question,
                                               const RecallRequest& request) {
  LearningCandidates found;
  // Kinds are those of a session's notes: who asks for one wants no other note.
  if (request.learned == Learned::left_out || !request.kinds.empty()) {
    return found;
  }
  TRY_ASSIGN(store::WordSplitter splitter, store::WordSplitter::make());
  TRY(reader.learnings({request.agent, {}}, [&](const index::LearningRow& row) {
    const Learning& learning = row.learning;
    if (!is_in_scope(learning, request)) {
      return store::Visit::next;
    }
    ++found.documents.documents;
    found.documents.bytes += learning.content.size();
    std::vector<double> frequencies(question.terms().size());
    if (count_terms(splitter, learning.content, question.terms(), frequencies)) {
      found.documents.list.push_back(
          {row.file, learning.created_at, learning.content.size(), std::move(frequencies)});
    }
    found.rows.emplace(row.file, row);
    return store::Visit::next;
  }));
  return found;
}

}  // namespace daybook::recall

// SPDX-License-Identifier: MIT
#include "daybook/recall/recall.hpp"
#include "support/quality_set.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using daybook::recall::RecallRequest;
using daybook::support::IndexedVault;
using daybook::test::AskedQuestion;

constexpr std::string_view kNow = "2026-06-15T12:00:00.000Z";

/// Of all questions how many have an answer among the first `top_k` memories.
double share_answered(const IndexedVault& vault, const std::string& set, std::size_t top_k) {
  const auto questions = daybook::test::quality_questions(set);
  REQUIRE(questions.size() == 60);
  std::size_t answered = 0;
  std::string missed;
  for (const AskedQuestion& question : questions) {
    RecallRequest request;
    request.query = question.text;
    request.agent = "default";
    request.top_k = top_k;
    request.now = {vault.clock().now_ms()};
    const auto report =
        daybook::recall::recall(daybook::base::real_disk(), vault.folder(), {}, request);
    REQUIRE(report);
    const bool found =
        std::any_of(report->results.begin(), report->results.end(), [&](const auto& result) {
          return std::count(question.answers.begin(),
                            question.answers.end(),
                            result.session.session_key) > 0;
        });
    answered += found ? 1 : 0;
    missed.append(found ? "" : question.id + " ");
  }
  const double share = static_cast<double>(answered) / static_cast<double>(questions.size());
  UNSCOPED_INFO(set << ": recall@" << top_k << " " << share << ", missed " << missed);
  return share;
}

}  // namespace

TEST_CASE("Three of four paraphrased questions find their session among the first five by words") {
  IndexedVault vault;
  vault.set_now(kNow);
  daybook::test::write_quality_sessions(vault);
  vault.reindex();
  CHECK(share_answered(vault, "questions.jsonl", 5) >= 0.75);
  CHECK(share_answered(vault, "questions.jsonl", 1) >= 0.5);
  // Asked in quite other words: by words alone these are hard to answer. It must not get worse.
  CHECK(share_answered(vault, "far-questions.jsonl", 5) >= 0.6);
}

// SPDX-License-Identifier: MIT
#include "daybook/recall/recall.hpp"
#include "daybook/service/embedding.hpp"
#include "embedding/model_process.hpp"
#include "support/quality_set.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using daybook::recall::ModeReason;
using daybook::recall::RecallRequest;
using daybook::support::IndexedVault;

constexpr std::string_view kNow = "2026-06-15T12:00:00.000Z";

std::size_t answered(const IndexedVault& vault,
                     const daybook::parse::Config& config,
                     const std::string& set) {
  const auto questions = daybook::test::quality_questions(set);
  REQUIRE(questions.size() == 60);
  std::size_t found = 0;
  std::string missed;
  for (const auto& question : questions) {
    RecallRequest request;
    request.query = question.text;
    request.agent = "default";
    request.now = {vault.clock().now_ms()};
    request.config = &config;
    const auto report =
        daybook::recall::recall(daybook::base::real_disk(), vault.folder(), {}, request);
    REQUIRE(report);
    REQUIRE(report->mode_reason == ModeReason::none);
    REQUIRE(report->results.size() == 5);
    const bool hit =
        std::any_of(report->results.begin(), report->results.end(), [&](const auto& result) {
          return std::count(question.answers.begin(),
                            question.answers.end(),
                            result.session.session_key) > 0;
        });
    found += hit ? 1 : 0;
    missed.append(hit ? "" : question.id + " ");
  }
  UNSCOPED_INFO(set << ": recall@5 " << found << " of 60, missed " << missed);
  return found;
}

}  // namespace

TEST_CASE("Nine of ten questions find their session by words and a real model together") {
  const daybook::test::ModelProcess model;
  IndexedVault vault;
  vault.set_now(kNow);
  daybook::test::write_quality_sessions(vault);
  vault.reindex();

  daybook::parse::Config config;
  config.embeddings.base_url = model.base_url();
  config.embeddings.model = "english";
  daybook::service::WorkProgress progress;
  const daybook::service::WriteGuard write = [](const auto& deed) { return deed(); };
  const auto embedded = daybook::service::run_embed_pass(
      daybook::base::real_disk(),
      vault.folder(),
      config,
      {daybook::service::Reembed::missing, write, {vault.clock().now_ms()}},
      progress);
  REQUIRE(embedded);
  CHECK(embedded->embedded == 300);
  CHECK(embedded->left_out == 0);

  const std::size_t near = answered(vault, config, "questions.jsonl");
  const std::size_t far = answered(vault, config, "far-questions.jsonl");
  CHECK(near >= 57);         // 0.95
  CHECK(far >= 51);          // 0.85: asked in quite other words
  CHECK(near + far >= 108);  // 0.90 of both
}

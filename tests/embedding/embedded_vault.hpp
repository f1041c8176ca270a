// SPDX-License-Identifier: MIT
//
// A vault and an endpoint that is configured for it: what the tests of embedding begin with. One
// thread.
#pragma once

#include "daybook/index/index_file.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/model/embedder.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/service/embedding.hpp"
#include "support/indexed_vault.hpp"
#include "support/made_embeddings.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::test {

class EmbeddedVault : public support::IndexedVault {
 public:
  explicit EmbeddedVault(std::size_t dimensions = 1024) : endpoint(dimensions) {
    config.embeddings.base_url = endpoint.base_url();
    config.embeddings.model = "made";
    set_now("2026-04-10T12:00:00.000Z");
  }

  /// A session that has a summary alone.
  void add_session(const std::string& key,
                   const std::string& sentence,
                   const std::string& body,
                   const std::string& agent = "default",
                   const std::string& time = "2026-03-28T22:34:06.792Z") const {
    support::SessionFiles files(agent, key, time);
    files.set_everywhere("ended_at", support::json_quoted(time));
    files.summary.fields.set_text("memory_sentence", sentence);
    files.summary.body = body + "\n";
    files.transcript.present = false;
    add(files);
  }

  Result<service::EmbedReport> try_embed(service::Reembed what = service::Reembed::missing) {
    const service::WriteGuard write = [this](const std::function<Result<void>()>& deed) {
      ++writes;
      return deed();
    };
    progress.cancelled = false;
    return service::run_embed_pass(
        base::real_disk(), folder(), config, {what, write, {clock().now_ms()}}, progress);
  }
  service::EmbedReport embed(service::Reembed what = service::Reembed::missing) {
    const auto report = try_embed(what);
    INFO((report ? std::string() : report.error().message));
    REQUIRE(report);
    return *report;
  }

  index::VectorCounts counts() const {
    auto opened = index::open_index(folder().file(index::kIndexFile), store::Access::read_only);
    REQUIRE(opened);
    REQUIRE(opened->database);
    const auto counts =
        index::Vectors(*opened->database)
            .counts(model::embedder_identity(config.embeddings.base_url, config.embeddings.model),
                    {clock().now_ms()});
    REQUIRE(counts);
    return *counts;
  }
  std::string last_error() const {
    auto opened = index::open_index(folder().file(index::kIndexFile), store::Access::read_only);
    REQUIRE(opened);
    REQUIRE(opened->database);
    return *service::last_embedding_error(*opened->database);
  }

  recall::RecallRequest question(const std::string& text) const {
    recall::RecallRequest request;
    request.query = text;
    request.agent = "default";
    request.now = {clock().now_ms()};
    request.config = &config;
    return request;
  }
  recall::RecallReport recall(const recall::RecallRequest& request) const {
    auto report = recall::recall(base::real_disk(), folder(), config.noise, request);
    REQUIRE(report);
    return std::move(report).value();
  }
  /// Keys of the sessions that are found, best first.
  std::vector<std::string> keys(const recall::RecallReport& report) const {
    std::vector<std::string> keys;
    for (const auto& result : report.results) {
      keys.push_back(result.session.session_key);
    }
    return keys;
  }

  support::MadeEmbeddings endpoint;
  parse::Config config;
  service::WorkProgress progress;
  std::size_t writes = 0;
};

}  // namespace daybook::test

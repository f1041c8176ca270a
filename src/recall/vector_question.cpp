// SPDX-License-Identifier: MIT
#include "recall/vector_question.hpp"

#include "daybook/base/utf8.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/service/embedding_tools.hpp"

#include <atomic>
#include <chrono>
#include <utility>

namespace daybook::recall {
namespace {

/// Somebody waits for the answer, and words alone find most of it.
constexpr std::chrono::milliseconds kPatience{2000};

Result<std::optional<index::VectorIdentity>> recorded_identity(const state::StateFolder& folder) {
  TRY_ASSIGN(auto opened,
             index::open_index(folder.file(index::kIndexFile), store::Access::read_only));
  if (!opened.database) {
    return std::optional<index::VectorIdentity>();
  }
  return index::Vectors(*opened.database).identity();
}

VectorQuestion without_vector(ModeReason reason, std::string note) {
  return {{}, {}, reason, "recall goes by words alone: " + std::move(note)};
}

/// Redacted as a whole and cut then, at the end of a character: half a secret matches no rule.
std::string sent_form(const std::string& question, const redact::Policy& policy) {
  constexpr std::size_t kSent = std::size_t{4} * 1024;
  std::string text = redact::sanitize(question, policy);
  if (text.ends_with('\n')) {
    text.pop_back();  // the sanitizer's, which is none of the question
  }
  if (text.size() > kSent) {
    text.resize(base::character_begin(text, kSent));
  }
  return text;
}

std::string in_full(const Error& error) {
  return error.hint.empty() ? error.message : error.message + " (" + error.hint + ")";
}

}  // namespace

VectorQuestion vector_of_question(base::Disk& disk,
                                  const state::StateFolder& folder,
                                  const parse::Config& config,
                                  const std::string& question,
                                  const std::atomic<bool>* cancelled) {
  const auto embedder = service::configured_embedder(config.embeddings, {kPatience, 0});
  if (embedder == nullptr) {
    return {};
  }
  const auto recorded = recorded_identity(folder);
  if (!recorded || !*recorded) {
    return nothing_embedded();
  }
  if ((*recorded)->model != embedder->identity()) {
    return other_model(**recorded, {embedder->identity(), 0});
  }
  const auto policy = service::policy_for_sending(disk, folder.workspace(), config);
  if (!policy) {
    return without_vector(ModeReason::settings, in_full(policy.error()));
  }
  const std::vector<std::string> texts{sent_form(question, *policy)};
  const std::atomic<bool> never{false};
  auto vectors = embedder->embed(texts, cancelled == nullptr ? never : *cancelled);
  if (!vectors) {
    const bool is_setting = vectors.error().kind == ErrorKind::usage;
    return without_vector(is_setting ? ModeReason::settings : ModeReason::endpoint,
                          in_full(vectors.error()));
  }
  index::VectorIdentity identity{embedder->identity(), vectors->front().size()};
  if (identity.dimensions != (*recorded)->dimensions) {
    return other_model(**recorded, identity);
  }
  return {std::move(vectors->front()), std::move(identity), ModeReason::none, {}};
}

VectorQuestion nothing_embedded() {
  return without_vector(ModeReason::no_vectors,
                        "nothing is embedded yet; the service or 'daybook reindex' does it");
}

VectorQuestion other_model(const index::VectorIdentity& recorded,
                           const index::VectorIdentity& wanted) {
  return without_vector(ModeReason::other_model, in_full(index::other_vectors(recorded, wanted)));
}

}  // namespace daybook::recall

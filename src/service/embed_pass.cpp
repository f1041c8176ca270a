// SPDX-License-Identifier: MIT
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/embedding_tools.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/store/transaction.hpp"
#include "service/passages.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace daybook::service {
namespace {

constexpr const char* kErrorKey = "vector_error";
constexpr mode_t kPrivate = 0600;
/// So many notes that were taken only when shortened: the model takes no long ones.
constexpr unsigned kShortened = 3;

struct FileTexts {
  index::PendingFile file;
  std::vector<std::string> passages;
};

class EmbedPass {
 public:
  EmbedPass(base::Disk& disk,
            const state::StateFolder& folder,
            const parse::EmbeddingConfig& config,
            redact::Policy policy,
            const EmbedRequest& request,
            WorkProgress& progress)
      : disk_(disk),
        folder_(folder),
        path_(folder.file(index::kIndexFile)),
        config_(config),
        policy_(std::move(policy)),
        request_(request),
        progress_(progress),
        own_pace_(config.requests_per_minute),
        patient_(configured_embedder(config, {{}, 2, pace()})),
        quick_(configured_embedder(config, {{}, 0, pace()})) {}

  Result<EmbedReport> run() {
    if (request_.what != Reembed::missing) {
      TRY(begin_anew());
    }
    if (request_.what == Reembed::by_service) {
      TRY(base::write_file_atomically(
          folder_.file(kReembedMark), {}, base::IfExists::replace, kPrivate));
      return report_;
    }
    TRY_ASSIGN(const auto pending, look_up_pending());
    if (pending.empty() && request_.asks_dimensions) {
      TRY(compare_dimensions());
    }
    progress_.files_total = pending.size();
    progress_.files_done = 0;
    std::span<const index::PendingFile> rest(pending);
    while (!rest.empty() && !progress_.cancelled) {
      const std::size_t taken = std::min<std::size_t>(rest.size(), config_.batch);
      TRY(embed(rest.first(taken)));
      rest = rest.subspan(taken);
    }
    return report_;
  }

 private:
  model::RequestPace* pace() { return request_.pace != nullptr ? request_.pace : &own_pace_; }
  std::string identity() const { return patient_->identity(); }

  Result<store::Database> open(store::Access access) {
    TRY_ASSIGN(auto opened, index::open_index(path_, access));
    if (!opened.database) {
      return Error{ErrorKind::not_found,
                   "there is no index to put vectors into",
                   path_,
                   "Run 'daybook reindex'."};
    }
    return std::move(*opened.database);
  }

  Result<std::vector<index::PendingFile>> look_up_pending() {
    TRY_ASSIGN(store::Database database, open(store::Access::read_only));
    index::Vectors vectors(database);
    TRY_ASSIGN(const auto recorded, vectors.identity());
    if (recorded && recorded->model != identity()) {
      return index::other_vectors(*recorded, {identity(), 0});
    }
    recorded_ = recorded;
    return vectors.pending(identity(), request_.now);
  }

  /// In a transaction of its own, under what keeps others out.
  Result<void> change(const std::function<Result<void>(index::Vectors&)>& deed) {
    return request_.write([&]() -> Result<void> {
      TRY_ASSIGN(store::Database database, open(store::Access::read_write));
      TRY_ASSIGN(auto transaction, store::Transaction::begin(database));
      index::Vectors vectors(database);
      TRY(deed(vectors));
      return transaction.commit();
    });
  }

  Result<void> begin_anew() {
    TRY(probe());
    return change([](index::Vectors& vectors) { return vectors.drop(); });
  }

  /// The same model may give vectors of another length by now. That nobody answers is no failure
  /// where nothing is to be embedded, but for a setting that is wrong.
  Result<void> compare_dimensions() {
    if (!recorded_) {
      return {};
    }
    const auto vector = probe();
    if (vector && vector->size() != recorded_->dimensions) {
      return index::other_vectors(*recorded_, {identity(), vector->size()});
    }
    return !vector && vector.error().kind == ErrorKind::usage ? vector.error() : Result<void>();
  }

  /// A harmless text: whether it is the endpoint that does not work, or what it was sent. Another
  /// one each time, since some endpoints remember their answers.
  Result<model::Vector> probe() {
    const std::vector<std::string> text{"daybook " + std::to_string(base::random_number())};
    TRY_ASSIGN(auto vectors, quick_->embed(text, progress_.cancelled));
    return std::move(vectors.front());
  }

  /// The endpoint has answered, and said that it cannot, which some tell with 5xx as well; a
  /// harmless text it digests.
  bool is_about_the_text(const Error& error) {
    return error.kind == ErrorKind::damaged && !progress_.cancelled && probe();
  }
  /// What was cut off on purpose is no failure.
  Result<void> failed(const Error& error) const {
    return progress_.cancelled ? Result<void>() : error;
  }

  Result<void> embed(std::span<const index::PendingFile> files) {
    TRY_ASSIGN(const auto texts, read(files));
    const auto vectors = ask(texts, *patient_);
    if (vectors) {
      return put(texts, *vectors);
    }
    return is_about_the_text(vectors.error()) ? embed_apart(texts, vectors.error())
                                              : failed(vectors.error());
  }

  /// What the endpoint has refused as a whole, by halves: one text must not keep all others out.
  Result<void> embed_apart(std::span<const FileTexts> texts, const Error& refusal) {
    if (texts.size() == 1) {
      return embed_shortened(texts.front(), refusal);
    }
    const std::size_t half = texts.size() / 2;
    for (const auto part : {texts.first(half), texts.subspan(half)}) {
      if (progress_.cancelled) {
        return {};
      }
      const auto vectors = ask(part, part.size() == 1 ? *patient_ : *quick_);
      if (!vectors && vectors.error().kind != ErrorKind::damaged) {
        return failed(vectors.error());
      }
      TRY(vectors ? put(part, *vectors) : embed_apart(part, vectors.error()));
    }
    return {};
  }

  /// What it has refused by itself may only be too long for it.
  Result<void> embed_shortened(const FileTexts& text, Error refusal) {
    const FileTexts shorter{text.file, shortened(text.passages)};
    if (!shorter.passages.empty() && !progress_.cancelled) {
      const auto vectors = ask({&shorter, 1}, *patient_);
      if (vectors) {
        ++shortened_;
        return put({&shorter, 1}, *vectors);
      }
      refusal = vectors.error();
    }
    // What is remembered is not asked again: so it must have been the text.
    if (!is_about_the_text(refusal)) {
      return failed(refusal);
    }
    TRY(change(
        [&](index::Vectors& vectors) { return vectors.note_refusal(text.file, identity()); }));
    leave_out();
    report_.refusal = refusal.message;
    return {};
  }

  void leave_out() {
    ++report_.left_out;
    ++progress_.files_done;
  }

  /// With a snapshot that ends here: an answer may take minutes.
  Result<std::vector<FileTexts>> read(std::span<const index::PendingFile> files) {
    TRY_ASSIGN(index::Reader reader, index::Reader::open(path_));
    TRY_ASSIGN(NoteReader notes, NoteReader::open(disk_, folder_.workspace()));
    std::vector<FileTexts> texts;
    for (const index::PendingFile& file : files) {
      TRY_ASSIGN(const auto row, reader.file(file.file));
      if (!row || row->status != index::FileStatus::valid ||
          row->source_sha256 != file.source_sha256) {
        leave_out();
        continue;
      }
      const auto text = notes.read(*row);
      if (!text || text->state != NoteState::as_indexed) {
        leave_out();
        continue;
      }
      texts.push_back({file, passages_of(row->shown_sentence(), text->body, policy_)});
      if (shortened_ >= kShortened && !shortened(texts.back().passages).empty()) {
        texts.back().passages = shortened(texts.back().passages);
      }
      progress_.bytes_done += text->body.size();
    }
    return texts;
  }

  /// Of all passages in their order; fewer, or an Error, when cancelled.
  Result<std::vector<model::Vector>> ask(std::span<const FileTexts> texts,
                                         model::Embedder& embedder) {
    std::vector<std::string> passages;
    for (const FileTexts& file : texts) {
      passages.insert(passages.end(), file.passages.begin(), file.passages.end());
    }
    std::vector<model::Vector> vectors;
    for (std::size_t at = 0; at < passages.size() && !progress_.cancelled; at += config_.batch) {
      const std::size_t count = std::min<std::size_t>(config_.batch, passages.size() - at);
      auto answer = embedder.embed(std::span<const std::string>(passages).subspan(at, count),
                                   progress_.cancelled);
      if (!answer) {
        return std::move(answer).error();
      }
      std::move(answer->begin(), answer->end(), std::back_inserter(vectors));
    }
    return vectors;
  }

  Result<void> put(std::span<const FileTexts> texts, const std::vector<model::Vector>& vectors) {
    if (progress_.cancelled || texts.empty()) {
      return {};
    }
    TRY(change([&](index::Vectors& index) -> Result<void> {
      TRY_ASSIGN(const auto recorded, index.identity());
      if (recorded_ && !recorded) {
        return Error{ErrorKind::busy, "the vectors were dropped meanwhile", path_, {}};
      }
      std::span<const model::Vector> rest(vectors);
      for (const FileTexts& file : texts) {
        TRY_ASSIGN(const bool done,
                   index.put(file.file, identity(), rest.first(file.passages.size())));
        rest = rest.subspan(file.passages.size());
        ++(done ? report_.embedded : report_.left_out);
      }
      return {};
    }));
    progress_.files_done += texts.size();
    return {};
  }

  base::Disk& disk_;
  const state::StateFolder& folder_;
  std::string path_;
  const parse::EmbeddingConfig& config_;
  redact::Policy policy_;
  const EmbedRequest& request_;
  WorkProgress& progress_;
  model::RequestPace own_pace_;
  std::unique_ptr<model::Embedder> patient_;
  std::unique_ptr<model::Embedder> quick_;  // once, where the endpoint is known to work
  EmbedReport report_;
  unsigned shortened_ = 0;
  std::optional<index::VectorIdentity> recorded_;  // when this began
};

/// For `status`; only when it says something else than before. What cannot be noted is not news.
void note_outcome(const state::StateFolder& folder,
                  const WriteGuard& write,
                  const std::string& words) {
  const std::string path = folder.file(index::kIndexFile);
  auto opened = index::open_index(path, store::Access::read_only);
  if (!opened || !opened->database) {
    return;
  }
  const auto before = last_embedding_error(*opened->database);
  opened->database.reset();
  if (!before || *before == words) {
    return;
  }
  static_cast<void>(write([&]() -> Result<void> {
    TRY_ASSIGN(auto found, index::open_index(path, store::Access::read_write));
    return found.database ? index::put_meta(*found.database, kErrorKey, words) : Result<void>();
  }));
}

}  // namespace

Result<std::string> last_embedding_error(store::Database& index) {
  TRY_ASSIGN(auto words, index::meta_text(index, kErrorKey));
  return std::move(words).value_or(std::string());
}

Result<EmbedReport> run_embed_pass(base::Disk& disk,
                                   const state::StateFolder& folder,
                                   const parse::Config& config,
                                   const EmbedRequest& request,
                                   WorkProgress& progress) {
  if (!config.embeddings.is_set()) {
    return EmbedReport();
  }
  auto report = [&]() -> Result<EmbedReport> {
    TRY_ASSIGN(redact::Policy policy, policy_for_sending(disk, folder.workspace(), config));
    return EmbedPass(disk, folder, config.embeddings, std::move(policy), request, progress).run();
  }();
  const bool busy = !report && report.error().kind == ErrorKind::busy;
  if (!progress.cancelled && !busy) {
    note_outcome(folder, request.write, report ? report->refusal : report.error().message);
  }
  return report;
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/service/capture_tools.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/embedding_tools.hpp"
#include "daybook/service/note_text.hpp"
#include "service/passages.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace daybook::service {
namespace {

constexpr const char* kErrorKey = "vector_error";
constexpr unsigned kMostRefused = 3;
constexpr const char* kProbe = "daybook";

struct FileTexts {
  index::PendingFile file;
  std::vector<std::string> passages;
};

class EmbedPass {
 public:
  EmbedPass(base::Disk& disk,
            const state::StateFolder& folder,
            const parse::EmbeddingConfig& config,
            CaptureTools tools,
            const EmbedRequest& request,
            WorkProgress& progress)
      : disk_(disk),
        folder_(folder),
        path_(folder.file(index::kIndexFile)),
        config_(config),
        tools_(std::move(tools)),
        request_(request),
        progress_(progress),
        own_pace_(config.requests_per_minute),
        embedder_(configured_embedder(
            config, {{}, 2, request.pace != nullptr ? request.pace : &own_pace_})) {}

  Result<EmbedReport> run() {
    if (request_.what == Reembed::everything) {
      TRY(begin_anew());
    }
    TRY_ASSIGN(const auto pending, look_up_pending());
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
    if (recorded && recorded->model != embedder_->identity()) {
      return index::other_vectors(*recorded, {embedder_->identity(), 0});
    }
    return vectors.pending();
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
    const std::vector<std::string> probe{kProbe};
    TRY(embedder_->embed(probe, progress_.cancelled));
    return change([](index::Vectors& vectors) { return vectors.drop(); });
  }

  /// A batch that the endpoint cannot digest is tried file by file: one text that it refuses must
  /// not keep all others out. One that refuses everything is not asked about each of them.
  Result<void> embed(std::span<const index::PendingFile> files) {
    auto done = embed_together(files);
    if (done || done.error().kind != ErrorKind::damaged || progress_.cancelled) {
      return done;
    }
    if (files.size() > 1) {
      for (std::size_t i = 0; i < files.size() && !progress_.cancelled; ++i) {
        TRY(embed(files.subspan(i, 1)));
      }
      return {};
    }
    ++report_.left_out;
    ++progress_.files_done;
    report_.refusal = done.error().message;
    return ++refused_in_a_row_ >= kMostRefused ? done : Result<void>();
  }

  Result<void> embed_together(std::span<const index::PendingFile> files) {
    TRY_ASSIGN(const auto texts, read(files));
    TRY_ASSIGN(auto vectors, ask(texts));
    if (!progress_.cancelled && !texts.empty()) {
      TRY(put(texts, vectors));
      refused_in_a_row_ = 0;
    }
    progress_.files_done += files.size();
    return {};
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
        ++report_.left_out;
        continue;
      }
      const auto text = notes.read(*row);
      if (!text || text->state != NoteState::as_indexed) {
        ++report_.left_out;
        continue;
      }
      texts.push_back({file, passages_of(row->shown_sentence(), text->body, tools_.policy)});
      progress_.bytes_done += text->body.size();
    }
    return texts;
  }

  /// Of all passages in their order; fewer when cancelled.
  Result<std::vector<model::Vector>> ask(const std::vector<FileTexts>& texts) {
    std::vector<std::string> passages;
    for (const FileTexts& file : texts) {
      passages.insert(passages.end(), file.passages.begin(), file.passages.end());
    }
    std::vector<model::Vector> vectors;
    for (std::size_t at = 0; at < passages.size() && !progress_.cancelled; at += config_.batch) {
      const std::size_t count = std::min<std::size_t>(config_.batch, passages.size() - at);
      auto answer = embedder_->embed(std::span<const std::string>(passages).subspan(at, count),
                                     progress_.cancelled);
      if (!answer) {
        // What was cut off on purpose is no failure.
        return progress_.cancelled ? Result(std::move(vectors)) : std::move(answer).error();
      }
      std::move(answer->begin(), answer->end(), std::back_inserter(vectors));
    }
    return vectors;
  }

  Result<void> put(const std::vector<FileTexts>& texts, const std::vector<model::Vector>& vectors) {
    return change([&](index::Vectors& index) -> Result<void> {
      std::span<const model::Vector> rest(vectors);
      for (const FileTexts& file : texts) {
        TRY_ASSIGN(const bool done,
                   index.put(file.file, embedder_->identity(), rest.first(file.passages.size())));
        rest = rest.subspan(file.passages.size());
        ++(done ? report_.embedded : report_.left_out);
      }
      return {};
    });
  }

  base::Disk& disk_;
  const state::StateFolder& folder_;
  std::string path_;
  const parse::EmbeddingConfig& config_;
  CaptureTools tools_;
  const EmbedRequest& request_;
  WorkProgress& progress_;
  model::RequestPace own_pace_;
  std::unique_ptr<model::Embedder> embedder_;
  EmbedReport report_;
  unsigned refused_in_a_row_ = 0;
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
    TRY_ASSIGN(CaptureTools tools, capture_tools(disk, folder.workspace(), config));
    return EmbedPass(disk, folder, config.embeddings, std::move(tools), request, progress).run();
  }();
  const bool busy = !report && report.error().kind == ErrorKind::busy;
  if (!progress.cancelled && !busy) {
    note_outcome(folder, request.write, report ? report->refusal : report.error().message);
  }
  return report;
}

}  // namespace daybook::service

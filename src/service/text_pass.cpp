// SPDX-License-Identifier: MIT
#include "service/text_pass.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/base/log.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/index/text_months.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/store/transaction.hpp"
#include "service/unit_worker.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace daybook::service {
namespace {

struct MonthToDo {
  index::MarkedMonth marked;
  index::MonthWork work = index::MonthWork::update;
};

bool is_same(const index::DocumentPlace& place, const base::FileStat& stat) {
  return place.size == stat.size && place.mtime_ns == stat.mtime_ns &&
         place.ctime_ns == stat.ctime_ns && place.inode == stat.inode;
}

/// One thread's hands: its own view of the index and of the vault.
class MonthWorker {
 public:
  static Result<std::unique_ptr<MonthWorker>> make(base::Disk& disk,
                                                   const state::StateFolder& folder,
                                                   WorkProgress& progress) {
    TRY_ASSIGN(auto root, disk.open_root(folder.workspace()));
    TRY_ASSIGN(auto opened,
               index::open_index(folder.file(index::kIndexFile), store::Access::read_only));
    if (!opened.database) {
      return Error{
          ErrorKind::damaged, "the index cannot be read", folder.file(index::kIndexFile), {}};
    }
    TRY_ASSIGN(auto documents, index::TextDocuments::make(*opened.database));
    return std::unique_ptr<MonthWorker>(new MonthWorker(
        std::move(root), std::move(opened), std::move(documents), folder, progress));
  }

  Result<index::MonthOutcome> bring_up_to_date(const MonthToDo& todo) {
    // What is wanted and where it stands must be told by the same rows, though others write
    // meanwhile.
    TRY_ASSIGN(const auto snapshot,
               store::Transaction::begin(database_, store::Transaction::Kind::deferred));
    TRY_ASSIGN(auto wanted, documents_.of_month(todo.marked.month));
    const std::size_t count = wanted.size();
    progress_.files_total += count;
    done_ = 0;
    auto outcome = index::bring_up_to_date(
        {text_folder_, todo.marked.month, meta_.index_id, todo.work},
        std::move(wanted),
        [this](const index::TextDocument& document) { return read(document); },
        progress_.cancelled);
    progress_.files_done += count - done_;
    return outcome;
  }

  Result<bool> may_hold_other_text(std::int64_t month) {
    TRY_ASSIGN(const auto wanted, documents_.of_month(month));
    return index::may_hold_other_text(
        {text_folder_, month, meta_.index_id, index::MonthWork::rebuild}, wanted);
  }

 private:
  MonthWorker(std::unique_ptr<base::Folder> root,
              index::OpenedIndex&& opened,
              index::TextDocuments documents,
              const state::StateFolder& folder,
              WorkProgress& progress)
      : root_(std::move(root)),
        database_(std::move(*opened.database)),
        documents_(std::move(documents)),
        meta_(std::move(opened.meta)),
        reader_(*root_),
        text_folder_(folder.file(index::kTextFolder)),
        progress_(progress) {}

  /// Nothing when the file is not the one any more that the row speaks of: the next pass will see.
  Result<std::optional<index::TextContent>> read(const index::TextDocument& document) {
    ++done_;
    ++progress_.files_done;
    TRY_ASSIGN(const index::DocumentPlace place, documents_.place_of(document.file));
    const auto opened = reader_.open(place.folder, place.name, scan::kLargestTranscript);
    if (!opened || opened->too_large || !is_same(place, opened->stat)) {
      return std::optional<index::TextContent>();
    }
    index::TextContent content;
    content.sentence = place.sentence;
    content.body = parse::split_file(opened->first_piece).body;
    while (!opened->complete && content.body.size() < index::kTextLimit) {
      const auto piece = reader_.next_piece();
      if (!piece) {
        return std::optional<index::TextContent>();
      }
      if (piece->empty()) {
        break;
      }
      content.body.append(*piece);
    }
    progress_.bytes_done += content.body.size();
    return std::optional(std::move(content));
  }

  std::unique_ptr<base::Folder> root_;
  store::Database database_;
  index::TextDocuments documents_;
  index::IndexMeta meta_;
  scan::FileReader reader_;
  std::string text_folder_;
  WorkProgress& progress_;
  std::size_t done_ = 0;
};

/// The months that are marked, and unmarks them one by one; shared by the threads.
class MonthList {
 public:
  static Result<MonthList> open(const std::string& path, store::Access access) {
    TRY_ASSIGN(auto opened, index::open_index(path, access));
    if (!opened.database) {
      return Error{ErrorKind::damaged, "the index cannot be read", path, {}};
    }
    MonthList list(std::move(*opened.database));
    TRY_ASSIGN(const auto marked, index::TextMonths(*list.database_).marked());
    for (const index::MarkedMonth& month : marked) {
      list.todo_.push_back({month, index::MonthWork::update});
    }
    return list;
  }

  const std::vector<MonthToDo>& todo() const { return todo_; }

  void limit_to(const std::vector<std::int64_t>& months) {
    std::erase_if(todo_, [&months](const MonthToDo& todo) {
      return std::find(months.begin(), months.end(), todo.marked.month) == months.end();
    });
  }

  /// Those whose files may hold text that nobody is to find: of rows that have changed since (they
  /// are marked), or of documents that are only hidden. Whose text that was is not known any more.
  /// All are marked then, so that one that cannot be made whole is not forgotten.
  Result<void> limit_to_erasure(const std::string& text_folder, MonthWorker& worker) {
    TRY_ASSIGN(const auto with_text, index::months_with_text(text_folder));
    std::vector<MonthToDo> erasing;
    for (const std::int64_t month : with_text) {
      const auto marked = std::find_if(todo_.begin(), todo_.end(), [month](const MonthToDo& todo) {
        return todo.marked.month == month;
      });
      if (marked != todo_.end()) {
        erasing.push_back({marked->marked, index::MonthWork::rebuild});
        continue;
      }
      TRY_ASSIGN(const bool holds, worker.may_hold_other_text(month));
      if (holds) {
        TRY(index::TextMonths(*database_).mark(month));
        erasing.push_back({{month, 1}, index::MonthWork::rebuild});
      }
    }
    todo_ = std::move(erasing);
    return {};
  }

  /// What its files look like now that they are written, if there are any.
  Result<void> note_files(const std::string& text_folder, std::int64_t month) {
    TRY_ASSIGN(const auto marks, index::month_file_marks(text_folder, month));
    return index::TextMonths(*database_)
        .put_file_mark(month, marks.empty() ? std::nullopt : std::optional(marks.at(month)));
  }

  /// Months whose files are not as they were left. Nobody knows what is in them: they are marked,
  /// and the files go.
  Result<void> forget_altered(const std::string& text_folder) {
    index::TextMonths months(*database_);
    TRY_ASSIGN(const auto marks, index::month_file_marks(text_folder));
    TRY_ASSIGN(const auto known, months.file_marks());
    for (const auto& [month, mark] : known) {
      const auto found = marks.find(month);
      if (found == marks.end() || found->second != mark) {
        TRY(months.mark(month));
        TRY(index::forget_month(text_folder, month));
      }
    }
    return {};
  }

  /// What somebody has altered since is not gone on with: nobody knows what is in it.
  Result<void> rebuild_altered(const std::string& text_folder) {
    TRY_ASSIGN(const auto known, index::TextMonths(*database_).file_marks());
    const auto one = todo_.size() == 1 ? std::optional(todo_.front().marked.month) : std::nullopt;
    TRY_ASSIGN(const auto marks, index::month_file_marks(text_folder, one));
    for (MonthToDo& todo : todo_) {
      const auto left = known.find(todo.marked.month);
      const auto found = marks.find(todo.marked.month);
      if (left != known.end() && found != marks.end() && left->second != found->second) {
        todo.work = index::MonthWork::rebuild;
      }
    }
    return {};
  }

  /// One that was marked again since open() stays: a pass beside this one has changed its rows.
  Result<void> clear(const MonthToDo& done) {
    return index::TextMonths(*database_).unmark(done.marked);
  }

 private:
  explicit MonthList(store::Database database)
      : database_(std::make_unique<store::Database>(std::move(database))) {}
  std::unique_ptr<store::Database> database_;
  std::vector<MonthToDo> todo_;
};

/// Several at the months of a list, each with a worker of its own.
class MonthCrew {
 public:
  MonthCrew(MonthList& months, std::string text_folder, WorkProgress& progress)
      : months_(months), text_folder_(std::move(text_folder)), progress_(progress) {}

  /// The first failure ends whoever meets it; the others finish their month.
  Result<TextPassReport> work(base::Disk& disk,
                              const state::StateFolder& folder,
                              unsigned threads) {
    std::vector<std::unique_ptr<MonthWorker>> workers;
    for (unsigned i = 0; i < thread_count(threads, months_.todo().size()); ++i) {
      TRY_ASSIGN(auto worker, MonthWorker::make(disk, folder, progress_));
      workers.push_back(std::move(worker));
    }
    {
      std::vector<std::jthread> running;
      for (std::size_t i = 1; i < workers.size(); ++i) {
        running.emplace_back([this, &worker = *workers[i]] { take_months(worker); });
      }
      take_months(*workers.front());
    }
    TRY(outcome_);
    return report_;
  }

 private:
  void take_months(MonthWorker& worker) {
    for (std::size_t i = next_++; i < months_.todo().size() && !progress_.cancelled; i = next_++) {
      const MonthToDo& todo = months_.todo()[i];
      const auto done = worker.bring_up_to_date(todo);
      const std::lock_guard lock(mutex_);
      const auto noted = done ? note(todo, *done) : done.error();
      if (!noted) {
        outcome_ = noted.error();
        return;
      }
    }
  }

  /// Under the mutex.
  Result<void> note(const MonthToDo& todo, const index::MonthOutcome& done) {
    if (done.deed == index::MonthOutcome::Deed::cancelled) {
      return {};
    }
    ++report_.months;
    report_.documents_added += done.added;
    report_.left_out += done.left_out;
    auto cleared = months_.note_files(text_folder_, todo.marked.month);
    if (cleared &&
        done.left_out == 0) {  // else changed since it was indexed: the next pass tries again
      cleared = months_.clear(todo);
    }
    if (!cleared && cleared.error().kind == ErrorKind::busy) {
      ++report_.left_out;  // a long pass writes beside it: the mark stays, and costs a look
      return {};
    }
    return cleared;
  }

  MonthList& months_;
  std::string text_folder_;
  WorkProgress& progress_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards all below, and months_ while threads run
  TextPassReport report_;
  Result<void> outcome_;
};

}  // namespace

Result<void> forget_altered_months(const state::StateFolder& folder) {
  TRY_ASSIGN(MonthList months,
             MonthList::open(folder.file(index::kIndexFile), store::Access::read_write));
  return months.forget_altered(folder.file(index::kTextFolder));
}

Result<std::vector<std::int64_t>> marked_months(const state::StateFolder& folder) {
  TRY_ASSIGN(const MonthList list,
             MonthList::open(folder.file(index::kIndexFile), store::Access::read_only));
  std::vector<std::int64_t> months;
  for (const MonthToDo& todo : list.todo()) {
    months.push_back(todo.marked.month);
  }
  return months;
}

Result<TextPassReport> run_text_pass(base::Disk& disk,
                                     const state::StateFolder& folder,
                                     const TextPassRequest& request,
                                     WorkProgress& progress) {
  const base::Stopwatch stopwatch;
  TRY_ASSIGN(MonthList months,
             MonthList::open(folder.file(index::kIndexFile), store::Access::read_write));
  if (request.work == TextWork::erase) {
    TRY_ASSIGN(const auto worker, MonthWorker::make(disk, folder, progress));
    TRY(months.limit_to_erasure(folder.file(index::kTextFolder), *worker));
  }
  if (!request.months.empty()) {
    months.limit_to(request.months);
  }
  if (months.todo().empty()) {
    return TextPassReport();
  }
  TRY_ASSIGN(const std::string text_folder, folder.make_private_folder(index::kTextFolder));
  TRY(months.rebuild_altered(text_folder));
  TRY_ASSIGN(auto report,
             MonthCrew(months, text_folder, progress).work(disk, folder, request.threads));
  base::log(base::LogLevel::debug,
            {"index", "brought the full text up to date", text_folder, stopwatch.seconds()});
  return report;
}

}  // namespace daybook::service

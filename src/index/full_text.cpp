// SPDX-License-Identifier: MIT
#include "daybook/index/full_text.hpp"

#include "daybook/base/keyed_hash.hpp"
#include "daybook/store/transaction.hpp"
#include "index/full_text_file.hpp"
#include "index/full_text_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace daybook::index {
namespace {

using Deed = MonthOutcome::Deed;

struct Month {
  const MonthRequest& request;
  const std::vector<TextDocument>& wanted;  // by time
  const TextSource& source;
  const std::atomic<bool>& cancelled;
};

/// From what there is to what is wanted.
struct Plan {
  std::vector<StoredDocument> retired;
  std::vector<std::pair<std::int64_t, TextDocument>> restated;
  std::vector<TextDocument> added;

  bool is_empty() const { return retired.empty() && restated.empty() && added.empty(); }
};

/// One document a file, oldest first: row ids then grow with time, and a search finds the newest
/// matches by walking backwards.
void put_in_order(std::vector<TextDocument>& wanted) {
  const auto by_file = [](const auto& a, const auto& b) { return a.file < b.file; };
  const auto same = [](const auto& a, const auto& b) { return a.file == b.file; };
  std::sort(wanted.begin(), wanted.end(), by_file);
  wanted.erase(std::unique(wanted.begin(), wanted.end(), same), wanted.end());
  std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
    return std::tie(a.time, a.file) < std::tie(b.time, b.file);
  });
}

bool same_facts(const TextDocument& a, const TextDocument& b) {
  return a.agent == b.agent && a.project == b.project && a.kind == b.kind && a.time == b.time;
}

Plan make_plan(const std::vector<StoredDocument>& stored, const std::vector<TextDocument>& wanted) {
  Plan plan;
  std::unordered_map<std::int64_t, const StoredDocument*> unclaimed;
  unclaimed.reserve(stored.size());
  for (const StoredDocument& one : stored) {
    unclaimed.emplace(one.document.file, &one);
  }
  for (const TextDocument& document : wanted) {
    const auto known = unclaimed.find(document.file);
    if (known == unclaimed.end() || known->second->mark != mark_of(document)) {
      plan.added.push_back(document);
      continue;
    }
    if (!same_facts(known->second->document, document)) {
      plan.restated.emplace_back(known->second->id, document);
    }
    unclaimed.erase(known);
  }
  plan.retired.reserve(unclaimed.size());
  for (const auto& [file, one] : unclaimed) {
    plan.retired.push_back(*one);
  }
  return plan;
}

/// False when cancelled.
Result<bool> add_all(const Month& month,
                     const std::vector<TextDocument>& documents,
                     MonthWriter& writer,
                     MonthOutcome& outcome) {
  for (const TextDocument& document : documents) {
    if (month.cancelled.load(std::memory_order_relaxed)) {
      return false;
    }
    TRY_ASSIGN(auto content, month.source(document));
    if (!content) {
      ++outcome.left_out;
      continue;
    }
    TRY(writer.add(document, std::move(*content)));
    ++outcome.added;
  }
  return true;
}

/// Builds under a temporary name. False when cancelled.
Result<bool> build_file(const Month& month, const std::string& path, MonthOutcome& outcome) {
  TRY_ASSIGN(auto database, create_month(path, month.request.index_id));
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database));
  TRY_ASSIGN(auto writer, MonthWriter::for_new(database));
  TRY_ASSIGN(const bool complete, add_all(month, month.wanted, writer, outcome));
  if (!complete) {
    return false;
  }
  TRY(writer.finish());
  TRY(transaction.commit());
  return true;
}

Result<MonthOutcome> rebuild(const Month& month, std::int64_t generation) {
  MonthOutcome outcome;
  const std::string path = MonthName{month.request.month, generation}.path_in(month.request.folder);
  const std::string temporary = path + ".new";
  TRY(store::remove_database(temporary));
  const auto built = build_file(month, temporary, outcome);
  if (!built || !*built) {
    static_cast<void>(store::remove_database(temporary));
    if (!built) {
      return built.error();
    }
    return MonthOutcome{Deed::cancelled};
  }
  TRY(install_month_file(temporary, path));
  TRY(remove_month_files(month.request.folder, month.request.month, generation));
  outcome.deed = Deed::rebuilt;
  return outcome;
}

/// Whether so much would be dead weight that a new file is due.
bool is_mostly_stale(const MonthMeta& meta, const Plan& plan) {
  const auto dead = meta.highest - meta.documents + static_cast<std::int64_t>(plan.retired.size());
  const auto all = meta.highest + static_cast<std::int64_t>(plan.added.size());
  return dead * 4 > all;
}

/// Changes the file in place; nothing when it is to be built anew. Opening rolls back what a crash
/// left half done.
Result<std::optional<MonthOutcome>> change(const Month& month, const std::string& path) {
  std::optional<MonthOutcome> outcome;
  TRY_ASSIGN(auto database, open_month_for_change(path));
  TRY_ASSIGN(const auto meta, read_month_meta(database, month.request.index_id));
  if (!meta) {
    return outcome;
  }
  if (month.request.work == MonthWork::verify) {
    TRY_ASSIGN(const bool sound, database.is_sound());
    if (!sound) {
      return outcome;
    }
    TRY(database.execute("INSERT INTO words(words) VALUES('integrity-check')"));
  }
  TRY_ASSIGN(const auto stored, stored_documents(database));
  const Plan plan = make_plan(stored, month.wanted);
  if (static_cast<std::int64_t>(stored.size()) != meta->documents || is_mostly_stale(*meta, plan)) {
    return outcome;
  }
  outcome.emplace();
  if (plan.is_empty()) {
    return outcome;
  }
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database));
  TRY_ASSIGN(auto writer, MonthWriter::for_change(database, *meta));
  for (const StoredDocument& one : plan.retired) {
    TRY(writer.retire(one));
  }
  for (const auto& [id, document] : plan.restated) {
    TRY(writer.restate(id, document));
  }
  TRY_ASSIGN(const bool complete, add_all(month, plan.added, writer, *outcome));
  if (!complete) {
    return std::optional(MonthOutcome{Deed::cancelled});
  }
  TRY(writer.finish());
  TRY(transaction.commit());
  outcome->deed = Deed::updated;
  outcome->retired = plan.retired.size();
  return outcome;
}

Result<void> make_folder(const std::string& folder) {
  constexpr mode_t kPrivate = 0700;
  if (::mkdir(folder.c_str(), kPrivate) != 0 && errno != EEXIST) {
    return base::system_error("making the folder of the full text", folder, errno);
  }
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return Error{ErrorKind::not_regular,
                 "the folder of the full text is a symbolic link or no folder",
                 folder,
                 "Move it away; Daybook makes a new one."};
  }
  return {};
}

/// The newest whole file of the month; 0: none.
Result<std::int64_t> newest_generation(const MonthRequest& request) {
  std::int64_t newest = 0;
  TRY_ASSIGN(const auto entries, list_text_folder(request.folder));
  for (const TextFolderEntry& entry : entries) {
    if (entry.is_month && entry.name.month == request.month) {
      newest = std::max(newest, entry.name.generation);
    }
  }
  return newest;
}

}  // namespace

Result<MonthOutcome> bring_up_to_date(const MonthRequest& request,
                                      std::vector<TextDocument> wanted,
                                      const TextSource& source,
                                      const std::atomic<bool>& cancelled) {
  TRY_ASSIGN(const std::int64_t generation, newest_generation(request));
  if (wanted.empty()) {
    TRY(remove_month_files(request.folder, request.month, std::nullopt));
    return MonthOutcome{generation == 0 ? Deed::nothing : Deed::removed};
  }
  TRY(make_folder(request.folder));
  put_in_order(wanted);
  const Month month{request, wanted, source, cancelled};
  if (generation != 0 && request.work != MonthWork::rebuild) {
    auto changed = change(month, MonthName{request.month, generation}.path_in(request.folder));
    if (changed && *changed) {
      TRY(remove_month_files(request.folder, request.month, generation));
      return **changed;
    }
    if (!changed && changed.error().kind != ErrorKind::damaged) {
      return std::move(changed).error();
    }
  }
  return rebuild(month, generation + 1);
}

Result<bool> may_hold_other_text(const MonthRequest& request,
                                 const std::vector<TextDocument>& wanted) {
  TRY_ASSIGN(const auto entries, list_text_folder(request.folder));
  const auto files =
      std::count_if(entries.begin(), entries.end(), [&request](const TextFolderEntry& entry) {
        return entry.name.month == request.month;
      });
  TRY_ASSIGN(const std::int64_t generation, newest_generation(request));
  if (files != 1 || generation == 0) {
    return files > 0;  // what a crash left
  }
  const std::string path = MonthName{request.month, generation}.path_in(request.folder);
  const auto holds_other = [&]() -> Result<bool> {
    TRY_ASSIGN(auto database, open_month_for_change(path));
    TRY_ASSIGN(const auto meta, read_month_meta(database, request.index_id));
    if (!meta || meta->highest != meta->documents) {
      return true;
    }
    TRY_ASSIGN(const auto stored, stored_documents(database));
    return !make_plan(stored, wanted).retired.empty();
  };
  auto holds = holds_other();
  return !holds && holds.error().kind == ErrorKind::damaged ? Result(true) : std::move(holds);
}

Result<std::vector<std::int64_t>> months_with_text(const std::string& folder) {
  TRY_ASSIGN(const auto entries, list_text_folder(folder));
  std::vector<std::int64_t> months;
  months.reserve(entries.size());
  for (const TextFolderEntry& entry : entries) {
    months.push_back(entry.name.month);
  }
  std::sort(months.rbegin(), months.rend());
  months.erase(std::unique(months.begin(), months.end()), months.end());
  return months;
}

Result<std::map<std::int64_t, std::int64_t>> month_file_marks(const std::string& folder,
                                                              std::optional<std::int64_t> month) {
  TRY_ASSIGN(auto entries, list_text_folder(folder));
  std::sort(entries.begin(), entries.end(), [](const auto& left, const auto& right) {
    return left.file < right.file;
  });
  std::map<std::int64_t, std::int64_t> marks;
  for (const TextFolderEntry& entry : entries) {
    struct stat raw {};
    if ((month && entry.name.month != *month) ||
        ::lstat((folder + "/" + entry.file).c_str(), &raw) != 0) {
      continue;
    }
    std::int64_t& so_far = marks[entry.name.month];
    std::uint64_t mark = base::keyed_hash(entry.file, static_cast<std::uint64_t>(so_far) + 1);
    for (const auto part : {raw.st_size,
                            raw.st_mtim.tv_sec,
                            raw.st_mtim.tv_nsec,
                            raw.st_ctim.tv_sec,
                            raw.st_ctim.tv_nsec,
                            static_cast<std::int64_t>(raw.st_ino)}) {
      mark = base::mix(mark, static_cast<std::uint64_t>(part));
    }
    so_far = static_cast<std::int64_t>(mark >> 1U);
  }
  return marks;
}

Result<void> forget_month(const std::string& folder, std::int64_t month) {
  return remove_month_files(folder, month, std::nullopt);
}

}  // namespace daybook::index

// SPDX-License-Identifier: MIT
//
// The index: its databases page by page, and its rows against the files that they speak of. A file
// whose stat data differ is stale, which status has found already; what is looked for here is a row
// that is wrong although stat says that nothing changed.
#include "daybook/index/full_text.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/row_comparison.hpp"
#include "daybook/store/database.hpp"
#include "doctor/probes.hpp"

#include <algorithm>
#include <filesystem>

namespace daybook::doctor {
namespace {

namespace fs = std::filesystem;
using enum FindingSeverity;
using Index = scan::VaultListing::Index;

constexpr std::size_t kSample = 200;
/// A state.db up to this size is read whole whenever it is opened; so it is here.
constexpr std::uintmax_t kAlwaysRead = 4U << 20U;
constexpr int kBusyTimeoutMs = 1000;

/// Whether SQLite finds the file whole; nothing when it could not be asked.
std::optional<bool> is_whole(const std::string& path, Depth depth) {
  auto database = store::Database::open(path, {store::Access::read_only, kBusyTimeoutMs});
  if (!database) {
    return std::nullopt;
  }
  const auto sound = database->is_sound();
  if (!sound || !*sound || depth == Depth::sample) {
    return sound ? std::optional(*sound) : std::nullopt;
  }
  const auto verdict = database->text("PRAGMA integrity_check(1)");
  if (!verdict) {
    return verdict.error().kind == ErrorKind::damaged ? std::optional(false) : std::nullopt;
  }
  return *verdict == "ok";
}

bool is_there(const std::string& path) {
  std::error_code trouble;
  return fs::is_regular_file(path, trouble) && fs::file_size(path, trouble) > 0;
}

/// Before anything opens state.db for writing, which would set a damaged one aside.
bool look_at_state_db(Examination& examination) {
  const std::string path = examination.folder->file("state.db");
  std::error_code trouble;
  if (!is_there(path) || (!examination.is_deep() && fs::file_size(path, trouble) > kAlwaysRead)) {
    return true;
  }
  if (is_whole(path, examination.request.depth).value_or(true)) {
    return true;
  }
  examination.add("state-db",
                  "state-damaged",
                  error,
                  "state.db is damaged; the next command that needs it sets it aside and makes "
                  "it anew: seals, telemetry and the audit begin again",
                  "Put a backup of it in its place first if you have one.",
                  Remedy::run_pass,
                  {path});
  return false;
}

void look_at_derived(Examination& examination) {
  const std::string index = examination.folder->file(index::kIndexFile);
  if (is_there(index) && !is_whole(index, Depth::everything).value_or(true)) {
    examination.add("index",
                    std::string(service::degraded::kIndexDamaged),
                    error,
                    "the index is damaged",
                    "'daybook reindex --full' makes it anew; nothing is lost by that.",
                    Remedy::run_full_pass,
                    {index});
  }
  std::vector<std::string> months;
  std::error_code trouble;
  for (const auto& entry :
       fs::directory_iterator(examination.folder->file(index::kTextFolder), trouble)) {
    if (entry.path().extension() == ".db" &&
        !is_whole(entry.path().string(), Depth::everything).value_or(true)) {
      months.push_back(entry.path().string());
    }
  }
  if (!months.empty()) {
    examination.add("full-text",
                    "full-text-damaged",
                    error,
                    "the full text of " + amount(months.size(), "month") + " is damaged",
                    "'daybook reindex --full' makes it anew; nothing is lost by that.",
                    Remedy::run_full_pass,
                    first_few(months));
  }
}

/// Rows and files that do not agree although stat says that nothing changed since.
class RowCheck {
 public:
  RowCheck(Examination& examination, base::Folder& root, index::Reader& rows)
      : examination_(examination), files_(root), rows_(rows) {}

  void run() {
    const std::size_t all = examination_.listing->entries().size();
    const std::size_t count = examination_.is_deep() ? all : std::min(all, kSample);
    examination_.progress.files_total += count;
    for (std::size_t i = 0; i < count && !examination_.progress.cancelled; ++i) {
      compare(static_cast<Index>(i * all / count));  // evenly spread, and always the same ones
      ++examination_.progress.files_done;
    }
  }

  std::uint64_t compared = 0;
  std::vector<std::string> differing;
  std::vector<std::string> unreadable;

 private:
  void compare(Index file) {
    const scan::VaultListing& listing = *examination_.listing;
    const auto row = rows_.file_at(listing.path(file));
    if (!row || !*row || !(*row)->source_sha256) {
      return;
    }
    const auto opened =
        files_.open(listing.folder_path(file), listing.file_name(file), scan::kLargestTranscript);
    if (!opened) {
      if (opened.error().kind != ErrorKind::not_found) {
        unreadable.push_back(listing.path(file));
      }
      return;
    }
    if (opened->too_large || !service::has_same_stat(**row, opened->stat)) {
      return;
    }
    ++compared;
    examination_.progress.bytes_done += opened->size;
    const auto seal = service::seal_of_rest(files_, *opened);
    if (!seal) {
      unreadable.push_back(listing.path(file));
    } else if (*seal != (*row)->source_sha256) {
      differing.push_back(listing.path(file));
    }
  }

  Examination& examination_;
  scan::FileReader files_;
  index::Reader& rows_;
};

void tell_rows(Examination& examination, RowCheck& check) {
  if (!check.differing.empty()) {
    examination.add("index-rows",
                    "index-differs",
                    error,
                    amount(check.differing.size(), "file") + " of " +
                        std::to_string(check.compared) +
                        " differ from what the index says, although size and times are the same",
                    "'daybook reindex --full' reads every file again; check the disk if nobody "
                    "changed them.",
                    Remedy::run_full_pass,
                    first_few(check.differing));
  } else {
    examination.add_ok("index-rows",
                       amount(check.compared, "file") + " compared with the index: no difference");
  }
  if (!check.unreadable.empty()) {
    examination.add("notes",
                    "notes-unreadable",
                    warning,
                    amount(check.unreadable.size(), "note") + " could not be read",
                    "Check that you may read them, and the disk.",
                    Remedy::none,
                    first_few(check.unreadable));
  }
}

}  // namespace

void look_at_databases(Examination& examination) {
  if (!examination.folder) {
    return;
  }
  if (examination.is_deep()) {
    look_at_derived(examination);
  }
  if (!look_at_state_db(examination)) {
    examination.add_unknown("index", "the index was not looked at, because state.db is damaged");
    return;
  }
  examination.status = service::look_at_status(
      examination.disk, *examination.folder, examination.config, examination.now());
}

void look_at_index_rows(Examination& examination) {
  if (!examination.folder || !examination.listing) {
    return;
  }
  const auto root = examination.disk.open_root(examination.request.workspace);
  auto rows = index::Reader::open(examination.folder->file(index::kIndexFile));
  if (!root || !rows) {
    return;  // told by others: the workspace or the index cannot be read
  }
  RowCheck check(examination, **root, *rows);
  check.run();
  tell_rows(examination, check);
}

}  // namespace daybook::doctor

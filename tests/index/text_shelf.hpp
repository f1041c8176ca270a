// SPDX-License-Identifier: MIT
//
// Documents with their text, for tests of the full text: what is wanted, and the source that gives
// it. One month unless said otherwise. Not for two threads at once.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/index/full_text_search.hpp"
#include "support/temp_folder.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::support {

constexpr std::int64_t kMay = 2026 * 12 + 4;
constexpr std::int64_t kMayBegins = 1'777'593'600'000;  // 2026-05-01T00:00:00Z

class TextShelf {
 public:
  explicit TextShelf(std::string folder, std::string index_id = "this index")
      : folder_(std::move(folder)), index_id_(std::move(index_id)) {}

  /// Puts or replaces a document; its time is that of its number unless said otherwise.
  index::TextDocument& put(std::int64_t file, std::string body, std::string sentence = "") {
    Item& item = items_[file];
    item.document.file = file;
    item.document.source_sha256 = base::sha256(body + '\0' + sentence);
    item.document.time = {kMayBegins + file * 1000};
    item.content = {std::move(sentence), std::move(body)};
    return item.document;
  }
  void drop(std::int64_t file) { items_.erase(file); }
  bool holds(std::int64_t file) const { return items_.contains(file); }

  Result<index::MonthOutcome> bring(index::MonthWork work = index::MonthWork::update,
                                    std::int64_t month = kMay) {
    std::vector<index::TextDocument> wanted;
    wanted.reserve(items_.size());
    for (const auto& [file, item] : items_) {
      wanted.push_back(item.document);
    }
    return index::bring_up_to_date({folder_, month, index_id_, work}, wanted, source(), cancelled_);
  }

  index::TextSource source() {
    return
        [this](const index::TextDocument& document) -> Result<std::optional<index::TextContent>> {
          ++read_;
          const auto found = items_.find(document.file);
          return found == items_.end() ? std::nullopt : std::optional(found->second.content);
        };
  }

  Result<index::SearchAnswer> search(std::string_view typed,
                                     const index::SearchFilter& filter = {},
                                     std::size_t limit = 10'000) const {
    TRY_ASSIGN(const auto query, index::SearchQuery::parse(typed));
    return index::search_text(folder_, index_id_, query, filter, limit);
  }

  /// The files found, best first.
  std::vector<std::int64_t> found(std::string_view typed,
                                  const index::SearchFilter& filter = {}) const {
    std::vector<std::int64_t> files;
    const auto answer = search(typed, filter);
    for (const index::SearchHit& hit : answer.value().hits) {
      files.push_back(hit.file);
    }
    return files;
  }

  /// Whether these bytes are in any file of the folder, whatever its name.
  bool bytes_hold(std::string_view text) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
      if (bytes.find(text) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::string& folder() const { return folder_; }
  std::atomic<bool>& cancelled() { return cancelled_; }
  int take_read_count() { return std::exchange(read_, 0); }

 private:
  struct Item {
    index::TextDocument document;
    index::TextContent content;
  };
  std::string folder_;
  std::string index_id_;
  std::map<std::int64_t, Item> items_;
  std::atomic<bool> cancelled_ = false;
  int read_ = 0;
};

}  // namespace daybook::support

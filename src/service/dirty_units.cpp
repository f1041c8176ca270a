// SPDX-License-Identifier: MIT
#include "service/dirty_units.hpp"

#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/said_hash.hpp"

#include <algorithm>
#include <charconv>

namespace daybook::service {

using Index = scan::VaultListing::Index;

DirtyUnits::DirtyUnits(const scan::VaultListing& listing,
                       const scan::Survey& survey,
                       std::uint64_t secret)
    : listing_(listing),
      survey_(survey),
      secret_(secret),
      dirty_(listing.unit_starts().size(), false) {}

void DirtyUnits::add_all() { dirty_.assign(dirty_.size(), true); }

void DirtyUnits::add_file(Index file) {
  const auto starts = listing_.unit_starts();
  const auto behind = std::upper_bound(starts.begin(), starts.end(), file);
  dirty_[static_cast<std::size_t>(behind - starts.begin()) - 1] = true;
}

void DirtyUnits::add_token(lineage::SessionToken token) {
  const auto starts = listing_.unit_starts();
  const auto found = std::partition_point(starts.begin(), starts.end(), [&](Index start) {
    const auto& entry = listing_.entries()[start];
    return entry.belongs_to_session() && entry.name().token < token;
  });
  if (found != starts.end() && listing_.entries()[*found].belongs_to_session() &&
      listing_.entries()[*found].name().token == token) {
    dirty_[static_cast<std::size_t>(found - starts.begin())] = true;
  }
}

void DirtyUnits::add_path(std::string_view workspace_path) {
  if (const auto file = listed(workspace_path)) {
    add_file(*file);
  }
}

std::optional<Index> DirtyUnits::listed(std::string_view workspace_path) {
  if (by_path_.empty()) {
    by_path_.reserve(survey_.files.size());
    for (Index file = 0; file < survey_.files.size(); ++file) {
      by_path_.emplace_back(survey_.files[file].path, file);
    }
    std::sort(by_path_.begin(), by_path_.end());
  }
  const std::uint64_t mark = scan::path_mark(workspace_path, secret_);
  const auto found =
      std::lower_bound(by_path_.begin(), by_path_.end(), std::make_pair(mark, Index{0}));
  return found != by_path_.end() && found->first == mark ? std::optional(found->second)
                                                         : std::nullopt;
}

Result<void> DirtyUnits::add_linking_to(index::Reader& known, const std::string& path) {
  TRY_ASSIGN(const auto links, known.links_to(path));
  for (const index::FoundLink& link : links) {
    add_path(link.source);
  }
  return {};
}

Result<void> DirtyUnits::add_concerned_by(index::Reader& known, const std::string& tombstone_fact) {
  const std::size_t blank = tombstone_fact.find(' ');
  const std::string what = tombstone_fact.substr(0, blank);
  const std::string rest = tombstone_fact.substr(blank + 1);
  if (what == "forgotten-id" || what == "revoked-id") {
    std::uint64_t id = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), id);
    return add_learnings(known, id);
  }
  if (what == "forgotten" || what == "revoked") {
    return add_learnings(known, {}, lineage::SessionToken::parse(rest));
  }
  if (what == "token") {
    const auto token = lineage::SessionToken::parse(rest);
    if (!token) {
      return {};
    }
    // A tombstone that cannot be read says by nothing but its token what it was of.
    TRY(add_learnings(known, {}, token));
    TRY(add_session(known, *token));
    TRY_ASSIGN(const auto links, known.links_to_session(*token));
    for (const index::FoundLink& link : links) {
      add_path(link.source);
    }
    return {};
  }
  if (what == "body") {
    const auto body = base::digest_from_hex(rest.substr(0, rest.find(' ')));
    return body ? add_saying(known, *body) : Result<void>();
  }
  add_path(rest);
  return add_linking_to(known, rest);
}

Result<void> DirtyUnits::add_session(index::Reader& known, lineage::SessionToken token) {
  add_token(token);
  TRY_ASSIGN(const auto files, known.files_of_session(token));
  for (const index::FileRow& file : files) {
    add_path(file.path());
  }
  if (!by_id_) {  // once, however many sessions have been removed
    by_id_.emplace();
    TRY(known.files_with_session_key([this](const index::FileRow& row) {
      if (const auto file = listed(row.path())) {
        by_id_->emplace_back(
            lineage::SessionToken::derive(row.fields.agent_id, row.fields.session_id), *file);
      }
    }));
    std::sort(by_id_->begin(), by_id_->end());
  }
  for (auto one = std::lower_bound(by_id_->begin(), by_id_->end(), OfToken{token, 0});
       one != by_id_->end() && one->first == token;
       ++one) {
    add_file(one->second);
  }
  return {};
}

Result<void> DirtyUnits::add_learnings(index::Reader& known,
                                       std::optional<std::uint64_t> id,
                                       std::optional<lineage::SessionToken> token) {
  const auto add = [&](const index::FileRow& file) {
    if (!token || !file.learning_id ||
        lineage::learning_token(file.fields.agent_id, *file.learning_id) == *token) {
      add_path(file.path());
    }
  };
  TRY(known.learned_files(id, add));
  // Of what is removed the row says nothing that it could be found by.
  return known.removed_files(add);
}

Result<void> DirtyUnits::add_saying(index::Reader& known, const base::Digest& body) {
  const auto add = [this](const index::FileRow& file) { add_path(file.path()); };
  if (!said_) {  // once, however many bodies a tombstone lists
    said_.emplace();
    TRY(known.learned_files_with_body([this](const index::FileRow& file) {
      said_->emplace(lineage::said_hash(*file.body_sha256), file.path());
      if (file.content_sha256 && file.content_sha256 != file.body_sha256) {
        said_->emplace(lineage::said_hash(*file.content_sha256), file.path());
      }
    }));
  }
  const auto [first, last] = said_->equal_range(body);
  std::for_each(first, last, [this](const auto& one) { add_path(one.second); });
  TRY(known.files_with_body(body, add));
  return known.removed_files(add);
}

Result<void> DirtyUnits::add_names_used(index::Reader& known) {
  return known.files_that_link_by_name(
      [this](const index::FileRow& file) { add_path(file.path()); });
}

std::vector<std::pair<Index, Index>> DirtyUnits::units() const {
  const auto starts = listing_.unit_starts();
  std::vector<std::pair<Index, Index>> units;
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    if (dirty_[i]) {
      units.emplace_back(
          starts[i],
          i + 1 < starts.size() ? starts[i + 1] : static_cast<Index>(listing_.entries().size()));
    }
  }
  return units;
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "index/file_columns.hpp"

#include <algorithm>
#include <cstring>

namespace daybook::index {
namespace {

std::optional<lineage::Timestamp> time_at(const store::Row& row, int column) {
  const auto ms = row.optional_integer(column);
  return ms ? std::optional(lineage::Timestamp{*ms}) : std::nullopt;
}

std::optional<base::Digest> digest_at(const store::Row& row, int column) {
  const std::string_view bytes = row.blob(column);
  base::Digest digest;
  if (bytes.size() != digest.size()) {
    return std::nullopt;
  }
  std::memcpy(digest.data(), bytes.data(), digest.size());
  return digest;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

FileRow file_row(const store::Row& row) {
  FileRow file;
  file.id = row.integer(0);
  file.folder = row.text(1);
  file.name = row.text(2);
  file.status = static_cast<FileStatus>(row.integer(3));
  if (const auto kind = row.optional_integer(4)) {
    file.kind = static_cast<lineage::Kind>(*kind);
  }
  file.session = lineage::SessionToken::parse(row.text(6));
  const bool same_token = !row.is_null(5) && row.text(5).empty();
  file.token = same_token ? file.session : lineage::SessionToken::parse(row.text(5));
  file.fields.agent_id = row.text(7);
  file.fields.session_id = row.text(8);
  file.fields.session_key = row.text(9);
  file.fields.project = row.text(10);
  file.fields.harness = row.text(11);
  file.fields.captured_at = time_at(row, 12).value_or(lineage::Timestamp{});
  file.started_at = time_at(row, 13);
  file.ended_at = time_at(row, 14);
  if (!row.is_null(16)) {
    file.manifest_path = file.path().substr(0, static_cast<std::size_t>(row.integer(15)));
    file.manifest_path.append(row.text(16));
  }
  file.source_node_id = row.text(17);
  file.content_sha256 = digest_at(row, 18);
  file.body_sha256 = row.is_null(19) ? file.content_sha256 : digest_at(row, 19);
  file.source_sha256 = digest_at(row, 20);
  file.sentence.text = row.text(21);
  file.sentence.version = row.text(22);
  file.sentence.quality = static_cast<lineage::SentenceQuality>(row.integer(23));
  file.sentence.generated_at = time_at(row, 24);
  file.fallback = row.text(25);
  file.revision = static_cast<std::uint64_t>(row.integer(26));
  file.device = row.text(27);
  file.memory_md_refs = lines_of(row.text(28));
  file.size = static_cast<std::uint64_t>(row.integer(29));
  file.mtime_ns = row.integer(30);
  file.ctime_ns = row.integer(31);
  file.inode = static_cast<std::uint64_t>(row.integer(32));
  file.names_used = row.integer(33) != 0;
  if (const auto id = row.optional_integer(34)) {
    file.learning_id = static_cast<std::uint64_t>(*id);
  }
  return file;
}

}  // namespace daybook::index

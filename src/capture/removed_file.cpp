// SPDX-License-Identifier: MIT
#include "capture/removed_file.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/path.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/said_hash.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace daybook::capture {
namespace {

/// Empty for a file at the root.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// What its frontmatter says, if it can be read, else its name.
void take_claims(const parse::FileParts& parts, ReadFile& file) {
  const parse::Frontmatter fields = parse::claims_of(parts);
  parse::LearningClaim claim = parse::learning_claim(fields, file.path);
  file.agent_id = std::move(claim.agent_id);
  file.learning_id = claim.id;
  const auto spoken_of = parse::session_tokens_of(fields);
  file.tokens.insert(file.tokens.end(), spoken_of.begin(), spoken_of.end());
}

/// A file and its beginning, which stands in the reader: there the rest follows.
struct OpenFile {
  std::unique_ptr<base::Folder> root;
  std::unique_ptr<scan::FileReader> reader;
  Result<scan::FileReader::Opened> opened;
};

Result<OpenFile> open_first_piece(base::Disk& disk,
                                  const std::string& workspace,
                                  const std::string& path) {
  TRY_ASSIGN(auto root, disk.open_root(workspace));
  auto reader = std::make_unique<scan::FileReader>(*root);
  auto opened = reader->open(
      folder_of(path), std::string(base::file_name_of(path)), scan::kLargestTranscript);
  return OpenFile{std::move(root), std::move(reader), std::move(opened)};
}

/// What can be told of it, for who only looks for something to recognise; else nothing.
std::string_view readable_piece(const OpenFile& file) {
  return file.opened && !file.opened->too_large ? file.opened->first_piece : std::string_view();
}

}  // namespace

Result<std::optional<ReadFile>> read_file(base::Disk& disk,
                                          const std::string& workspace,
                                          const std::string& path) {
  const lineage::NameReading reading = lineage::read_artifact_name(base::file_name_of(path));
  TRY_ASSIGN(const OpenFile open, open_first_piece(disk, workspace, path));
  const auto& opened = open.opened;
  if (!opened) {
    if (opened.error().kind == ErrorKind::not_found) {
      return std::optional<ReadFile>();
    }
    return opened.error();
  }
  ReadFile file;
  file.path = path;
  file.kind = reading.kind;
  if (const auto token = lineage::SessionToken::parse(reading.token_text)) {
    file.tokens.push_back(*token);
  }
  if (opened->too_large) {
    TRY_ASSIGN(const std::string beginning,
               base::read_beginning(disk, workspace, path, parse::kEnoughForFrontmatter));
    take_claims(parse::split_file(beginning), file);
    return std::optional(std::move(file));
  }
  const parse::FileParts parts = parse::split_file(opened->first_piece);
  take_claims(parts, file);
  file.body_size = opened->complete ? lineage::normalized_size(parts.body) : opened->size;
  if (opened->complete && file.learning_id) {
    file.said = lineage::said_hashes(parts.body);
  }
  lineage::BodyHasher hasher;
  hasher.update(parts.body);
  while (!opened->complete) {
    TRY_ASSIGN(const std::string_view piece, open.reader->next_piece());
    if (piece.empty()) {
      break;
    }
    hasher.update(piece);
  }
  file.body = hasher.finish();
  return std::optional(std::move(file));
}

Result<std::vector<std::string>> telling_lines(base::Disk& disk,
                                               const std::string& workspace,
                                               const std::string& path) {
  const std::size_t telling = lineage::is_learning_path(path) ? 12 : 24;
  std::vector<std::string> lines;
  TRY_ASSIGN(const OpenFile open, open_first_piece(disk, workspace, path));
  const parse::FileParts parts = parse::split_file(readable_piece(open));
  const parse::Frontmatter fields = parse::claims_of(parts);
  const auto* sentence = fields.find("memory_sentence");
  if (sentence != nullptr && sentence->scalar.text.size() >= telling) {
    lines.emplace_back(sentence->scalar.text);
  }
  for (std::string_view rest = parts.body; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end >= telling) {
      lines.emplace_back(rest.substr(0, end));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

Result<std::vector<std::string>> telling_words(base::Disk& disk,
                                               const std::string& workspace,
                                               const std::string& path) {
  constexpr std::size_t kToldForCertain = 250;  // of 300 characters
  std::vector<std::string> words;
  TRY_ASSIGN(const OpenFile open, open_first_piece(disk, workspace, path));
  const std::string_view body = parse::split_file(readable_piece(open)).body;
  const std::size_t first = std::min(body.find_first_not_of(" \t\r\n"), body.size());
  std::string word;
  for (const char c : body.substr(first, kToldForCertain)) {
    if (is_of_word(c)) {
      word.push_back(c);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) {
    words.push_back(std::move(word));  // or its beginning
  }
  return words;
}

bool says_in_order(std::string_view text, const std::vector<std::string>& words) {
  while (!words.empty() && !text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::size_t at = line.starts_with("- [") ? line.find("] ") : std::string_view::npos;
    for (auto word = words.begin(); word != words.end() && at != std::string_view::npos; ++word) {
      at = line.find(*word, at);
      at += at == std::string_view::npos ? 0 : word->size();
    }
    if (at != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

bool is_meant(const lineage::TombstoneSet& removals, const ReadFile& file) {
  lineage::Traces traces;
  traces.kind = file.kind;
  traces.sessions = file.tokens;
  traces.path = file.path;
  traces.agent_id = file.agent_id;
  traces.learning_id = file.learning_id;
  traces.body = file.body;
  traces.body_size = file.body_size;
  traces.said = file.said;
  return removals.means(traces);
}

}  // namespace daybook::capture

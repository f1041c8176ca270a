// SPDX-License-Identifier: MIT
#include "service/note_examiner.hpp"

#include "daybook/base/safety.hpp"
#include "daybook/base/text_survey.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/capture/learned_note.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/fallback_sentence.hpp"
#include "daybook/lineage/said_hash.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "service/seal_record.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

using base::keeps;
using base::Safety;
using lineage::Artifact;
using lineage::Code;
using lineage::Diagnostic;
using lineage::Kind;
using lineage::NameForm;

/// How much of the body the sentence gate looks at for the names of components.
constexpr std::size_t kSessionTextSize = 64 * 1024;

std::uint32_t line_at(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
  return static_cast<std::uint32_t>(1 + std::count(text.begin(), end, '\n'));
}

std::string in_mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

}  // namespace

/// What reading the body brings.
struct NoteExaminer::Body {
  explicit Body(NoteLinks links_in_it) : links(links_in_it) {}

  NoteLinks links;
  std::optional<base::Digest> hash;
  /// Of something learned in one piece; what takes several has too much text to have been learned.
  std::vector<base::Digest> said;
  std::string session_text_copy;  // only when the file streams and the buffer moves on
  std::string_view session_text;
  std::uint64_t size = 0;
  std::uint32_t invalid_utf8_line = 0;  // 0: all valid
};

void NoteExaminer::add(Code code, std::uint32_t line, std::string message) {
  note_.diagnostics.push_back({code, line, std::move(message)});
}

ExaminedNote NoteExaminer::examine(scan::VaultListing::Index file, Seal seal) {
  note_ = {};
  fields_.clear();
  is_learning_ = false;
  seal_ = detail_ == Detail::facts ? Seal::wanted : seal;
  folder_ = listing_.folder_path(file);
  file_name_ = listing_.file_name(file);
  name_ = lineage::read_artifact_name(file_name_);
  if (is_removed()) {  // by token or path: not even read
    note_.removed = true;
    add(Code::removed_content_present);
    return std::move(note_);
  }
  const std::uint64_t limit =
      name_.kind == Kind::transcript ? scan::kLargestTranscript : scan::kLargestNote;
  const auto opened = reader_.open(folder_, file_name_, limit);
  if (!opened) {
    note_.reading =
        opened.error().kind == ErrorKind::not_found ? Reading::vanished : Reading::refused;
    add(Code::unreadable, 0, opened.error().message);
  } else if (opened->too_large) {
    note_.stat = opened->stat;
    add(Code::too_large,
        0,
        "The file has " + in_mebibytes(opened->size) + ", at most " + in_mebibytes(limit) +
            " are read");
  } else {
    note_.bytes = opened->size;
    note_.stat = opened->stat;
    examine_open_file(*opened);
  }
  note_.names_used = links_.take_names_used();
  return std::move(note_);
}

void NoteExaminer::examine_open_file(const scan::FileReader::Opened& opened) {
  if (!base::is_valid_utf8(file_name_) || !base::is_valid_utf8(folder_)) {
    add(Code::invalid_utf8, 0, "The name of the file or of a folder around it is not valid UTF-8");
  }
  const parse::FileParts parts = parse::split_file(opened.first_piece);
  if (name_.form != NameForm::artifact && lineage::conflict_copy_of(file_name_)) {
    add(Code::conflict_copy);
    std::vector<Diagnostic> not_reported;
    if (parts.bounds == parse::FrontmatterBounds::found) {
      parse::read_frontmatter(parts.yaml, fields_, not_reported);
    }
  } else if (name_.kind) {
    examine_claimed_kind(parts);
  } else {
    examine_other_name(parts);
  }
  if (!name_.kind) {
    note_.learning_id = parse::claimed_learning_id(fields_, folder_ + "/" + file_name_);
  }
  note_.agent_id = parse::agent_id_of(fields_);
  if (const auto* field = fields_.find("agent_id")) {
    note_.agent_line = field->line;
  }
  read_body(opened, parts);
}

bool NoteExaminer::read_fields(const parse::FileParts& parts) {
  switch (parts.bounds) {
    case parse::FrontmatterBounds::found:
      break;
    case parse::FrontmatterBounds::none:
      add(Code::missing_frontmatter, 1);
      return false;
    case parse::FrontmatterBounds::unclosed:
      add(Code::missing_frontmatter, 1, "The frontmatter is not closed by a second line '---'");
      return false;
    case parse::FrontmatterBounds::too_large:
      add(Code::too_large, 1, "The frontmatter is larger than 64 KiB");
      return false;
  }
  if (!base::is_valid_utf8(parts.yaml)) {
    return false;  // reported with the line when the whole file is validated
  }
  return parse::read_frontmatter(parts.yaml, fields_, note_.diagnostics);
}

void NoteExaminer::examine_claimed_kind(const parse::FileParts& parts) {
  if (read_fields(parts)) {
    note_.record = parse::read_record(fields_, name_, note_.diagnostics);
  }
}

/// A person's note is left alone, unless it says that it is an artifact.
void NoteExaminer::examine_other_name(const parse::FileParts& parts) {
  if (name_.form == NameForm::unknown_kind) {
    add(Code::unknown_kind);
    return;
  }
  std::vector<Diagnostic> found;
  if (parts.bounds != parse::FrontmatterBounds::found || !base::is_valid_utf8(parts.yaml) ||
      !parse::read_frontmatter(parts.yaml, fields_, found)) {
    report_broken_learning(parts, std::move(found));
    return;
  }
  is_learning_ = capture::is_learned_note(fields_, folder_ + "/" + file_name_);
  const auto* kind = fields_.find("kind");
  if (kind != nullptr && !kind->is_list && lineage::kind_from_string(kind->scalar.text)) {
    add(Code::name_mismatch,
        kind->line,
        "The frontmatter says kind: " + std::string(kind->scalar.text) +
            ", but the file has no artifact's name");
  }
}

/// Nobody can tell what it would say, but it was meant to be a learning note.
void NoteExaminer::report_broken_learning(const parse::FileParts& parts,
                                          std::vector<Diagnostic> found) {
  const bool is_meant = lineage::is_learning_path(folder_ + "/" + file_name_) &&
                        (lineage::learning_id_of_name(file_name_) ||
                         parts.yaml.find("learning_kind") != std::string_view::npos);
  if (is_meant && parts.bounds == parse::FrontmatterBounds::too_large) {
    add(Code::too_large, 1, "The frontmatter is larger than 64 KiB");
  } else if (is_meant && parts.bounds == parse::FrontmatterBounds::found) {
    note_.diagnostics.insert(note_.diagnostics.end(),
                             std::make_move_iterator(found.begin()),
                             std::make_move_iterator(found.end()));
  }
}

bool NoteExaminer::wants_links() const {
  // Transcripts are quoted speech: nothing in them can be a wrong link.
  const auto* artifact = std::get_if<Artifact>(&note_.record);
  return (artifact != nullptr &&
          (artifact->kind != Kind::transcript || detail_ == Detail::facts)) ||
         std::holds_alternative<lineage::Manifest>(note_.record) || is_learning_;
}

bool NoteExaminer::wants_body() const {
  return name_.kind || name_.form == NameForm::conflict_copy || tombstones_.lists_bodies() ||
         note_.learning_id || is_learning_ || detail_ == Detail::facts;
}

void NoteExaminer::read_body(const scan::FileReader::Opened& opened,
                             const parse::FileParts& parts) {
  if (!wants_body()) {
    return;
  }
  Body body(links_of_note());
  if (opened.complete) {
    read_whole_body(opened.first_piece, parts, body);
    if (is_learning_ && body.invalid_utf8_line == 0) {
      read_learning(parts);
    }
  } else {
    stream_body(opened.first_piece, parts, body);
    if (is_learning_) {
      add(Code::too_large, 0, "A note of something learned has at most 1600 characters");
    }
  }
  if (note_.reading != Reading::done) {
    return;
  }
  if (speaks_of_removed_session() || is_forgotten() || has_removed_body(body)) {
    note_.removed = true;
    note_.diagnostics.clear();
    note_.links.clear();
    note_.learning.reset();
    add(Code::removed_content_present);
    return;
  }
  note_.body_hash = body.hash;
  const bool is_ordinary = !name_.kind && name_.form != NameForm::conflict_copy && !is_learning_;
  if (body.invalid_utf8_line != 0 && !is_ordinary) {
    add(Code::invalid_utf8, body.invalid_utf8_line);
    return;
  }
  body.links.report_excess();
  const auto* artifact = std::get_if<Artifact>(&note_.record);
  if (artifact != nullptr && body.hash) {
    parse::check_body(*artifact, *body.hash, body.session_text, note_.diagnostics);
  }
  keep_facts(body);
}

void NoteExaminer::read_learning(const parse::FileParts& parts) {
  static const capture::LearningGuard kNoLiterals;
  lineage::Learning learning =
      capture::judge_learned_note(fields_,
                                  folder_ + "/" + file_name_,
                                  parts,
                                  tombstones_,
                                  guard_ == nullptr ? kNoLiterals : *guard_,
                                  note_.diagnostics);
  note_.learning_id = learning.id;
  note_.learning = std::move(learning);
}

void NoteExaminer::keep_facts(const Body& body) {
  if (detail_ != Detail::facts || !name_.kind || !is_immutable(*name_.kind)) {
    return;
  }
  note_.field_marks = field_marks(fields_);
  note_.extra_fields = extra_field_names(fields_);
  const auto* artifact = std::get_if<Artifact>(&note_.record);
  const bool refused =
      std::any_of(note_.diagnostics.begin(), note_.diagnostics.end(), [](const Diagnostic& found) {
        return found.code == Code::sentence_quality;
      });
  if (refused && artifact != nullptr) {
    note_.fallback = lineage::fallback_sentence(
        {artifact->kind, artifact->session.project, body.session_text, body.size});
  }
}

void NoteExaminer::read_whole_body(std::string_view file,
                                   const parse::FileParts& parts,
                                   Body& body) {
  const base::TextTraits traits = base::survey_text(file);
  if (!traits.ascii) {
    const std::size_t invalid = base::first_invalid_utf8(file);
    body.invalid_utf8_line = invalid == base::kAllValid ? 0 : line_at(file, invalid);
  }
  body.hash = lineage::body_hash(parts.body, traits);
  if (note_.learning_id || is_learning_) {
    if (tombstones_.lists_bodies()) {
      body.said = lineage::said_hashes(parts.body);
    }
    note_.said_body_hash = lineage::body_hash(lineage::without_blanks_before(parts.body));
  }
  body.size = parts.body.size();
  body.session_text = parts.body.substr(0, kSessionTextSize);
  if (seal_ == Seal::wanted) {
    note_.seal = lineage::file_seal(file, traits);
  }
  if (traits.has_double_bracket && body.invalid_utf8_line == 0 && wants_links()) {
    const auto scan = parse::find_wikilinks(
        parts.body, [&](const parse::Wikilink& link) { body.links.judge(link, parts.body_line); });
    if (scan == parse::LinkScan::linear && !is_transcript()) {
      add(Code::links_scanned_linearly);
    }
  }
}

void NoteExaminer::stream_body(std::string_view first_piece,
                               const parse::FileParts& parts,
                               Body& body) {
  base::Utf8Validator utf8;
  lineage::BodyHasher hasher;
  lineage::FileSealer sealer;
  parse::LinearLinkScanner links(
      [&](const parse::Wikilink& link) { body.links.judge(link, parts.body_line); });
  const bool scan_links = wants_links();
  bool may_have_links = false;
  body.session_text_copy = parts.body.substr(0, kSessionTextSize);
  body.session_text = body.session_text_copy;
  std::uint64_t lines_before = 0;
  std::uint64_t bytes_before = 0;
  std::string_view piece = first_piece;
  std::string_view body_piece = parts.body;
  while (!piece.empty()) {
    if (body.invalid_utf8_line == 0 && !utf8.feed(piece)) {
      // A character cut by the piece's beginning is told at the piece's first line.
      const std::uint64_t offset = std::max(utf8.error_offset(), bytes_before) - bytes_before;
      body.invalid_utf8_line = static_cast<std::uint32_t>(lines_before) +
                               line_at(piece, static_cast<std::size_t>(offset));
    }
    hasher.update(body_piece);
    body.size += body_piece.size();
    if (seal_ == Seal::wanted) {
      sealer.update(piece);
    }
    if (scan_links) {
      links.feed(body_piece);
      may_have_links = may_have_links || base::survey_text(body_piece).has_double_bracket;
    }
    lines_before += static_cast<std::uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
    bytes_before += piece.size();
    auto next = reader_.next_piece();
    if (!next) {
      note_.reading = Reading::refused;
      add(Code::unreadable, 0, next.error().message);
      return;
    }
    piece = body_piece = *next;
  }
  if (body.invalid_utf8_line == 0 && !utf8.finish()) {
    body.invalid_utf8_line = static_cast<std::uint32_t>(lines_before) + 1;
  }
  links.finish();
  if (may_have_links && !is_transcript()) {
    add(Code::links_scanned_linearly);
  }
  body.hash = hasher.finish();
  if (seal_ == Seal::wanted) {
    note_.seal = sealer.finish();
  }
}

bool NoteExaminer::is_transcript() const { return name_.kind == Kind::transcript; }

NoteLinks NoteExaminer::links_of_note() {
  return {links_,
          folder_,
          is_transcript() ? NoteLinks::Source::transcript
          : is_learning_  ? NoteLinks::Source::learning
                          : NoteLinks::Source::artifact,
          detail_ == Detail::facts ? NoteLinks::Keep::links : NoteLinks::Keep::nothing,
          note_.diagnostics,
          note_.links};
}

/// By token or path: what needs no look into the file.
bool NoteExaminer::is_removed() const {
  if (tombstones_.empty() || name_.kind == Kind::tombstone) {
    return false;
  }
  const auto token = lineage::SessionToken::parse(name_.token_text);
  return (keeps(Safety::tombstone_of_token) && token && tombstones_.removes_session(*token)) ||
         (keeps(Safety::tombstone_of_path) && tombstones_.removes_path(folder_ + "/" + file_name_));
}

/// Whatever the name says: a file that was renamed still says whose it is.
bool NoteExaminer::speaks_of_removed_session() const {
  return keeps(Safety::tombstone_of_fields) && !tombstones_.empty() &&
         name_.kind != Kind::tombstone &&
         tombstones_.removes_any(parse::session_tokens_of(fields_));
}

bool NoteExaminer::is_forgotten() const {
  return keeps(Safety::tombstone_of_fields) && note_.learning_id &&
         tombstones_.removes_learning(*note_.learning_id, note_.agent_id);
}

bool NoteExaminer::has_removed_body(const Body& body) const {
  if (!keeps(Safety::tombstone_of_body) || !body.hash) {
    return false;
  }
  lineage::Traces traces;
  traces.kind = name_.kind;
  traces.agent_id = note_.agent_id;
  traces.learning_id = note_.learning_id;
  traces.body = body.hash;
  traces.body_size = body.size > body.session_text.size()
                         ? body.size
                         : lineage::normalized_size(body.session_text, lineage::kLeastNamedBody);
  traces.said = body.said;
  return tombstones_.removes_text(traces);
}

}  // namespace daybook::service

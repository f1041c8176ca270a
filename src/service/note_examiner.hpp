// SPDX-License-Identifier: MIT
//
// One listed file -> what it is and what is wrong with it by itself: read, split, parsed, hashed,
// its links judged. Reads each byte once; a large file streams. One examiner belongs to one thread
// and is reused from file to file. Never fails: what cannot be read is a diagnostic. `check` wants
// the findings only; the index wants everything that a row needs.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/capture/learning_guard.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "service/link_judge.hpp"
#include "service/note_links.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::service {

enum class Seal : std::uint8_t { not_wanted, wanted };

enum class Detail : std::uint8_t {
  findings,  ///< what is wrong
  facts,     ///< and what the index keeps: links, hashes, the marks of the fields
};

enum class Reading : std::uint8_t {
  done,
  vanished,  ///< gone since it was listed
  refused,   ///< there, but it cannot be read: what is known of it stays
};

struct ExaminedNote {
  parse::Record record;
  std::optional<base::Digest> seal;
  std::vector<lineage::Diagnostic> diagnostics;
  std::uint64_t bytes = 0;
  std::string agent_id;  ///< as written
  std::uint32_t agent_line = 0;
  /// That the note goes by, if it is no artifact: in its frontmatter, its name or by its place.
  std::optional<std::uint64_t> learning_id;
  std::optional<lineage::Learning> learning;  ///< of a note below memory/learnings/ that says so
  bool removed = false;    ///< falls under a tombstone; that is then the only diagnostic
  bool duplicate = false;  ///< another copy counts
  Reading reading = Reading::done;
  // With Detail::facts:
  base::FileStat stat;
  std::optional<base::Digest> body_hash;
  std::optional<base::Digest> said_body_hash;  ///< of something learned: no blanks before it
  std::vector<index::LinkRow> links;
  std::string fallback;      ///< in place of a sentence that fails the gate
  std::string field_marks;   ///< see seal_record.hpp
  std::string extra_fields;  ///< names of fields that the contract does not name
  bool names_used = false;   ///< its links hang on the names of the whole workspace
  std::optional<base::Digest> manifest_seal;  ///< the seal that the session's manifest has of it
  /// Of a file that differs from the manifest's seal: who it was, whatever it says now.
  std::optional<lineage::SessionFields> sealed_session;
};

class NoteExaminer {
 public:
  NoteExaminer(base::Folder& workspace,
               const scan::VaultListing& listing,
               const lineage::TombstoneSet& tombstones,
               LinkJudge& links,
               Detail detail = Detail::findings)
      : reader_(workspace),
        listing_(listing),
        tombstones_(tombstones),
        links_(links),
        detail_(detail) {}

  ExaminedNote examine(scan::VaultListing::Index file, Seal seal = Seal::not_wanted);
  Detail detail() const { return detail_; }
  /// Notes of something learned are held against its literals. It must outlive the examiner.
  void use(const capture::LearningGuard& guard) { guard_ = &guard; }

 private:
  struct Body;

  void examine_open_file(const scan::FileReader::Opened& opened);
  void examine_claimed_kind(const parse::FileParts& parts);
  void examine_other_name(const parse::FileParts& parts);
  void report_broken_learning(const parse::FileParts& parts,
                              std::vector<lineage::Diagnostic> found);
  void read_learning(const parse::FileParts& parts);
  bool is_forgotten() const;
  bool read_fields(const parse::FileParts& parts);
  void read_body(const scan::FileReader::Opened& opened, const parse::FileParts& parts);
  void read_whole_body(std::string_view file, const parse::FileParts& parts, Body& body);
  void stream_body(std::string_view first_piece, const parse::FileParts& parts, Body& body);
  void keep_facts(const Body& body);
  bool is_transcript() const;
  bool is_removed() const;
  bool speaks_of_removed_session() const;
  bool has_removed_body(const Body& body) const;
  NoteLinks links_of_note();
  bool wants_links() const;
  bool wants_body() const;
  void add(lineage::Code code, std::uint32_t line = 0, std::string message = {});

  scan::FileReader reader_;
  const scan::VaultListing& listing_;
  const lineage::TombstoneSet& tombstones_;
  LinkJudge& links_;
  Detail detail_;
  const capture::LearningGuard* guard_ = nullptr;

  // About the file at hand:
  parse::Frontmatter fields_;
  std::string folder_;
  std::string file_name_;
  lineage::NameReading name_;
  Seal seal_ = Seal::not_wanted;
  bool is_learning_ = false;
  ExaminedNote note_;
};

}  // namespace daybook::service

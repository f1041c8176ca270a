// SPDX-License-Identifier: MIT
//
// One listed file -> what it is and what is wrong with it by itself: read, split, parsed, hashed,
// its links judged. Reads each byte once; a large file streams. One examiner belongs to one thread
// and is reused from file to file. Never fails: what cannot be read is a diagnostic.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "service/link_judge.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::service {

/// A file tells this many findings one by one; what is beyond is told in a sentence.
inline constexpr std::size_t kMostFindings = 100;

enum class Seal : std::uint8_t { not_wanted, wanted };

struct ExaminedNote {
  parse::Record record;
  std::optional<base::Digest> seal;
  std::vector<lineage::Diagnostic> diagnostics;
  std::uint64_t bytes = 0;
  std::string agent_id;  ///< as written
  std::uint32_t agent_line = 0;
  bool removed = false;  ///< falls under a tombstone; that is then the only diagnostic
};

class NoteExaminer {
 public:
  NoteExaminer(base::Folder& workspace,
               const scan::VaultListing& listing,
               const lineage::TombstoneSet& tombstones,
               LinkJudge& links)
      : reader_(workspace), listing_(listing), tombstones_(tombstones), links_(links) {}

  ExaminedNote examine(scan::VaultListing::Index file, Seal seal = Seal::not_wanted);

 private:
  struct Body;

  void examine_open_file(const scan::FileReader::Opened& opened);
  void examine_claimed_kind(const parse::FileParts& parts);
  void examine_other_name(const parse::FileParts& parts);
  bool read_fields(const parse::FileParts& parts);
  void read_body(const scan::FileReader::Opened& opened, const parse::FileParts& parts);
  void read_whole_body(std::string_view file, const parse::FileParts& parts, Body& body);
  void stream_body(std::string_view first_piece, const parse::FileParts& parts, Body& body);
  void judge_link(const parse::Wikilink& link, std::uint32_t body_line);
  void report_links_not_judged();
  bool is_removed(const std::optional<base::Digest>& body_hash) const;
  bool wants_links() const;
  bool wants_body() const;
  void add(lineage::Code code, std::uint32_t line = 0, std::string message = {});

  scan::FileReader reader_;
  const scan::VaultListing& listing_;
  const lineage::TombstoneSet& tombstones_;
  LinkJudge& links_;

  // About the file at hand:
  parse::Frontmatter fields_;
  std::string folder_;
  std::string file_name_;
  lineage::NameReading name_;
  Seal seal_ = Seal::not_wanted;
  ExaminedNote note_;
  std::size_t link_findings_ = 0;
  lineage::Code last_link_code_ = lineage::Code::link_missing_target;
  std::size_t links_not_judged_ = 0;  // after kMostFindings wrong ones
};

}  // namespace daybook::service

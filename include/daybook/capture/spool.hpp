// SPDX-License-Identifier: MIT
//
// `spool/` of the state folder: captures that are not yet canonical. One file each,
// `{token}-{flow}.capture`: the sanitised transcript, then all else as JSON, then a line with its
// length and hash. There whole or not at all, and durable once it has its name. What is in it is
// sanitised text, but for what a hook left (spooled_hook). One thread; several processes.
#pragma once

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/artifact_writer.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::capture {

inline constexpr std::string_view kSpoolFolder = "spool";
inline constexpr std::string_view kCaptureSuffix = ".capture";

/// Everything that the canonical files will say; no clock and no model is asked any more.
struct SpoolRecord {
  std::string flow;  ///< its id: 64 hexadecimal letters
  std::string kind;  ///< kSessionEndFlow or kCompactionFlow
  std::string fingerprint;
  lineage::SessionFields session;
  std::optional<lineage::Timestamp> started_at;
  std::optional<lineage::Timestamp> ended_at;
  std::string source_node_id;
  std::string parent_session_id;
  std::string manifest_path;  ///< empty: a new one, named after captured_at
  lineage::MemorySentence sentence;
  std::optional<lineage::RunRecord> run;
  std::optional<base::Digest> transcript_sha256;  ///< of the normalised body; nothing: none
  std::uint64_t transcript_bytes = 0;             ///< at the beginning of the spool's file
  std::string text;                               ///< body of the summary or of the compaction
  base::Digest text_sha256{};
  bool text_given = false;  ///< not made here
  CaptureResult result;     ///< as far as it is known: counts and reasons

  lineage::SessionToken token() const;
};

/// The file's name without its folder.
std::string spool_name(const SpoolRecord& record);
std::string spool_name(const lineage::SessionToken& token, std::string_view flow);

class SpoolWriter {
 public:
  /// Makes the folder if it is missing.
  static Result<SpoolWriter> begin(const state::StateFolder& folder);

  /// The transcript, piece by piece.
  Result<void> write(std::string_view piece) { return file_.write(piece); }
  /// The transcript is whole: the disk may begin with it while the rest of the record is made.
  void begin_sync() { file_.begin_sync(); }
  Result<void> commit(const SpoolRecord& record);

 private:
  SpoolWriter(base::AtomicFile file, std::string folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}
  base::AtomicFile file_;
  std::string folder_;
};

/// Names in the spool with that suffix, sorted. A spool that is not there is an empty one.
Result<std::vector<std::string>> spooled_names(base::Disk& disk,
                                               const state::StateFolder& folder,
                                               std::string_view suffix = kCaptureSuffix);

/// damaged when it cannot be understood, not_found when it is gone.
Result<SpoolRecord> read_spooled(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 const std::string& name);

/// Its transcript. The file must stay until the source is no longer asked.
canon::BodySource spooled_transcript(base::Disk& disk,
                                     const state::StateFolder& folder,
                                     const std::string& name,
                                     std::uint64_t bytes);

Result<void> drop_spooled(const state::StateFolder& folder, const std::string& name);

/// Whatever the spool holds of removed sessions, and of parts of them.
Result<void> erase_from_spool(base::Disk& disk,
                              const state::StateFolder& folder,
                              const lineage::TombstoneSet& removals);

}  // namespace daybook::capture

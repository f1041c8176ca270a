// SPDX-License-Identifier: MIT
//
// A session's end, or a compaction, as a harness tells of it -> canonical files. In this order:
// sanitise, sentence, one durable record in the spool, transcript, summary, manifest. Each step is
// noted in state.db. Success means that the files are on the disk; rows and MEMORY.md follow by the
// ordinary pass. A crash at any point leaves either nothing or the spool's record, from which
// resume_captures() makes the same files. The same request again returns the first result and
// writes nothing. Any number of threads and processes, one StateDb each.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/canon/artifact_writer.hpp"
#include "daybook/harness/session_file.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/model/model.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace daybook::capture {

class VaultNames;

/// How the receipt of a capture is written.
enum class ReceiptSync : std::uint8_t {
  /// Before the answer, where a key was given. One without a key is known by its content: should a
  /// power cut take its receipt, the vault tells the same.
  durable,
  /// In one go at the end, and without waiting for the disk: for a source that stays, so that a
  /// capture whose receipt a power cut took is simply asked for again, and found in the vault. The
  /// files are durable either way.
  relaxed,
};

/// All must outlive the call.
struct CapturePlace {
  base::Disk& disk;
  const state::StateFolder& folder;
  state::StateDb& state;
  const redact::Policy& policy;
  model::Model* model = nullptr;  ///< none: the deterministic sentence and summary
  lineage::Timestamp now;
  const VaultNames* names = nullptr;  ///< for many captures in a row; none: each lists memory/
  ReceiptSync receipts = ReceiptSync::durable;
  /// Of threads that capture side by side with relaxed receipts: held while state.db is written,
  /// since SQLite lets those that meet there sleep by the clock. May be null.
  std::mutex* writing = nullptr;
};

/// Whose session, when. Text as it comes from outside: nothing in it is trusted.
struct CapturedSession {
  std::string agent_id{lineage::kDefaultAgent};
  std::string session_id;  ///< these and project, harness, times: else as the transcript says
  std::string session_key;
  std::string project;
  std::string harness;
  std::string source_node_id;
  std::string parent_session_id;
  std::optional<lineage::Timestamp> started_at;
  std::optional<lineage::Timestamp> ended_at;
  std::optional<lineage::Timestamp> captured_at;  ///< nothing: now
  std::string idempotency_key;                    ///< empty: derived from the content
};

/// A session file that a harness has kept since the session ended. What is made of it depends on
/// the file alone, so that reading it again, or on another device, gives the same names and bytes:
/// it is named after its own last time, and so is the moment of the sentence.
struct KeptFile {
  lineage::Timestamp written_at;  ///< for one that holds no time, or one that cannot be
  std::string likely_id;  ///< as the file's name says; the transcript's own goes before it, unless
                          ///< the name is certain (harness::is_certain_id)
  std::string likely_parent_id;  ///< by the folder: of a sub-agent's session
};

/// The manifest of a sub-agent's parent, workspace-relative, which the summary then links to;
/// empty: there is none. An Error ends the capture before anything is written.
using FindParent = std::function<Result<std::string>(const lineage::SessionToken& parent)>;

struct SessionEnd {
  CapturedSession session;
  canon::BodySource transcript;  ///< raw; none: a session without one
  /// Nothing: recognised by its beginning.
  std::optional<harness::Format> format;
  std::optional<KeptFile> kept;  ///< nothing: the session ends now
  FindParent find_parent;        ///< none: no link
  std::optional<std::string> summary;
  std::optional<lineage::RunStatus> status;  ///< nothing: as the transcript says, else completed
  std::string error;
};

struct Compaction {
  CapturedSession session;
  std::string text;
};

enum class CaptureDeed : std::uint8_t {
  captured,
  already_captured,  ///< this is the first result; nothing was written
  session_removed,   ///< a tombstone forbids it; nothing was written, and the spool is empty of it
  nothing_said,      ///< no text in the transcript, and no summary: nothing was written
};

std::string_view to_string(CaptureDeed deed);

struct CaptureResult {
  CaptureDeed deed = CaptureDeed::captured;
  std::string flow;  ///< the receipt's id
  std::string session_token;
  std::string removed_token;  ///< session_removed: whose removal forbids it; a part's is its parent
  lineage::Timestamp captured_at;
  std::string summary_path;  ///< workspace-relative; empty: none of that kind
  std::string transcript_path;
  std::string compaction_path;
  std::string manifest_path;
  lineage::MemorySentence sentence;
  std::string sentence_refusal;  ///< why the model's was not taken
  std::uint64_t secrets = 0;     ///< redacted
  std::uint64_t pii = 0;
  std::uint64_t replaced_bytes = 0;  ///< that were not UTF-8
  std::uint64_t transcript_bytes = 0;
  std::uint64_t broken_lines = 0;  ///< of a harness's file, left out and counted; huge ones too
  std::uint64_t huge_lines = 0;
  std::uint64_t unknown_lines = 0;

  std::vector<std::string> paths() const;  ///< those that are not empty
  /// Of a harness's file: if nothing else was in it, it is not known what was said.
  std::uint64_t unread_lines() const { return broken_lines + unknown_lines; }
};

/// usage for a request that cannot be meant (no session id, a bad agent_id, nothing to capture) and
/// for an idempotency key that was used with other content.
Result<CaptureResult> end_session(const CapturePlace& place, const SessionEnd& request);
Result<CaptureResult> compact_session(const CapturePlace& place, const Compaction& request);

struct ResumedCaptures {
  std::vector<std::string> notices;  ///< a sentence for each
  std::size_t failed = 0;            ///< of them, that could not be finished and stay
};

/// Finishes what was cut off. What another process is at work on is left to it.
Result<ResumedCaptures> resume_captures(base::Disk& disk,
                                        const state::StateFolder& folder,
                                        state::StateDb& state,
                                        lineage::Timestamp now);

}  // namespace daybook::capture

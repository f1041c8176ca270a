// SPDX-License-Identifier: MIT
#include "capture/capture_finish.hpp"

#include "capture/spool_json.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/canon/session_manifest.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <fcntl.h>
#include <mutex>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

using lineage::Kind;
namespace step = state::capture_step;

/// Names that others have taken: nobody takes so many by chance.
constexpr int kMostTakenNames = 1000;

/// A manifest is named after the session's first capture.
std::string manifest_path_of(const SpoolRecord& record) {
  if (!record.manifest_path.empty()) {
    return record.manifest_path;
  }
  return "memory/" + to_string(lineage::ArtifactName{
                         record.token(), record.session.captured_at, Kind::manifest});
}

lineage::Artifact artifact_of(const SpoolRecord& record, Kind kind) {
  lineage::Artifact artifact;
  artifact.kind = kind;
  artifact.session = record.session;
  artifact.started_at = record.started_at;
  artifact.ended_at = record.ended_at;
  artifact.manifest_path = {manifest_path_of(record), 0};
  artifact.source_node_id = record.source_node_id;
  artifact.parent_session_id = record.parent_session_id;
  artifact.content_sha256 =
      kind == Kind::transcript ? record.transcript_sha256 : std::optional(record.text_sha256);
  artifact.sanitizer_version = redact::kSanitizerVersion;
  artifact.sentence = record.sentence;
  if (kind == Kind::summary) {
    artifact.run = record.run;
  }
  return artifact;
}

std::vector<canon::NewArtifact> artifacts_of(const FinishPlace& place, const SpoolRecord& record) {
  std::vector<canon::NewArtifact> artifacts;
  if (record.transcript_sha256) {
    artifacts.push_back(
        {artifact_of(record, Kind::transcript),
         spooled_transcript(
             place.disk, place.folder, spool_name(record), record.transcript_bytes)});
  }
  const Kind kind = record.kind == state::kCompactionFlow ? Kind::compaction : Kind::summary;
  artifacts.push_back({artifact_of(record, kind),
                       [&record](const canon::TakePiece& take) { return take(record.text); }});
  return artifacts;
}

/// Notes how far it has come; a flow that was begun before goes on.
class FlowNotes {
 public:
  FlowNotes(const FinishPlace& place, const SpoolRecord& record) : place_(place), record_(record) {}

  Result<void> begin() {
    begun_ = place_.receipts == ReceiptSync::durable;
    if (!begun_) {
      return {};  // the spool's record says as much, and the receipt comes in one go
    }
    const state::StateDb::Relaxed relaxed(place_.state);
    const bool fell_back = !record_.result.sentence_refusal.empty();
    return begin_at(fell_back ? step::kSpooledFallback : step::kSpooled, record_.result);
  }

  Result<void> note(const char* step) {
    if (place_.receipts == ReceiptSync::relaxed) {
      return {};
    }
    const state::StateDb::Relaxed relaxed(place_.state);
    return advance(step, record_.result);
  }

  /// The one note that waits for the disk, and carries the others with it.
  Result<void> done(const CaptureResult& result) {
    if (place_.receipts == ReceiptSync::durable) {
      return advance(step::kCanonical, result);
    }
    const auto lock = place_.writing != nullptr ? std::unique_lock(*place_.writing)
                                                : std::unique_lock<std::mutex>();
    const state::StateDb::Relaxed relaxed(place_.state);
    return begun_ ? advance(step::kCanonical, result) : begin_at(step::kCanonical, result);
  }

 private:
  Result<void> begin_at(const char* step, const CaptureResult& result) {
    TRY(place_.state.flows().begin({record_.flow,
                                    record_.kind,
                                    record_.token().to_string(),
                                    step,
                                    receipt_to_json({record_.fingerprint, result})},
                                   place_.now));
    return {};
  }

  Result<void> advance(const char* step, const CaptureResult& result) {
    return place_.state.flows().advance(
        record_.flow, step, receipt_to_json({record_.fingerprint, result}), place_.now);
  }

  const FinishPlace& place_;
  const SpoolRecord& record_;
  bool begun_ = true;  // has a row in state.db
};

Result<std::vector<canon::WrittenArtifact>> write_all(const FinishPlace& place,
                                                      SpoolRecord& record,
                                                      FlowNotes& notes) {
  for (int taken = 0;; ++taken) {
    auto written = canon::write_artifacts(place.disk,
                                          place.folder.workspace(),
                                          artifacts_of(place, record),
                                          [&notes](const canon::WrittenArtifact& artifact) {
                                            return artifact.kind == Kind::transcript
                                                       ? notes.note(step::kTranscript)
                                                       : notes.note(step::kArtifacts);
                                          });
    if (written || written.error().kind != ErrorKind::already_exists || taken == kMostTakenNames) {
      return written;
    }
    ++record.session.captured_at.ms;
  }
}

}  // namespace

void remove_leftovers(base::Disk& disk, const std::string& path, lineage::Timestamp now) {
  const base::Descriptor folder(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  const auto root = disk.open_root(path);
  if (!folder || !root) {
    return;
  }
  std::vector<std::string> names;
  static_cast<void>((*root)->list([&names](std::string_view name, base::EntryType) {
    if (base::is_temporary_name(name)) {
      names.emplace_back(name);
    }
  }));
  for (const std::string& name : names) {
    static_cast<void>(base::remove_abandoned_temporary(folder.get(), name, now.ms));
  }
}

bool has_files(const state::Flow& flow) {
  return flow.finished_at || flow.step == step::kCanonical || flow.step == step::kIndexed;
}

Result<CaptureResult> finish_capture(const FinishPlace& place, SpoolRecord record) {
  const std::string name = spool_name(record);
  TRY_ASSIGN(const auto known, place.state.flows().find(record.flow));
  if (known && has_files(*known)) {
    // Only the last step was cut off.
    TRY(drop_spooled(place.folder, name));
    TRY_ASSIGN(Receipt receipt, receipt_from_json(known->payload));
    return std::move(receipt.result);
  }
  FlowNotes notes(place, record);
  if (!known) {
    TRY(notes.begin());
  }
  TRY_ASSIGN(const auto written, write_all(place, record, notes));

  const std::string manifest = manifest_path_of(record);
  lineage::SessionFields session = record.session;
  session.captured_at =
      lineage::read_artifact_name(manifest.substr(manifest.rfind('/') + 1)).name.captured_at;
  TRY(canon::record_in_manifest(place.disk,
                                {place.folder.workspace(), manifest, place.folder.file("locks")},
                                {session, place.folder.device(), written, place.now}));

  CaptureResult result = record.result;
  result.deed = CaptureDeed::captured;
  result.flow = record.flow;
  result.session_token = record.token().to_string();
  result.captured_at = record.session.captured_at;
  result.manifest_path = manifest;
  result.sentence = record.sentence;
  for (const canon::WrittenArtifact& artifact : written) {
    (artifact.kind == Kind::summary      ? result.summary_path
     : artifact.kind == Kind::transcript ? result.transcript_path
                                         : result.compaction_path) = artifact.path;
  }
  TRY(notes.done(result));
  TRY(drop_spooled(place.folder, name));
  return result;
}

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
#include "capture/capture_finish.hpp"

#include "capture/spool_json.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/base/path.hpp"
#include "daybook/canon/session_manifest.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <fcntl.h>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

using lineage::Kind;
namespace step = state::capture_step;

/// Names that others have taken: nobody takes so many by chance.
constexpr int kMostTakenNames = 1000;

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

std::vector<canon::NewArtifact> artifacts_of(const FinishPlace& place,
                                             const SpoolRecord& record,
                                             const std::string& name) {
  std::vector<canon::NewArtifact> artifacts;
  if (record.transcript_sha256) {
    artifacts.push_back(
        {artifact_of(record, Kind::transcript),
         spooled_transcript(place.disk, place.folder, name, record.transcript_bytes)});
  }
  const Kind kind = record.kind == state::kCompactionFlow ? Kind::compaction : Kind::summary;
  artifacts.push_back({artifact_of(record, kind),
                       [&record](const canon::TakePiece& take) { return take(record.text); }});
  return artifacts;
}

state::NewFlow flow_of(const SpoolRecord& record, const char* step, const CaptureResult& result) {
  return {record.flow,
          record.kind,
          record.token().to_string(),
          step,
          receipt_to_json({record.fingerprint, result})};
}

Result<bool> is_of_this(const state::Flow& flow, const SpoolRecord& record) {
  TRY_ASSIGN(const Receipt receipt, receipt_from_json(flow.payload));
  return receipt.fingerprint == record.fingerprint;
}

/// Notes how far it has come.
class FlowNotes {
 public:
  /// `begun`: it has a row in state.db.
  FlowNotes(const FinishPlace& place, const SpoolRecord& record, bool begun)
      : place_(place), record_(record), begun_(begun) {}

  Result<void> note(const char* step) {
    if (place_.receipts == ReceiptSync::relaxed) {
      return {};
    }
    const state::StateDb::Relaxed relaxed(place_.state);
    return advance(step, record_.result);
  }

  /// The receipt of a key waits for the disk: nothing in the vault knows the key. One that is
  /// known by its content is found again in the vault, should a power cut take its receipt.
  Result<void> done(const CaptureResult& result) {
    if (place_.receipts == ReceiptSync::durable) {
      TRY(count_redacted(result));
      const bool by_content = record_.flow == flow_id_of(record_, {});
      return by_content ? note_result(result) : advance(step::kCanonical, result);
    }
    const auto lock = place_.writing != nullptr ? std::unique_lock(*place_.writing)
                                                : std::unique_lock<std::mutex>();
    TRY(count_redacted(result));
    const state::StateDb::Relaxed relaxed(place_.state);
    if (begun_) {
      return advance(step::kCanonical, result);
    }
    TRY(place_.state.flows().begin(flow_of(record_, step::kCanonical, result), place_.now));
    return {};
  }

 private:
  Result<void> note_result(const CaptureResult& result) {
    const state::StateDb::Relaxed relaxed(place_.state);
    return advance(step::kCanonical, result);
  }

  Result<void> count_redacted(const CaptureResult& result) {
    const state::StateDb::Relaxed relaxed(place_.state);
    if (result.secrets > 0) {
      TRY(place_.state.add_to_meta(state::kRedactedSecrets, result.secrets));
    }
    return result.pii > 0 ? place_.state.add_to_meta(state::kRedactedPii, result.pii)
                          : Result<void>();
  }

  Result<void> advance(const char* step, const CaptureResult& result) {
    return place_.state.flows().advance(
        record_.flow, step, receipt_to_json({record_.fingerprint, result}), place_.now);
  }

  const FinishPlace& place_;
  const SpoolRecord& record_;
  const bool begun_;
};

canon::ManifestUpdate manifest_update(const FinishPlace& place,
                                      const SpoolRecord& record,
                                      std::span<const canon::WrittenArtifact> artifacts) {
  const std::string manifest = manifest_path_of(record);
  lineage::SessionFields session = record.session;
  session.captured_at = lineage::read_artifact_name(base::file_name_of(manifest)).name.captured_at;
  return {session, place.folder.device(), artifacts, place.now};
}

canon::FilePlace manifest_place(const FinishPlace& place, const SpoolRecord& record) {
  return {place.folder.workspace(), manifest_path_of(record), place.folder.file("locks")};
}

/// A capture's artifacts, and the manifest to come.
struct WrittenSet {
  std::vector<canon::WrittenArtifact> artifacts;
  std::optional<canon::ManifestDraft> manifest;
};

/// One wait for the disk is enough for all, so the manifest is drafted before they have names.
Result<WrittenSet> write_set(const FinishPlace& place,
                             const SpoolRecord& record,
                             const std::string& name,
                             FlowNotes& notes) {
  TRY_ASSIGN(auto set,
             canon::ArtifactSet::prepare(
                 place.disk, place.folder.workspace(), artifacts_of(place, record, name)));
  TRY_ASSIGN(auto draft,
             canon::draft_manifest(place.disk,
                                   manifest_place(place, record),
                                   manifest_update(place, record, set.artifacts())));
  TRY(set.name_all([&notes](const canon::WrittenArtifact& artifact) {
    return notes.note(artifact.kind == Kind::transcript ? step::kTranscript : step::kArtifacts);
  }));
  return WrittenSet{set.artifacts(), std::move(draft)};
}

/// Under the first names that nobody else has taken.
Result<WrittenSet> write_all(const FinishPlace& place,
                             SpoolRecord& record,
                             const std::string& name,
                             FlowNotes& notes) {
  for (int taken = 0;; ++taken) {
    auto written = write_set(place, record, name, notes);
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

std::string flow_id_of(const SpoolRecord& record, const std::string& idempotency_key) {
  std::string text(record.kind);
  text.append(1, '\0').append(record.session.agent_id).append(1, '\0');
  if (!idempotency_key.empty()) {
    text.append("key").append(1, '\0').append(idempotency_key);
  } else {
    text.append("content").append(1, '\0').append(record.fingerprint);
  }
  return base::to_hex(base::sha256(text));
}

std::string manifest_path_of(const SpoolRecord& record) {
  if (!record.manifest_path.empty()) {
    return record.manifest_path;
  }
  return "memory/" + to_string(lineage::ArtifactName{
                         record.token(), record.session.captured_at, Kind::manifest});
}

Result<bool> claim_flow(const FinishPlace& place, const SpoolRecord& record) {
  TRY_ASSIGN(auto known, place.state.flows().find(record.flow));
  if (!known && place.receipts == ReceiptSync::relaxed) {
    return true;  // the spool's record says as much, and the receipt comes in one go
  }
  if (!known) {
    const state::StateDb::Relaxed relaxed(place.state);
    const bool fell_back = !record.result.sentence_refusal.empty();
    const auto begun = place.state.flows().begin(
        flow_of(record, fell_back ? step::kSpooledFallback : step::kSpooled, record.result),
        place.now);
    if (begun || begun.error().kind != ErrorKind::already_exists) {
      return begun ? Result(true) : begun.error();
    }
    // Another session's capture, under the lock of that session, came in between.
    TRY_ASSIGN(known, place.state.flows().find(record.flow));
  }
  return known ? is_of_this(*known, record) : Result(true);
}

Result<CaptureResult> finish_spooled(const FinishPlace& place,
                                     SpoolRecord record,
                                     const std::string& name) {
  TRY_ASSIGN(const bool ours, claim_flow(place, record));
  if (!ours) {
    record.flow = flow_id_of(record, {});
    TRY(claim_flow(place, record));
  }
  return finish_capture(place, std::move(record), name);
}

Result<CaptureResult> finish_capture(const FinishPlace& place,
                                     SpoolRecord record,
                                     const std::string& name) {
  TRY_ASSIGN(const auto known, place.state.flows().find(record.flow));
  if (known && has_files(*known)) {
    // Only the last step was cut off.
    TRY(drop_spooled(place.folder, name));
    TRY_ASSIGN(Receipt receipt, receipt_from_json(known->payload));
    return std::move(receipt.result);
  }
  FlowNotes notes(place, record, known.has_value());
  TRY_ASSIGN(auto written, write_all(place, record, name, notes));
  TRY(canon::record_in_manifest(place.disk,
                                manifest_place(place, record),
                                manifest_update(place, record, written.artifacts),
                                std::move(written.manifest)));

  CaptureResult result = record.result;
  result.deed = CaptureDeed::captured;
  result.flow = record.flow;
  result.session_token = record.token().to_string();
  result.captured_at = record.session.captured_at;
  result.manifest_path = manifest_path_of(record);
  result.sentence = record.sentence;
  for (const canon::WrittenArtifact& artifact : written.artifacts) {
    (artifact.kind == Kind::summary      ? result.summary_path
     : artifact.kind == Kind::transcript ? result.transcript_path
                                         : result.compaction_path) = artifact.path;
  }
  TRY(notes.done(result));
  TRY(drop_spooled(place.folder, name));
  return result;
}

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
#include "daybook/capture/capture.hpp"

#include "capture/capture_commit.hpp"
#include "capture/capture_request.hpp"
#include "capture/forbidden.hpp"
#include "capture/intake.hpp"
#include "capture/refusal_log.hpp"
#include "daybook/base/clock.hpp"
#include "daybook/capture/sentence.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/harness/run_record.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/sentence_gate.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daybook::capture {
namespace {

using lineage::Kind;

FinishPlace finish_place(const CapturePlace& place) {
  return {
      place.disk, place.folder, place.state, place.now, place.names, place.receipts, place.writing};
}

/// A model may take its time, and a pass that begins meanwhile does not see what is written after.
FinishPlace after_model(const CapturePlace& place, const base::Stopwatch& since_now) {
  FinishPlace finish = finish_place(place);
  if (place.model != nullptr) {
    finish.now.ms += static_cast<std::int64_t>(since_now.seconds() * 1000);
  }
  return finish;
}

void take_counts(const IntakeCounts& counts, CaptureResult& result) {
  result.secrets = counts.secrets;
  result.pii = counts.pii;
  result.replaced_bytes = counts.replaced_bytes;
}

/// What a model is shown, and what a sentence's words are looked up in.
std::string session_text(const TakenTranscript& transcript) {
  return transcript.ending.empty() ? transcript.beginning
                                   : transcript.beginning + "\n\n" + transcript.ending;
}

/// Every artifact carries the sentence, and each is judged by its own text.
bool holds_for(const lineage::MemorySentence& sentence,
               const std::string& project,
               std::string_view text) {
  return lineage::sentence_flaws(sentence.text, {project, text}).empty();
}

void add_sentence(const CapturePlace& place,
                  Kind kind,
                  const TakenTranscript* transcript,
                  lineage::Timestamp now,
                  SpoolRecord& record) {
  const SentenceFacts facts{
      kind, record.session.project, record.text, record.text.size(), record.text};
  const base::Stopwatch watch;
  Sentence made = make_sentence(place.model, facts, place.policy, now);
  if (transcript != nullptr && made.sentence.quality == lineage::SentenceQuality::ok &&
      !holds_for(made.sentence, record.session.project, transcript->beginning)) {
    made = make_sentence(nullptr, facts, place.policy, now);
    made.refusal = "no-anchor: the transcript does not name what the sentence names";
    log_refusal("the model's sentence was not taken", made.refusal, watch.seconds());
  }
  record.sentence = std::move(made.sentence);
  record.result.sentence_refusal = std::move(made.refusal);
}

/// One thing that must not differ between two requests of the same key.
void add_part(std::string& fingerprint, std::string_view part) {
  fingerprint.append(std::to_string(part.size())).append(":").append(part);
}

std::string fingerprint_of(const SpoolRecord& record, std::string_view given_text) {
  std::string all;
  add_part(all, record.kind);
  add_part(all, record.token().to_string());
  add_part(all, record.transcript_sha256 ? base::to_hex(*record.transcript_sha256) : "");
  add_part(all, given_text);
  return base::to_hex(base::sha256(all));
}

lineage::RunStatus status_of(const SessionEnd& request, const harness::SessionOutline& outline) {
  if (request.status) {
    return *request.status;
  }
  return request.error.empty() ? harness::status_of(outline) : lineage::RunStatus::failed;
}

/// The summary that was given, else the model's, else one that is made of the transcript's parts.
void add_summary(const CapturePlace& place,
                 const SessionEnd& request,
                 const TakenTranscript& transcript,
                 IntakeCounts& counts,
                 SpoolRecord& record) {
  const harness::SessionOutline& outline = transcript.outline;
  const std::string error =
      request.error.empty() ? outline.error : take_text(request.error, place.policy, counts);
  const harness::SummaryFacts facts{status_of(request, outline),
                                    outline.request,
                                    outline.last_outcome,
                                    error,
                                    &outline.touched,
                                    outline.turns,
                                    outline.tool_calls,
                                    outline.title};
  record.run = harness::run_record(facts.status, facts.request, facts.outcome, error);
  if (request.summary) {
    record.text = take_body(*request.summary, place.policy, counts);
  }
  if (record.text.empty() && place.model != nullptr && transcript.bytes > 0) {
    ModelSummary made = make_summary(*place.model, session_text(transcript), place.policy);
    if (made.text) {
      IntakeCounts not_the_sessions;
      record.text = take_body(*made.text, place.policy, not_the_sessions);
    }
  }
  if (record.text.empty()) {
    IntakeCounts counted_already;
    record.text = take_body(harness::extractive_summary(facts), place.policy, counted_already);
  }
}

/// A link is a statement that only Daybook makes, so it comes last, when all else has been cleaned.
Result<void> add_parent_link(const FindParent& find_parent, SpoolRecord& record) {
  if (!find_parent || record.parent_session_id.empty()) {
    return {};
  }
  TRY_ASSIGN(const std::string manifest,
             find_parent(
                 lineage::SessionToken::derive(record.session.agent_id, record.parent_session_id)));
  if (!manifest.empty()) {
    record.text.append(record.text.empty() ? "" : "\n")
        .append("Parent session: [[")
        .append(manifest)
        .append("|parent session]]\n");
  }
  return {};
}

/// When a file that was kept says that its session ended.
lineage::Timestamp end_of(const KeptFile& kept,
                          const harness::SessionOutline& outline,
                          lineage::Timestamp now) {
  constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;  // clocks differ, but not by more
  const std::int64_t latest = now.ms + kDayMs;
  if (outline.ended_at && outline.ended_at->ms >= 0 && outline.ended_at->ms <= latest) {
    return *outline.ended_at;
  }
  return {std::clamp<std::int64_t>(kept.written_at.ms, 0, latest)};
}

/// The times of a session that ended long ago.
void fill_kept(const KeptFile& kept,
               const harness::SessionOutline& outline,
               lineage::Timestamp now,
               CapturedSession& session) {
  const lineage::Timestamp end = end_of(kept, outline, now);
  session.captured_at = session.captured_at.value_or(end);
  session.ended_at = session.ended_at.value_or(end);
}

}  // namespace

std::string_view to_string(CaptureDeed deed) {
  constexpr std::array<std::string_view, 4> kNames{
      "captured", "already-captured", "session-removed", "nothing-said"};
  return kNames[static_cast<std::size_t>(deed)];
}

std::vector<std::string> CaptureResult::paths() const {
  std::vector<std::string> all;
  for (const std::string* path :
       {&transcript_path, &summary_path, &compaction_path, &manifest_path}) {
    if (!path->empty()) {
      all.push_back(*path);
    }
  }
  return all;
}

Result<CaptureResult> end_session(const CapturePlace& place, const SessionEnd& request) {
  const base::Stopwatch since_now;
  TRY(check_request(request.session));
  const bool has_summary =
      request.summary && request.summary->find_first_not_of(" \t\r\n") != std::string::npos;
  SpoolRecord record;
  record.kind = state::kSessionEndFlow;
  IntakeCounts counts;
  CapturedSession session = request.session;
  TRY_ASSIGN(const auto removals, removals_now(finish_place(place)));
  // Before the first byte of it is written anywhere, if it is known by then whose it is.
  if (!session.session_id.empty() || (request.kept && !request.kept->likely_id.empty())) {
    CapturedSession likely = session;
    if (likely.session_id.empty()) {
      likely.session_id = request.kept->likely_id;
      likely.parent_session_id = request.kept->likely_parent_id;
    }
    fill_session(likely, {}, place, record, counts);
    if (const auto removed = forbidden_by(removals, record)) {
      return removed_result(record, *removed);
    }
  }
  counts = {};
  TRY_ASSIGN(SpoolWriter spool, SpoolWriter::begin(place.folder));
  TakenTranscript transcript;
  if (request.transcript) {
    TRY_ASSIGN(transcript,
               take_transcript(request.transcript, request.format, place.policy, spool, counts));
  }
  if (request.kept) {
    settle_identity(*request.kept, transcript.outline);
    fill_kept(*request.kept, transcript.outline, place.now, session);
  }
  fill_session(session, transcript.outline, place, record, counts);
  if (record.session.session_id.empty()) {
    return no_session_id();
  }
  if (transcript.bytes > 0) {
    record.transcript_sha256 = transcript.sha256;
    record.transcript_bytes = transcript.bytes;
  }
  // Now that the transcript has said whose it is, and what it is a part of.
  if (const auto removed = forbidden_by(removals, record)) {
    return removed_result(record, *removed);
  }
  record.result.broken_lines = transcript.outline.broken_lines + transcript.outline.huge_lines;
  record.result.huge_lines = transcript.outline.huge_lines;
  record.result.unknown_lines = transcript.outline.unknown_lines;
  if (transcript.bytes == 0 && !has_summary) {
    record.result.deed = CaptureDeed::nothing_said;
    record.result.session_token = record.token().to_string();
    return std::move(record.result);
  }
  record.result.transcript_bytes = transcript.bytes;
  record.fingerprint = fingerprint_of(record, request.summary.value_or(""));
  record.flow = flow_id_of(record, session.idempotency_key);
  TRY_ASSIGN(auto known, known_result(finish_place(place), record));
  if (known) {
    return std::move(*known);  // before a model is asked for nothing
  }
  spool.begin_sync();
  if (place.model != nullptr) {
    // It is shown the text: what was removed while that was read is not.
    TRY_ASSIGN(const auto removals_by_now, removals_now(finish_place(place)));
    if (const auto removed = forbidden_by(removals_by_now, record)) {
      return removed_result(record, *removed);
    }
  }
  add_summary(place, request, transcript, counts, record);
  TRY(add_parent_link(request.find_parent, record));
  record.text_given = has_summary;
  record.text_sha256 = lineage::body_hash(record.text);
  take_counts(counts, record.result);
  const lineage::Timestamp said_at = request.kept ? record.session.captured_at : place.now;
  add_sentence(place, Kind::summary, transcript.bytes > 0 ? &transcript : nullptr, said_at, record);
  return commit_record(after_model(place, since_now), std::move(record), std::move(spool));
}

Result<CaptureResult> compact_session(const CapturePlace& place, const Compaction& request) {
  const base::Stopwatch since_now;
  TRY(check_request(request.session));
  if (request.session.session_id.empty()) {
    return no_session_id();
  }
  SpoolRecord record;
  record.kind = state::kCompactionFlow;
  IntakeCounts counts;
  fill_session(request.session, {}, place, record, counts);
  if (record.session.session_id.empty()) {
    return no_session_id();
  }
  TRY_ASSIGN(const auto removals, removals_now(finish_place(place)));
  if (const auto removed = forbidden_by(removals, record)) {
    return removed_result(record, *removed);
  }
  record.text = take_body(request.text, place.policy, counts);
  if (record.text.empty()) {
    record.result.deed = CaptureDeed::nothing_said;
    record.result.session_token = record.token().to_string();
    return std::move(record.result);
  }
  record.text_given = true;
  record.text_sha256 = lineage::body_hash(record.text);
  record.fingerprint = fingerprint_of(record, base::to_hex(record.text_sha256));
  record.flow = flow_id_of(record, request.session.idempotency_key);
  TRY_ASSIGN(auto known, known_result(finish_place(place), record));
  if (known) {
    return std::move(*known);
  }
  take_counts(counts, record.result);
  add_sentence(place, Kind::compaction, nullptr, place.now, record);
  TRY_ASSIGN(SpoolWriter spool, SpoolWriter::begin(place.folder));
  return commit_record(after_model(place, since_now), std::move(record), std::move(spool));
}

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
#include "capture/spool_json.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace daybook::capture {
namespace {

using nlohmann::json;

Error damaged(std::string_view why) {
  return {ErrorKind::damaged,
          std::string("a record of a capture cannot be understood: ").append(why),
          {},
          {}};
}

json time_to_json(const std::optional<lineage::Timestamp>& time) {
  return time ? json(time->ms) : json(nullptr);
}

lineage::Timestamp instant_from(const json& value) {
  // A number with a fraction may be too large to become an integer at all.
  const lineage::Timestamp time{value.is_number_integer() ? value.get<std::int64_t>()
                                                          : lineage::kLastTimestamp.ms + 1};
  if (time < lineage::kFirstTimestamp || time > lineage::kLastTimestamp) {
    throw std::invalid_argument("a time is none");
  }
  return time;
}

std::optional<lineage::Timestamp> time_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(instant_from(value));
}

/// Counts and sizes.
std::uint64_t count_from(const json& value) {
  if (!value.is_number_unsigned()) {
    throw std::invalid_argument("a count is none");
  }
  return value.get<std::uint64_t>();
}

harness::HookEvent event_from(const json& value) {
  constexpr auto kLast = static_cast<std::uint64_t>(harness::HookEvent::other);
  const std::uint64_t number = count_from(value);
  if (number > kLast) {
    throw std::invalid_argument("an event is none");
  }
  return static_cast<harness::HookEvent>(number);
}

base::Digest digest_from(const json& value) {
  const auto digest = base::digest_from_hex(value.get<std::string>());
  if (!digest) {
    throw std::invalid_argument("a hash is none");
  }
  return *digest;
}

json sentence_to_json(const lineage::MemorySentence& sentence) {
  return {{"text", sentence.text},
          {"version", sentence.version},
          {"fallback", sentence.quality == lineage::SentenceQuality::fallback},
          {"generated_at", time_to_json(sentence.generated_at)}};
}

lineage::MemorySentence sentence_from(const json& value) {
  return {value.at("text"),
          value.at("version"),
          value.at("fallback").get<bool>() ? lineage::SentenceQuality::fallback
                                           : lineage::SentenceQuality::ok,
          time_from(value.at("generated_at"))};
}

json run_to_json(const std::optional<lineage::RunRecord>& run) {
  if (!run) {
    return nullptr;
  }
  return {{"status", to_string(run->status)},
          {"request_preview", run->request_preview},
          {"outcome_preview", run->outcome_preview},
          {"failure_markers", run->failure_markers},
          {"summary", run->summary}};
}

std::optional<lineage::RunRecord> run_from(const json& value) {
  if (value.is_null()) {
    return std::nullopt;
  }
  const auto status = lineage::run_status_from_string(value.at("status").get<std::string>());
  if (!status) {
    throw std::invalid_argument("a run has no such status");
  }
  return lineage::RunRecord{*status,
                            value.at("request_preview"),
                            value.at("outcome_preview"),
                            value.at("failure_markers").get<std::vector<std::string>>(),
                            value.at("summary")};
}

json result_to_json(const CaptureResult& result) {
  return {{"flow", result.flow},
          {"session_token", result.session_token},
          {"captured_at", result.captured_at.ms},
          {"summary_path", result.summary_path},
          {"transcript_path", result.transcript_path},
          {"compaction_path", result.compaction_path},
          {"manifest_path", result.manifest_path},
          {"sentence", sentence_to_json(result.sentence)},
          {"sentence_refusal", result.sentence_refusal},
          {"secrets", result.secrets},
          {"pii", result.pii},
          {"replaced_bytes", result.replaced_bytes},
          {"transcript_bytes", result.transcript_bytes},
          {"broken_lines", result.broken_lines},
          {"huge_lines", result.huge_lines},
          {"unknown_lines", result.unknown_lines}};
}

CaptureResult result_from(const json& value) {
  CaptureResult result;
  result.flow = value.at("flow");
  result.session_token = value.at("session_token");
  result.captured_at = instant_from(value.at("captured_at"));
  result.summary_path = value.at("summary_path");
  result.transcript_path = value.at("transcript_path");
  result.compaction_path = value.at("compaction_path");
  result.manifest_path = value.at("manifest_path");
  result.sentence = sentence_from(value.at("sentence"));
  result.sentence_refusal = value.at("sentence_refusal");
  result.secrets = count_from(value.at("secrets"));
  result.pii = count_from(value.at("pii"));
  result.replaced_bytes = count_from(value.at("replaced_bytes"));
  result.transcript_bytes = count_from(value.at("transcript_bytes"));
  result.broken_lines = count_from(value.at("broken_lines"));
  result.huge_lines = value.contains("huge_lines") ? count_from(value.at("huge_lines")) : 0;
  result.unknown_lines = count_from(value.at("unknown_lines"));
  return result;
}

SpoolRecord record_from(const json& value) {
  SpoolRecord record;
  record.flow = value.at("flow");
  record.kind = value.at("kind");
  record.fingerprint = value.at("fingerprint");
  const json& session = value.at("session");
  record.session = {session.at("agent_id"),
                    session.at("session_id"),
                    session.at("session_key"),
                    session.at("project"),
                    session.at("harness"),
                    instant_from(session.at("captured_at"))};
  record.started_at = time_from(value.at("started_at"));
  record.ended_at = time_from(value.at("ended_at"));
  record.source_node_id = value.at("source_node_id");
  record.parent_session_id = value.at("parent_session_id");
  record.manifest_path = value.at("manifest_path");
  record.sentence = sentence_from(value.at("sentence"));
  record.run = run_from(value.at("run"));
  if (!value.at("transcript_sha256").is_null()) {
    record.transcript_sha256 = digest_from(value.at("transcript_sha256"));
  }
  record.transcript_bytes = count_from(value.at("transcript_bytes"));
  record.text = value.at("text");
  record.text_sha256 = digest_from(value.at("text_sha256"));
  record.text_given = value.at("text_given");
  record.result = result_from(value.at("result"));
  return record;
}

/// What the reader throws ends here.
template <typename Value, typename Read>
Result<Value> parsed(std::string_view text, Read read) {
  try {
    return read(json::parse(text));
  } catch (const json::parse_error& problem) {
    // Its own words quote what was read, which is somebody's text and may not even be UTF-8.
    return damaged("it stops being JSON at byte " + std::to_string(problem.byte));
  } catch (const std::exception& problem) {
    return damaged(problem.what());
  }
}

}  // namespace

std::string record_to_json(const SpoolRecord& record) {
  const lineage::SessionFields& session = record.session;
  return json{
      {"flow", record.flow},
      {"kind", record.kind},
      {"fingerprint", record.fingerprint},
      {"session",
       {{"agent_id", session.agent_id},
        {"session_id", session.session_id},
        {"session_key", session.session_key},
        {"project", session.project},
        {"harness", session.harness},
        {"captured_at", session.captured_at.ms}}},
      {"started_at", time_to_json(record.started_at)},
      {"ended_at", time_to_json(record.ended_at)},
      {"source_node_id", record.source_node_id},
      {"parent_session_id", record.parent_session_id},
      {"manifest_path", record.manifest_path},
      {"sentence", sentence_to_json(record.sentence)},
      {"run", run_to_json(record.run)},
      {"transcript_sha256",
       record.transcript_sha256 ? json(base::to_hex(*record.transcript_sha256)) : json(nullptr)},
      {"transcript_bytes", record.transcript_bytes},
      {"text", record.text},
      {"text_sha256", base::to_hex(record.text_sha256)},
      {"text_given", record.text_given},
      {"result", result_to_json(record.result)}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SpoolRecord> record_from_json(std::string_view text) {
  return parsed<SpoolRecord>(text, record_from);
}

std::string receipt_to_json(const Receipt& receipt) {
  return json{{"fingerprint", receipt.fingerprint}, {"result", result_to_json(receipt.result)}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string hook_to_json(const SpooledHook& hook) {
  const harness::HookInput& input = hook.input;
  return json{{"agent_id", hook.agent_id},
              {"harness", hook.harness},
              {"spooled_at", hook.spooled_at.ms},
              {"transcript_bytes", hook.transcript_bytes},
              {"event", static_cast<int>(input.event)},
              {"event_name", input.event_name},
              {"session_id", input.session_id},
              {"transcript_path", input.transcript_path},
              {"cwd", input.cwd},
              {"reason", input.reason},
              {"trigger", input.trigger},
              {"compact_summary", input.compact_summary}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SpooledHook> hook_from_json(std::string_view text) {
  return parsed<SpooledHook>(text, [](const json& value) {
    SpooledHook hook;
    hook.agent_id = value.at("agent_id");
    hook.harness = value.at("harness");
    hook.spooled_at = instant_from(value.at("spooled_at"));
    hook.transcript_bytes = count_from(value.at("transcript_bytes"));
    hook.input.event = event_from(value.at("event"));
    hook.input.event_name = value.at("event_name");
    hook.input.session_id = value.at("session_id");
    hook.input.transcript_path = value.at("transcript_path");
    hook.input.cwd = value.at("cwd");
    hook.input.reason = value.at("reason");
    hook.input.trigger = value.at("trigger");
    hook.input.compact_summary = value.at("compact_summary");
    return hook;
  });
}

Result<Receipt> receipt_from_json(std::string_view text) {
  return parsed<Receipt>(text, [](const json& value) {
    return Receipt{value.at("fingerprint"), result_from(value.at("result"))};
  });
}

}  // namespace daybook::capture

// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/capture_input.hpp"
#include "cli/command.hpp"
#include "cli/pass.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/capture_tools.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/state/state_db.hpp"

#include <cmath>
#include <filesystem>
#include <memory>

namespace daybook::cli {
namespace {

using capture::CaptureDeed;
using capture::CaptureResult;

struct Options {
  CaptureInput input;
  std::string summary_file;
  std::string text_file;
  bool no_model = false;
  bool no_publish = false;
};

struct Answer {
  CaptureResult result;
  bool published = false;
  double seconds = 0;
};

Json to_json(const Answer& answer) {
  const CaptureResult& result = answer.result;
  const bool acked = !result.manifest_path.empty();
  return Json::object(
      {{"deed", capture::to_string(result.deed)},
       {"acked", acked},
       {"published", answer.published},
       {"session_token", result.session_token},
       {"captured_at", lineage::to_string(result.captured_at)},
       {"paths",
        Json::object({{"summary", text_or_null(result.summary_path)},
                      {"transcript", text_or_null(result.transcript_path)},
                      {"compaction", text_or_null(result.compaction_path)},
                      {"manifest", text_or_null(result.manifest_path)}})},
       {"memory_sentence", text_or_null(result.sentence.text)},
       {"memory_sentence_quality",
        !acked                                                    ? Json(nullptr)
        : result.sentence.quality == lineage::SentenceQuality::ok ? Json("ok")
                                                                  : Json("fallback")},
       {"sentence_refusal", text_or_null(result.sentence_refusal)},
       {"redacted",
        Json::object({{"secrets", result.secrets},
                      {"pii", result.pii},
                      {"replaced_bytes", result.replaced_bytes}})},
       {"transcript_bytes", result.transcript_bytes},
       {"broken_lines", result.broken_lines},
       {"unknown_lines", result.unknown_lines},
       {"receipt", text_or_null(result.flow)},
       {"duration_ms", std::llround(answer.seconds * 1000)}});
}

void print_human(const Answer& answer, const Palette& colors) {
  const CaptureResult& result = answer.result;
  if (result.deed == CaptureDeed::session_removed) {
    const std::string which =
        result.removed_token == result.session_token
            ? "the session " + result.session_token
            : "the session " + result.removed_token + ", which this one is a part of,";
    print(stdout,
          "Not captured: " + which +
              " was removed, and a tombstone keeps it from coming back.\n'daybook unremove " +
              result.removed_token + "' lifts that.\n");
    return;
  }
  std::string text(result.deed == CaptureDeed::captured ? colors.green : colors.dim);
  text.append(result.deed == CaptureDeed::captured ? "Captured" : "Captured before")
      .append(colors.reset)
      .append(" the session ")
      .append(result.session_token)
      .append(":\n");
  for (const std::string& path : result.paths()) {
    text.append("  ").append(base::printable(path)).append("\n");
  }
  text.append(base::printable(result.sentence.text)).append("\n");
  if (result.secrets + result.pii > 0) {
    text.append("Redacted: ")
        .append(counted(result.secrets, "secret"))
        .append(", ")
        .append(counted(result.pii, "personal detail"))
        .append(".\n");
  }
  print(stdout, text);
}

/// What is worth saying beside the answer.
void print_talk(const Answer& answer) {
  const CaptureResult& result = answer.result;
  if (!result.sentence_refusal.empty()) {
    print(stderr,
          "daybook: the sentence is Daybook's own, because of the model: " +
              base::printable(result.sentence_refusal) + "\n");
  }
  if (result.replaced_bytes > 0) {
    print(stderr,
          "daybook: " + counted(result.replaced_bytes, "byte") +
              " of the input were not UTF-8 and are shown as U+FFFD\n");
  }
  if (result.broken_lines > 0) {
    print(stderr,
          "daybook: " + counted(result.broken_lines, "line") +
              " of the transcript could not be read and were left out\n");
  }
}

/// Rows, MEMORY.md and full text. The files are safe already, so a failure is only told.
bool publish(const Vault& vault, const CaptureResult& result, const Settings& settings) {
  service::PassRequest request;
  request.command = "daybook capture";
  request.hints = result.paths();
  if (state::service_holder(vault.state)) {
    request.text = service::Text::without_full_text;  // the service makes it, and nobody waits
  }
  const auto pass = run_pass(vault, request, settings);
  if (!pass) {
    print(stderr,
          "daybook: captured, but not yet in MEMORY.md: " + base::printable(pass.error().message) +
              ". The next pass makes up for it.\n");
    return false;
  }
  // One that was interrupted later, at the full text, has its MEMORY.md.
  const bool came_to_it = !pass->interrupted || !pass->report.projections.empty();
  return came_to_it && !was_withheld(pass->report);
}

/// Which file, and what to do about it.
Error file_error(Error error, const std::string& path) {
  error.path = path;
  if (error.hint.empty()) {
    error.hint = "Check the path, and that you may read the file.";
  }
  return error;
}

canon::BodySource file_source(const std::string& path) {
  if (path == "-") {
    return stream_standard_input;
  }
  std::error_code unknown;  // a file that is not there is told when it is opened
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, unknown);
  return [real](const canon::TakePiece& take) -> Result<void> {
    auto read = base::stream_file(
        base::real_disk(), real.parent_path().string(), real.filename().string(), take);
    return read ? std::move(read) : file_error(std::move(read).error(), real.string());
  };
}

Result<std::string> read_small_file(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, unknown);
  auto text = base::read_file(
      base::real_disk(), real.parent_path().string(), real.filename().string(), kLargestInput);
  return text ? std::move(text) : file_error(std::move(text).error(), real.string());
}

/// Flags first, then the files that they name, then standard input if nothing was named.
Result<void> gather(CaptureKind kind, Options& options, const Settings& settings) {
  CaptureInput& input = options.input;
  if (!options.summary_file.empty()) {
    TRY_ASSIGN(input.summary, read_small_file(options.summary_file));
  }
  if (!options.text_file.empty()) {
    TRY_ASSIGN(input.text, read_small_file(options.text_file));
  }
  const bool from_files =
      !input.transcript_path.empty() || input.summary.has_value() || !input.text.empty();
  input.session.agent_id = settings.agent;
  if (!from_files) {
    TRY_ASSIGN(const std::string json, read_standard_input());
    TRY(read_capture_json(json, kind, input));
  }
  if (input.session.agent_id.empty()) {
    input.session.agent_id = "default";
  }
  return {};
}

Result<capture::SessionEnd> session_end_of(const CaptureInput& input) {
  capture::SessionEnd end;
  end.session = input.session;
  end.summary = input.summary;
  end.error = input.error;
  TRY_ASSIGN(end.format, read_format(input.transcript_format));
  TRY_ASSIGN(end.status, read_run_status(input.status));
  if (!input.transcript_path.empty() && !input.transcript.empty()) {
    return Error{ErrorKind::usage,
                 "both 'transcript' and 'transcript_path' are given",
                 {},
                 "Give one of the two."};
  }
  if (!input.transcript_path.empty()) {
    end.transcript = file_source(input.transcript_path);
  } else if (!input.transcript.empty()) {
    end.transcript = [&input](const canon::TakePiece& take) { return take(input.transcript); };
  }
  return end;
}

/// A harness that only ever captures must not need anybody else to finish what was cut off.
Result<void> finish_cut_off(const Vault& vault, state::StateDb& state) {
  TRY_ASSIGN(const auto resumed,
             capture::resume_captures(base::real_disk(), vault.state, state, vault.now()));
  for (const std::string& notice : resumed.notices) {
    print(stderr, "daybook: " + base::printable(notice) + "\n");
  }
  return {};
}

using CaptureCall =
    std::function<Result<CaptureResult>(const capture::CapturePlace&, const CaptureInput&)>;

Result<Answer> capture_with(CaptureKind kind,
                            Options& options,
                            const Settings& settings,
                            const CaptureCall& call) {
  const base::Stopwatch stopwatch;
  TRY(gather(kind, options, settings));
  TRY_ASSIGN(const Vault vault, open_vault(settings, state::Create::if_missing));
  TRY_ASSIGN(const auto config, service::load_config(base::real_disk(), vault.workspace));
  TRY_ASSIGN(const auto tools, service::capture_tools(base::real_disk(), vault.workspace, config));
  Answer answer;
  {
    TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
    TRY(finish_cut_off(vault, state));
    const capture::CapturePlace place{base::real_disk(),
                                      vault.state,
                                      state,
                                      tools.policy,
                                      options.no_model ? nullptr : tools.model.get(),
                                      vault.now()};
    TRY_ASSIGN(answer.result, call(place, options.input));
  }
  if (!answer.result.manifest_path.empty() && !options.no_publish) {
    answer.published = publish(vault, answer.result, settings);
  }
  answer.seconds = stopwatch.seconds();
  return answer;
}

int run_capture(CaptureKind kind,
                Options& options,
                const Settings& settings,
                const CaptureCall& call) {
  const auto answer = capture_with(kind, options, settings, call);
  if (!answer) {
    return fail(answer.error(), settings);
  }
  if (answer->result.deed == CaptureDeed::nothing_said) {
    return fail(
        kind == CaptureKind::compaction
            ? Error{ErrorKind::usage,
                    "there is nothing to capture: no text",
                    {},
                    "Give \"text\" in the JSON, or --text FILE."}
            : Error{ErrorKind::usage,
                    "there is nothing to capture: no text in the transcript, and no summary",
                    {},
                    "Give a transcript, a summary, or both."},
        settings);
  }
  print_talk(*answer);
  settings.json ? print_json(to_json(*answer))
                : print_human(*answer, palette_for(stdout, settings.color));
  return answer->result.deed == CaptureDeed::session_removed ? kProblemsFound : kDone;
}

Taker take_time(const char* name, std::optional<lineage::Timestamp>& place) {
  return [name, &place](const std::string& text) -> Result<void> {
    TRY_ASSIGN(place, read_time(name, text));
    return {};
  };
}

void add_session_options(const Command& command, Options& options) {
  capture::CapturedSession& session = options.input.session;
  command.option("--session-id", "ID", session.session_id, "The session's id.");
  command.option("--session-key",
                 "KEY",
                 session.session_key,
                 "A name that outlives ids: with it, the session is known by it.");
  command.option("--project", "PATH", session.project, "Where the session worked.");
  command.option("--harness", "NAME", session.harness, "Which program it ran in.");
  command.option("--started-at",
                 "TIME",
                 take_time("--started-at", session.started_at),
                 "When it began; RFC 3339.");
  command.option("--ended-at", "TIME", take_time("--ended-at", session.ended_at), "When it ended.");
  command.option("--captured-at",
                 "TIME",
                 take_time("--captured-at", session.captured_at),
                 "The time in the files' names; now, if it is not given.");
  command.option("--source-node-id", "ID", session.source_node_id, "Kept as it is.");
  command.option("--idempotency-key",
                 "KEY",
                 session.idempotency_key,
                 "The same key again returns the first result and writes nothing.");
  command.flag("--no-model", options.no_model, "Ask no model, even if one is configured.");
  command.flag("--no-publish",
               options.no_publish,
               "Leave the index and MEMORY.md to the service or the next pass.");
}

void add_session_end(const Command& capture, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = capture.add(
      "session-end",
      "Capture a session that has ended",
      "\nReads one JSON object from standard input, or takes --session-id with --transcript and"
      "\n--summary. Writes transcript, summary and manifest; success means that they are on the"
      "\ndisk. Secrets are redacted before anything is written.");
  add_session_options(command, *options);
  command.option("--transcript",
                 "FILE",
                 options->input.transcript_path,
                 "The transcript: text, or a session file of a harness; - is standard input.");
  command.option(
      "--format", "FORMAT", options->input.transcript_format, "auto, text, claude-code or codex.");
  command.option("--summary", "FILE", options->summary_file, "A summary in markdown.");
  command.option(
      "--status", "STATUS", options->input.status, "completed, failed, interrupted or cancelled.");
  command.option("--error", "TEXT", options->input.error, "What went wrong, if it failed.");
  command.when_given([options, &run] {
    run = [options](const Settings& settings) {
      return run_capture(CaptureKind::session_end,
                         *options,
                         settings,
                         [](const capture::CapturePlace& place,
                            const CaptureInput& input) -> Result<CaptureResult> {
                           TRY_ASSIGN(const auto end, session_end_of(input));
                           return capture::end_session(place, end);
                         });
    };
  });
}

void add_compaction(const Command& capture, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      capture.add("compaction",
                  "Capture the text that a session's context was compacted to",
                  "\nReads one JSON object with \"text\" from standard input, or takes "
                  "--session-id with --text."
                  "\nThe caller may drop its buffer only after this has succeeded.");
  add_session_options(command, *options);
  command.option("--text", "FILE", options->text_file, "The compacted text, in markdown.");
  command.when_given([options, &run] {
    run = [options](const Settings& settings) {
      return run_capture(CaptureKind::compaction,
                         *options,
                         settings,
                         [](const capture::CapturePlace& place, const CaptureInput& input) {
                           return capture::compact_session(place, {input.session, input.text});
                         });
    };
  });
}

}  // namespace

void add_capture(const Command& program, Run& run) {
  const Command capture = program.add("capture", "Write a session into the vault");
  add_session_end(capture, run);
  add_compaction(capture, run);
  add_drain(capture, run);
}

}  // namespace daybook::cli

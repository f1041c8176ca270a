// SPDX-License-Identifier: MIT
#include "cli/status_page.hpp"

#include "cli/embedding.hpp"
#include "cli/reading.hpp"
#include "cli/service_health.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"

namespace daybook::cli {
namespace {

using service::StatusReport;

/// Those that there are, most wanted first.
std::string learnings_words(const index::LearningCounts& learnings) {
  std::string words;
  const auto add = [&words](std::uint64_t count, std::string_view what) {
    if (count > 0) {
      words.append(words.empty() ? "" : ", ").append(grouped(count)).append(" ").append(what);
    }
  };
  for (std::size_t i = 0; i < learnings.by_status.size(); ++i) {
    add(learnings.by_status[i], lineage::kLearningStatusNames[i]);
  }
  add(learnings.invalid, "invalid");
  add(learnings.duplicates, "with the learning_id of another");
  return words;
}

/// What a reason means and what to do, for people.
std::string explain(const std::string& reason, const StatusPlace& place) {
  namespace degraded = service::degraded;
  if (place.holder && reason == degraded::kIndexStale) {
    return "the files have changed since; the service follows by itself";
  }
  if (place.holder && reason == degraded::kFullTextBehind) {
    return "the full text is older than the index; the service is making it";
  }
  static const std::vector<std::pair<std::string_view, const char*>> kWords{
      {degraded::kMemoryMdContested,
       "another program keeps replacing MEMORY.md; end it, then 'daybook render --take-over'"},
      {degraded::kClock,
       "the clock is more than a day behind the last publication; set it, or 'daybook render "
       "--take-over' if it is right"},
      {degraded::kErasurePending,
       "removed text is not yet wiped from the state; 'daybook reindex'"},
      {degraded::kUnfinishedRemoval, "a removal was cut off; 'daybook reindex' finishes it"},
      {degraded::kUnfinishedCapture,
       "a capture was cut off or is not yet in MEMORY.md; 'daybook reindex' finishes it"},
      {degraded::kIndexMissing, "there is no index; 'daybook reindex' makes it"},
      {degraded::kIndexDamaged, "the index cannot be read; 'daybook reindex' makes it anew"},
      {degraded::kIndexStale, "the files have changed since; 'daybook reindex'"},
      {degraded::kFullTextBehind, "the full text is older than the index; 'daybook reindex'"},
      {degraded::kEmbeddingModel,
       "the vectors are of another model than daybook.yaml names; 'daybook reindex --reembed'"},
      {degraded::kStateMissing, "state.db is gone; 'daybook reindex' makes it anew"},
      {degraded::kStateBusy, "state.db cannot be asked now"},
      {degraded::kVaultUnreadable, "memory/ cannot be listed; is the vault mounted?"},
      {daemon::degraded::kPolling,
       "events cannot be relied on, so every file is looked at every few seconds; 'daybook doctor' "
       "says why"},
      {daemon::degraded::kVaultAway,
       "memory/ is not there; what is known is kept, and the service goes on when it is back"},
      {daemon::degraded::kVaultEmptied,
       "memory/ is another folder than before and has no note; mount or restore it, or 'daybook "
       "reindex' if it is meant to be empty"},
      {daemon::degraded::kPassFailed, "the last pass failed; it is tried again"},
      {daemon::degraded::kConfigError,
       "daybook.yaml cannot be read, so the former settings hold; 'daybook config check'"},
      {kNoAnswer, "the service holds its lock but does not answer; 'daybook service stop'"}};
  for (const auto& [name, words] : kWords) {
    if (name == reason) {
      return words;
    }
  }
  return {};
}

class Page {
 public:
  explicit Page(const Palette& colors) : colors_(colors) {}

  void line(const char* name, const std::string& value) {
    char label[16];
    std::snprintf(label, sizeof label, "%-11s", name);
    text_.append(colors_.dim).append(label).append(colors_.reset).append(value).append("\n");
  }
  void alarm(const char* name, const std::string& value) {
    line(name, std::string(colors_.red).append(value).append(colors_.reset));
  }
  const std::string& text() const { return text_; }

 private:
  Palette colors_;
  std::string text_;
};

std::string freshness_words(const StatusReport& report) {
  if (!report.freshness) {
    return "not known";
  }
  if (report.fresh()) {
    return "yes";
  }
  const service::Freshness& found = *report.freshness;
  std::string text = "no: " + grouped(found.added) + " new, " + grouped(found.changed) +
                     " changed, " + grouped(found.removed) + " gone";
  return found.links_changed ? text + ", links lead elsewhere" : text;
}

void add_projections(Page& page, const StatusReport& report, const parse::Config& config) {
  for (const service::ProjectionStatus& projection : report.projections) {
    std::string value = base::printable(projection.path) + ": " + counted(projection.rows, "row") +
                        ", " + grouped(projection.bytes) + " of " + grouped(config.max_bytes) +
                        " bytes, " + grouped(projection.lines) + " of " +
                        grouped(config.max_lines) + " lines";
    if (projection.clipped > 0) {
      value += ", " + grouped(projection.clipped) + " clipped";
    }
    page.line("projection", value + (projection.published ? "" : " (the file differs)"));
  }
}

void add_captures(Page& page, const StatusReport& report) {
  constexpr std::size_t kMostShown = 5;
  const service::SpoolCounts& spool = report.spool;
  if (spool.captures + spool.hooks + spool.snapshots > 0) {
    page.line("spool",
              counted(spool.hooks, "hook") + ", " + counted(spool.captures, "capture") + ", " +
                  counted(spool.snapshots, "snapshot") +
                  (spool.hooks > 0 ? "; the service or 'daybook capture drain' takes them" : ""));
  }
  if (report.redacted_secrets + report.redacted_pii > 0) {
    page.line("redacted",
              counted(report.redacted_secrets, "secret") + " and " +
                  counted(report.redacted_pii, "personal detail") + " in what was captured here");
  }
  for (std::size_t i = 0; i < std::min(report.captures.size(), kMostShown); ++i) {
    const service::UnfinishedCapture& capture = report.captures[i];
    page.alarm("capture",
               capture.state + ": " + capture.session_token + " (" + capture.kind + ", since " +
                   lineage::to_string(capture.since) + ")");
  }
  if (report.captures.size() > kMostShown) {
    page.line("", "and " + grouped(report.captures.size() - kMostShown) + " more");
  }
}

void add_embeddings(Page& page, const service::EmbeddingStatus& status) {
  if (!status.configured) {
    return;
  }
  page.line("embeddings", in_words(status));
  if (!status.last_error.empty()) {
    page.alarm("", base::printable(status.last_error));
  }
}

void add_run_memory(Page& page, const StatusReport& report) {
  const service::RunMemoryStatus& memory = report.run_memory;
  if (memory.counts.runs > 0 || !memory.policy.enabled) {
    page.line("run memory",
              !memory.policy.enabled ? "off; 'daybook policy set enabled=true' turns it on"
                                     : counted(memory.counts.runs, "run") + " of " +
                                           counted(memory.counts.sessions, "session") + ", " +
                                           grouped(memory.counts.stale) + " beyond the policy; " +
                                           grouped(memory.metrics.injected) + " told");
  }
  if (memory.maintenance && memory.maintenance->failed()) {
    page.alarm("run memory", "its last maintenance failed; 'daybook reindex' tries again");
  }
}

std::string service_words(const StatusPlace& place) {
  if (!place.holder) {
    return "not running; 'daybook watch' or 'daybook service install' starts it";
  }
  if (!place.health) {
    return place.holder->note + ", which does not answer";
  }
  const daemon::Health& health = *place.health;
  std::string text(daemon::to_string(health.state));
  text += ", pid " + std::to_string(health.pid) + ", " + health.backend;
  if (!health.trouble.empty()) {
    text += " (" + base::printable(health.trouble) + ")";
  }
  text += ", " + counted(health.folders, "folder");
  if (health.state == daemon::State::working && health.files_total > 0) {
    text += ", file " + grouped(health.files_done) + " of " + grouped(health.files_total);
  }
  return text;
}

void add_service(Page& page, const StatusPlace& place) {
  page.line("service", service_words(place));
  if (!place.health) {
    return;
  }
  const daemon::Health& health = *place.health;
  const auto time = [](const std::optional<lineage::Timestamp>& at) {
    return at ? lineage::to_string(*at) : std::string("never");
  };
  page.line("events",
            grouped(health.events) + ", the last " + time(health.last_event) + ", " +
                grouped(health.queue) + " waiting");
  page.line("passes",
            grouped(health.narrow_passes) + " small, " + counted(health.sweeps, "sweep") + ", " +
                grouped(health.rescans) + " after doubt, " + grouped(health.overflows) +
                " overflows, " + grouped(health.deaf) + " times deaf, " + grouped(health.failures) +
                " failed");
  page.line("published",
            grouped(health.publications) + ", the last " + time(health.last_publication));
  if (!health.last_error.empty()) {
    page.alarm("trouble", base::printable(health.last_error));
  }
}

}  // namespace

std::optional<lineage::Timestamp> last_sweep(const StatusReport& report, const StatusPlace& place) {
  return place.health && place.health->last_sweep ? place.health->last_sweep : report.last_sweep;
}

void print_status_page(const StatusReport& report,
                       const StatusPlace& place,
                       const Settings& settings) {
  Page page(palette_for(stdout, settings.color));
  page.line("workspace", base::printable(place.workspace));
  page.line("state", base::printable(place.state_dir) + (place.indexed ? "" : " (not there yet)"));
  if (!place.indexed) {
    page.line("index", "none: this workspace was never indexed; 'daybook reindex' indexes it");
    print(stdout, page.text());
    return;
  }
  page.line("device", place.device);
  add_service(page, place);
  page.line("fresh", freshness_words(report));
  const auto swept = last_sweep(report, place);
  page.line("swept", swept ? lineage::to_string(*swept) : "never");
  page.line("index",
            counted(report.artifacts, "artifact") + ", " + counted(report.sessions, "session") +
                ", generation " + std::to_string(report.generation));
  if (report.learnings.notes() > 0) {
    page.line("learnings", learnings_words(report.learnings));
  }
  page.line("findings",
            counted(report.diagnostics.errors, "error") + ", " +
                counted(report.diagnostics.warnings, "warning") + ", " +
                counted(report.diagnostics.infos, "info"));
  for (const service::InvalidFile& file : report.invalid_files) {
    page.alarm("invalid", base::printable(file.path) + " [" + file.code + "]");
  }
  if (report.invalid > report.invalid_files.size()) {
    page.line("", "and " + grouped(report.invalid - report.invalid_files.size()) + " more");
  }
  add_projections(page, report, place.config);
  page.line("on disk",
            grouped(report.index_bytes) + " bytes index, " + grouped(report.text_bytes) +
                " full text, " + grouped(report.state_bytes) + " state");
  add_embeddings(page, report.embeddings);
  page.line("removals", grouped(report.removals) + " in force");
  page.line("telemetry", "of " + counted(report.telemetry, "session"));
  add_run_memory(page, report);
  add_captures(page, report);
  if (report.pipeline_holder) {
    page.line("at work", base::printable(*report.pipeline_holder));
  }
  if (report.lease_holder) {
    page.line("publishing", base::printable(*report.lease_holder));
  }
  for (const std::string& reason : report.degraded) {
    page.alarm("degraded", reason + ": " + explain(reason, place));
  }
  print(stdout, page.text());
  for (const std::string& notice : report.notices) {
    say(settings, notice);
  }
}

}  // namespace daybook::cli

// SPDX-License-Identifier: MIT
#include "session_files.hpp"

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "frontmatter_text.hpp"
#include "prose.hpp"
#include "random.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace daybook::bench {
namespace {

using lineage::Kind;

constexpr std::string_view kLedger = "Session Ledger (Last 30 Days)";
constexpr std::int64_t kWindow = std::int64_t{30} * 24 * 60 * 60 * 1'000;
// Summaries and compactions vary less than transcripts: from half to one and a half times this.
constexpr std::uint32_t kSummaryBytes = 2'000;
constexpr std::uint32_t kCompactionBytes = 1'500;

std::size_t about(std::uint32_t bytes, Random& random) {
  return random.between(bytes / 2, bytes / 2 * 3);
}

/// Sizes are spread as in real vaults: many small, few large, a rare one of 38 times the average.
/// In percent; together they average 100.
std::size_t spread(std::size_t average, Random& random) {
  constexpr std::array<std::uint32_t, 20> kPercent{8,  11, 14, 18,  22,  27,  32,  38,  45,  53,
                                                   62, 73, 86, 101, 120, 145, 180, 235, 330, 220};
  const std::uint32_t percent = random.below(400) == 0 ? 3'800 : random.pick(kPercent);
  return average * percent / 100;
}

/// The files of one session in the making.
class SessionWriter {
 public:
  SessionWriter(const VaultPlan& plan, std::uint32_t number, const SessionOutline& outline)
      : plan_(plan),
        number_(number),
        outline_(outline),
        random_(plan.seed, stream_of(number, Use::links)),
        prose_(Random{plan.seed, stream_of(number, Use::text)}, outline.project_name()) {}

  std::vector<GeneratedFile> write() {
    if (outline_.compaction) {
      const std::string sentence = prose_.memory_sentence();
      artifact(Kind::compaction,
               *outline_.compaction,
               sentence,
               prose_.compaction(about(kCompactionBytes, random_)));
    }
    for (const Capture& ending : outline_.endings) {
      const std::string sentence = prose_.memory_sentence();
      const std::size_t transcript_bytes = spread(plan_.transcript_bytes, random_);
      artifact(Kind::transcript, ending, sentence, prose_.transcript(transcript_bytes));
      const std::vector<std::string> links = links_to_earlier();
      const std::size_t summary_bytes = about(kSummaryBytes, random_);
      artifact(Kind::summary, ending, sentence, prose_.summary(summary_bytes, links));
    }
    manifest();
    std::sort(files_.begin(), files_.end(), [](const GeneratedFile& a, const GeneratedFile& b) {
      return a.path < b.path;
    });
    return std::move(files_);
  }

 private:
  void artifact(Kind kind, const Capture& capture, const std::string& sentence, std::string body);
  void manifest();
  void identity(FrontmatterText& front, Kind kind, lineage::Timestamp captured_at) const;
  void signet_manifest_fields(FrontmatterText& front, const std::string& body) const;
  std::vector<std::string> links_to_earlier();
  std::vector<std::string> projections() const;
  std::string manifest_body() const;

  const VaultPlan& plan_;
  std::uint32_t number_;
  const SessionOutline& outline_;
  Random random_;
  Prose prose_;
  std::vector<GeneratedFile> files_;
  std::map<Kind, std::vector<std::size_t>> by_kind_;  // indexes into files_, oldest first
};

void SessionWriter::identity(FrontmatterText& front,
                             Kind kind,
                             lineage::Timestamp captured_at) const {
  const lineage::SessionFields& session = outline_.session;
  front.word("kind", lineage::to_string(kind));
  front.word("agent_id", session.agent_id);
  front.text("session_id", session.session_id);
  front.text_or_null("session_key", session.session_key);
  front.text("project", session.project);
  front.word("harness", session.harness);
  front.time("captured_at", captured_at);
}

void SessionWriter::artifact(Kind kind,
                             const Capture& capture,
                             const std::string& sentence,
                             std::string body) {
  if (!lineage::sentence_flaws(sentence, {outline_.session.project, {}}).empty()) {
    std::fprintf(stderr, "vault generator: a sentence fails the gate: %s\n", sentence.c_str());
    std::abort();
  }
  body.erase(body.find_last_not_of('\n') + 1);
  body += '\n';

  FrontmatterText front{plan_.form};
  identity(front, kind, capture.captured_at);
  front.time("started_at", capture.started_at);
  front.time("ended_at", capture.ended_at);
  front.text("manifest_path", outline_.manifest_path());
  front.text_or_null("source_node_id", {});
  front.text("content_sha256", base::to_hex(lineage::body_hash(body)));
  front.word("hash_scope", lineage::kHashScope);
  front.text("memory_sentence", sentence);
  front.word("memory_sentence_version", "memory_sentence_v1");
  front.word("memory_sentence_quality", random_.below(32) == 0 ? "fallback" : "ok");
  front.time("memory_sentence_generated_at", capture.captured_at);
  if (kind == Kind::transcript) {
    front.word("sanitizer_version", "sanitize_transcript_v1");
  }
  by_kind_[kind].push_back(files_.size());
  files_.push_back({outline_.path(kind, capture.captured_at), std::move(front).with_body(body)});
}

/// To summaries of the same agent, mostly recent ones. None for the first sessions of a vault.
std::vector<std::string> SessionWriter::links_to_earlier() {
  std::vector<std::string> links;
  if (number_ == 0 || !random_.chance(plan_.linked)) {
    return links;
  }
  for (std::uint32_t tries = random_.between(1, 3); tries > 0; --tries) {
    const std::uint32_t back = random_.below(random_.between(1, std::min(number_, 500U)));
    const SessionOutline earlier = outline_session(plan_, number_ - 1 - back);
    if (earlier.session.agent_id == outline_.session.agent_id) {
      links.push_back("[[" + earlier.path(Kind::summary, earlier.endings.front().captured_at) +
                      '|' + prose_.label() + "]]");
    }
  }
  return links;
}

std::vector<std::string> SessionWriter::projections() const {
  const Capture& last = outline_.endings.back();
  const lineage::Timestamp membership = last.ended_at.value_or(last.captured_at);
  if (outline_.noise || membership.ms < plan_.now.ms - kWindow) {
    return {};
  }
  if (plan_.form == VaultForm::signet) {
    return {std::string{kLedger}};
  }
  const std::string& agent = outline_.session.agent_id;
  const std::string folder = agent == "default" ? "" : "agents/" + agent + '/';
  return {folder + "MEMORY.md#" + std::string{kLedger}};
}

std::string SessionWriter::manifest_body() const {
  std::string body = "# Session of " + lineage::to_day(outline_.session.captured_at) + "\n\n";
  for (const auto& [kind, indexes] : by_kind_) {
    for (const std::size_t index : indexes) {
      body += "- [[" + files_[index].path + '|' + std::string{lineage::to_string(kind)} + "]]\n";
    }
  }
  return body;
}

void SessionWriter::signet_manifest_fields(FrontmatterText& front, const std::string& body) const {
  front.time("started_at", outline_.endings.front().started_at);
  front.time("ended_at", outline_.endings.front().ended_at);
  front.text("summary_status", "complete");
  front.text("transcript_status", "complete");
  front.text("canonical_transcript_path",
             "memory/" + outline_.session.harness + "/transcripts/transcript.jsonl");
  front.text("content_sha256", base::to_hex(lineage::body_hash(body)));
  front.text("hash_scope", lineage::kHashScope);
}

void SessionWriter::manifest() {
  const std::string body = manifest_body();
  FrontmatterText front{plan_.form};
  identity(front, Kind::manifest, outline_.session.captured_at);
  std::vector<std::string> earlier;
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction}) {
    const std::vector<std::size_t>& indexes = by_kind_[kind];
    const std::string name{lineage::to_string(kind)};
    front.text_or_null(name + "_path", indexes.empty() ? "" : files_[indexes.back()].path);
    if (outline_.sealed) {
      front.text_or_null(
          name + "_sha256",
          indexes.empty() ? "" : base::to_hex(lineage::file_seal(files_[indexes.back()].bytes)));
    }
    for (std::size_t i = 0; i + 1 < indexes.size(); ++i) {
      earlier.push_back(files_[indexes[i]].path);
    }
  }
  if (!earlier.empty()) {
    front.list("earlier_paths", earlier);
  }
  const std::vector<std::string> refs = projections();
  front.list("memory_md_refs", refs);
  front.time("updated_at", outline_.updated_at);
  // Bringing the references up to date was one more writing.
  front.number("revision", outline_.revision + refs.size());
  if (plan_.form == VaultForm::signet) {
    signet_manifest_fields(front, body);
  } else {
    front.text("device", base::to_hex(base::sha256("device")).substr(0, 16));
  }
  files_.push_back({outline_.manifest_path(), std::move(front).with_body(body)});
}

}  // namespace

std::vector<GeneratedFile> session_files(const VaultPlan& plan,
                                         std::uint32_t number,
                                         const SessionOutline& outline) {
  return SessionWriter{plan, number, outline}.write();
}

}  // namespace daybook::bench

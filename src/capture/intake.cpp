// SPDX-License-Identifier: MIT
#include "capture/intake.hpp"

#include "daybook/base/safety.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::capture {
namespace {

constexpr std::size_t kEnding = std::size_t{16} * 1024;
constexpr std::size_t kIdHashLetters = 16;
constexpr std::uint64_t kRoomForFrontmatter = 64ULL * 1024;
/// A text that was cut may end within a secret that is then not recognised; none is longer.
constexpr std::size_t kUnsureTail = std::size_t{4} * 1024;

/// Raw pieces -> markdown -> sanitised text -> spool and hash.
class TranscriptStream {
 public:
  TranscriptStream(std::optional<harness::Format> format,
                   const redact::Policy& policy,
                   SpoolWriter& spool)
      : format_(format), policy_(policy), sanitizer_(policy), spool_(spool) {}

  Result<void> take(std::string_view piece) {
    if (renderer_) {
      renderer_->feed(piece, markdown_);
      return pass_on();
    }
    unrecognised_.append(piece);
    if (format_ || unrecognised_.size() >= harness::kRecognisedBytes) {
      return begin();
    }
    return {};
  }

  Result<void> finish() {
    TRY(begin());
    renderer_->finish(markdown_);
    TRY(pass_on());
    sanitizer_.finish(clean_);
    return keep();
  }

  TakenTranscript& taken() { return taken_; }
  const redact::Report& report() const { return sanitizer_.report(); }
  const harness::SessionOutline& outline() const { return renderer_->outline(); }
  base::Digest hash() { return hasher_.finish(); }

 private:
  Result<void> begin() {
    if (renderer_) {
      return {};
    }
    renderer_.emplace(format_ ? *format_ : harness::recognise(unrecognised_),
                      [this](std::string_view text) { return redact::sanitize(text, policy_); });
    renderer_->feed(std::exchange(unrecognised_, {}), markdown_);
    return pass_on();
  }

  Result<void> pass_on() {
    sanitizer_.feed(markdown_, clean_);
    markdown_.clear();
    return keep();
  }

  Result<void> keep() {
    hasher_.update(clean_);
    taken_.bytes += clean_.size();
    if (taken_.bytes > scan::kLargestTranscript - kRoomForFrontmatter) {
      return Error{ErrorKind::usage,
                   "the transcript is larger than 1 GiB",
                   {},
                   "A file of that size would be no valid note; capture the session in parts."};
    }
    const std::size_t room = kBeginning - std::min(taken_.beginning.size(), kBeginning);
    taken_.beginning.append(clean_, 0, room);
    if (clean_.size() > room) {
      taken_.ending.append(clean_,
                           std::max(room, clean_.size() - std::min(clean_.size(), kEnding)));
      if (taken_.ending.size() > kEnding) {
        taken_.ending.erase(0, taken_.ending.size() - kEnding);
      }
    }
    auto written = spool_.write(clean_);
    clean_.clear();
    return written;
  }

  std::optional<harness::Format> format_;
  const redact::Policy& policy_;
  std::string unrecognised_;
  std::optional<harness::TranscriptRenderer> renderer_;
  std::string markdown_;
  redact::Sanitizer sanitizer_;
  std::string clean_;
  SpoolWriter& spool_;
  lineage::BodyHasher hasher_;
  TakenTranscript taken_;
};

/// Without the word at the end of a text that was cut at `most` bytes: it may be half of a secret.
std::string without_cut_word(std::string text, std::size_t most) {
  constexpr std::size_t kLongestCharacter = 4;
  if (base::keeps(base::Safety::redaction_before_cut) && text.size() + kLongestCharacter > most) {
    const std::size_t end = text.find_last_of(" \t\n\r");
    text.resize(end == std::string::npos ? 0 : end);
  }
  return text;
}

/// Texts of an outline were cut while they were raw.
std::string take_cut_text(const std::string& raw,
                          const redact::Policy& policy,
                          IntakeCounts& counts) {
  std::string text = take_text(without_cut_word(raw, harness::kOutlineTextBytes), policy, counts);
  constexpr std::size_t kCutFrom = harness::kOutlineTextBytes - 4;
  if (base::keeps(base::Safety::redaction_before_cut) && raw.size() >= kCutFrom &&
      text.size() > kUnsureTail) {
    text.resize(text.size() - kUnsureTail);
    while (!text.empty() && base::continues_character(text.back())) {
      text.pop_back();
    }
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0U) {
      text.pop_back();
    }
  }
  return text;
}

harness::SessionOutline clean_outline(harness::SessionOutline outline,
                                      const redact::Policy& policy) {
  IntakeCounts counted_already;  // the same texts stand in the transcript
  for (std::string* text :
       {&outline.request, &outline.last_outcome, &outline.compact_summary, &outline.error}) {
    *text = take_cut_text(*text, policy, counted_already);
  }
  for (std::string* field :
       {&outline.project, &outline.harness, &outline.model, &outline.git_branch, &outline.title}) {
    *field =
        take_field(without_cut_word(*field, harness::kOutlineNameBytes), policy, counted_already);
  }
  for (std::string& name : outline.touched) {
    name = take_field(without_cut_word(name, harness::kOutlineNameBytes), policy, counted_already);
  }
  return outline;
}

/// Lines on which a link would be found.
std::set<std::uint32_t> lines_with_links(std::string_view body) {
  std::set<std::uint32_t> lines;
  parse::find_wikilinks(body, [&lines](const parse::Wikilink& link) { lines.insert(link.line); });
  return lines;
}

/// The brackets apart, so that no reader of either kind sees a link.
std::string without_links(std::string body) {
  if (body.find("[[") == std::string::npos) {
    return body;
  }
  const auto lines = lines_with_links(body);
  if (lines.empty()) {
    return body;
  }
  std::string out;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < body.size(); ++at) {
    out.push_back(body[at]);
    if (body[at] == '\n') {
      ++line;
    } else if (body[at] == '[' && at + 1 < body.size() && body[at + 1] == '[' &&
               lines.contains(line)) {
      out.push_back(' ');
    }
  }
  return out;
}

}  // namespace

void IntakeCounts::add(const redact::Report& report) {
  secrets += report.secrets;
  pii += report.pii;
  replaced_bytes += report.replaced_bytes;
}

Result<TakenTranscript> take_transcript(const canon::BodySource& raw,
                                        std::optional<harness::Format> format,
                                        const redact::Policy& policy,
                                        SpoolWriter& spool,
                                        IntakeCounts& counts) {
  TranscriptStream stream(format, policy, spool);
  TRY(raw([&stream](std::string_view piece) { return stream.take(piece); }));
  TRY(stream.finish());
  TakenTranscript taken = std::move(stream.taken());
  taken.sha256 = stream.hash();
  taken.outline = clean_outline(stream.outline(), policy);
  counts.add(stream.report());
  counts.replaced_bytes += taken.outline.replaced_bytes;
  return taken;
}

std::string take_text(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts) {
  redact::Report report;
  std::string text = redact::sanitize(raw, policy, &report);
  counts.add(report);
  return text;
}

std::string take_body(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts) {
  return without_links(take_text(raw, policy, counts));
}

std::string take_field(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts) {
  std::string text = take_text(raw, policy, counts);
  if (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text;
}

std::string take_id(std::string_view raw, const redact::Policy& policy, IntakeCounts& counts) {
  IntakeCounts found;
  std::string text = take_field(raw, policy, found);
  counts.secrets += found.secrets;
  counts.pii += found.pii;
  counts.replaced_bytes += found.replaced_bytes;
  if (found.secrets + found.pii == 0) {
    return text;
  }
  return "redacted-" + base::to_hex(base::sha256(raw)).substr(0, kIdHashLetters);
}

}  // namespace daybook::capture

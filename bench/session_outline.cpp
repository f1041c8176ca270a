// SPDX-License-Identifier: MIT
#include "session_outline.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "random.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace daybook::bench {
namespace {

constexpr std::int64_t kSecond = 1'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kDay = 24 * 60 * kMinute;
// Room for a resumption and a compaction after the last session's end, all of it before `now`.
constexpr std::int64_t kQuietBeforeNow = 10 * kMinute;

constexpr std::uint32_t kProjects = 40;
constexpr std::array<std::string_view, 4> kHarnesses{
    "claude-code", "codex", "opencode", "gemini-cli"};
constexpr std::array<std::string_view, 3> kNoiseRoots{"/tmp/", "/var/tmp/", "/tmp/scratch/"};

lineage::Timestamp after(lineage::Timestamp time, std::int64_t ms) { return {time.ms + ms}; }

std::string hex(Random& random, std::size_t digits) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < digits; ++i) {
    text += kHex[random.below(16)];
  }
  return text;
}

// One draw a statement, here and wherever text is made: compilers may evaluate the operands of one
// expression in any order.
std::string uuid(Random& random) {
  std::string text = hex(random, 32);
  text[12] = '4';
  text[16] = 'a';
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) {
    text.insert(dash, 1, '-');
  }
  return text;
}

/// A few projects have most of the sessions.
std::string project(Random& random, bool noise) {
  if (noise) {
    const std::string_view root = random.pick(kNoiseRoots);
    return std::string{root} + "run-" + hex(random, 6);
  }
  const std::uint32_t which = random.below(random.between(1, kProjects));
  return "/home/ada/code/" + std::string{Vocabulary::instance().word(1'000 + which * 7)} + '-' +
         std::string{Vocabulary::instance().word(400 + which)};
}

void identify(lineage::SessionFields& session, VaultForm form, Random& random) {
  const std::string id = uuid(random);
  const std::string suffix = hex(random, 16);
  if (form == VaultForm::signet) {
    session.session_id = "session-end:" + id + ':' + suffix;
    session.session_key = id;
    return;
  }
  session.session_id = id;
  // Some harnesses know no key; the session then goes by its id.
  session.session_key = random.below(16) == 0 ? "" : session.harness + ':' + suffix;
}

/// Sessions follow each other, each somewhere in its own slot of the span.
Capture first_ending(const VaultPlan& plan, std::uint32_t number, Random& random) {
  const std::int64_t span = plan.days * kDay - kQuietBeforeNow;
  const std::int64_t slot = std::max<std::int64_t>(span / plan.sessions, 1);
  const lineage::Timestamp begin{plan.now.ms - plan.days * kDay + number * span / plan.sessions};
  const lineage::Timestamp ended =
      after(begin, random.below(static_cast<std::uint32_t>(std::min(slot, kDay))));
  const std::int64_t lasted = kMinute + random.below(3 * 60 * kMinute);

  Capture capture;
  capture.captured_at = after(ended, random.between(150, 1'500));
  if (random.below(32) != 0) {
    capture.started_at = after(ended, -lasted);
  }
  if (random.below(50) != 0) {
    capture.ended_at = ended;
  }
  return capture;
}

/// Within two days, but before `now`.
Capture second_ending(const VaultPlan& plan, const Capture& first, Random& random) {
  const std::int64_t room = plan.now.ms - first.captured_at.ms - 4 * kMinute;
  const std::int64_t gap =
      2 * kMinute + random.below(static_cast<std::uint32_t>(std::min(room, 2 * kDay)));
  Capture capture;
  capture.started_at = after(first.captured_at, gap - kMinute);
  capture.ended_at = after(first.captured_at, gap);
  capture.captured_at = after(*capture.ended_at, random.between(150, 1'500));
  return capture;
}

/// Either while the session ran (then the manifest is named after it), or soon after its end.
Capture compaction_of(const Capture& ending, Random& random) {
  Capture capture;
  capture.started_at = ending.started_at;
  const bool during = random.below(2) == 0;
  const std::int64_t distance = kSecond + random.below(50 * kSecond);
  capture.captured_at = after(ending.captured_at, during ? -distance - 2 * kSecond : distance);
  return capture;
}

}  // namespace

std::uint64_t stream_of(std::uint32_t number, Use use) {
  return std::uint64_t{number} * 4 + static_cast<std::uint64_t>(use);
}

SessionOutline outline_session(const VaultPlan& plan, std::uint32_t number) {
  Random random{plan.seed, stream_of(number, Use::outline)};
  SessionOutline outline;
  outline.noise = random.chance(plan.noise);
  outline.sealed = random.chance(plan.sealed) && plan.form == VaultForm::daybook;
  const bool compacted = random.chance(plan.compactions);
  const bool resumed = random.chance(plan.resumed);

  lineage::SessionFields& session = outline.session;
  // The first sessions go round, so that no agent stays without one.
  const std::uint32_t drawn = random.below(plan.agents);
  session.agent_id = agent_name(number < plan.agents ? number : drawn);
  session.harness = random.pick(kHarnesses);
  session.project = project(random, outline.noise);
  identify(session, plan.form, random);
  const bool by_id = plan.form == VaultForm::signet;
  outline.token = lineage::SessionToken::derive(
      session.agent_id,
      by_id ? session.session_id
            : lineage::session_identity(session.session_key, session.session_id));

  outline.endings.push_back(first_ending(plan, number, random));
  session.captured_at = outline.endings.front().captured_at;
  outline.updated_at = session.captured_at;
  if (compacted) {
    outline.compaction = compaction_of(outline.endings.front(), random);
    session.captured_at = std::min(session.captured_at, outline.compaction->captured_at);
    outline.updated_at = std::max(outline.updated_at, outline.compaction->captured_at);
    ++outline.revision;
  }
  if (resumed) {
    outline.endings.push_back(second_ending(plan, outline.endings.front(), random));
    outline.updated_at = std::max(outline.updated_at, outline.endings.back().captured_at);
    ++outline.revision;
  }
  outline.updated_at = after(outline.updated_at, random.between(5, 90));
  return outline;
}

std::string SessionOutline::path(lineage::Kind kind, lineage::Timestamp captured_at) const {
  return "memory/" + lineage::to_string(lineage::ArtifactName{token, captured_at, kind});
}

std::string SessionOutline::project_name() const {
  return session.project.substr(session.project.rfind('/') + 1);
}

}  // namespace daybook::bench

// SPDX-License-Identifier: MIT
#include "daybook/projection/publisher.hpp"

#include "daybook/base/atomic_file.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/projection/memory_md.hpp"
#include "projection/published_file.hpp"

#include <algorithm>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace daybook::projection {
namespace {

using lineage::Timestamp;

constexpr std::int64_t kMostClockLagMs = 24LL * 60 * 60 * 1000;
// Somebody may write the file between our look and our rename: then we look again.
constexpr int kAttempts = 3;
constexpr std::size_t kHashLetters = 16;

/// `2026-….Z-<hash>-agents-x-MEMORY.md`: when, what, and from where.
std::string copy_suffix(const FoundFile& found, const std::string& relative) {
  std::string suffix("-");
  suffix.append(base::to_hex(found.sha256).substr(0, kHashLetters)).append("-").append(relative);
  std::replace(suffix.begin(), suffix.end(), '/', '-');
  return suffix;
}

/// The copy of the same bytes that an earlier attempt has made; else empty. Without it a vault that
/// cannot be written would fill the state folder with copies.
Result<std::string> earlier_copy(const std::string& folder_path, std::string_view suffix) {
  std::string found;
  TRY_ASSIGN(const auto folder, base::real_disk().open_root(folder_path));
  TRY(folder->list([&found, suffix](std::string_view name, base::EntryType) {
    if (name.ends_with(suffix)) {
      found = name;
    }
  }));
  return found.empty() ? found : std::string(folder_path).append("/").append(found);
}

/// The full path of the copy; empty when the file was written to meanwhile.
Result<std::string> keep_copy(const state::StateFolder& folder,
                              const PublishedFile& place,
                              const FoundFile& found,
                              const std::string& relative,
                              Timestamp now) {
  TRY_ASSIGN(const std::string replaced, folder.make_private_folder("replaced"));
  const std::string suffix = copy_suffix(found, relative);
  TRY_ASSIGN(std::string copy, earlier_copy(replaced, suffix));
  if (copy.empty()) {
    copy.append(replaced).append("/").append(lineage::to_file_string(now)).append(suffix);
    TRY_ASSIGN(const base::Digest copied,
               place.copy_to(copy).in_context("keeping a copy of what is to be replaced"));
    if (copied != found.sha256) {
      ::unlink(copy.c_str());
      copy.clear();
    }
  }
  return copy;
}

}  // namespace

/// One publication on its way.
struct Publisher::Work {
  const Projection& projection;
  state::Lease& lease;
  PublishedFile place;
  base::Digest sha256;
  std::optional<FoundFile> found = std::nullopt;
  PublishOutcome outcome = {};
  Result<std::optional<std::int64_t>> last_number = std::optional<std::int64_t>();
  bool changed_meanwhile = false;
  bool renamed = false;

  std::optional<FileMark> mark() const { return found ? std::optional(found->mark) : std::nullopt; }
};

Publisher::Publisher(std::string workspace,
                     const state::StateFolder& folder,
                     state::StateDb& state,
                     const base::Clock& clock,
                     PublishObserver observer)
    : workspace_(std::move(workspace)),
      folder_(folder),
      state_(state),
      clock_(clock),
      observer_(std::move(observer)) {}

void Publisher::step(PublishStep at) const {
  if (observer_) {
    observer_(at);
  }
}

Result<PublishOutcome> Publisher::publish(const Projection& projection, state::Lease& lease) {
  TRY_ASSIGN(const auto wait, reason_to_wait(projection));
  if (wait) {
    return PublishOutcome{*wait, {}, std::nullopt};
  }
  TRY_ASSIGN(auto place, PublishedFile::open(workspace_, projection.path));
  Work work{projection, lease, std::move(place), base::sha256(projection.bytes)};
  for (int tried = 0; tried < kAttempts; ++tried) {
    work.changed_meanwhile = false;
    auto outcome = attempt(work);
    if (!work.changed_meanwhile) {
      return outcome;
    }
  }
  return Error{ErrorKind::busy,
               "cannot publish: another program keeps writing this file",
               work.place.path(),
               "End that program, or let it write somewhere else."};
}

/// Trouble with state.db is no reason not to publish: what it would say is then not known, and the
/// announcement that fails next tells of it.
Result<std::optional<PublishState>> Publisher::reason_to_wait(const Projection& projection) {
  const auto last = state_.publications().last();
  if (last && *last && clock_.now_ms() < (*last)->published_at.ms - kMostClockLagMs) {
    return std::optional(PublishState::frozen_by_clock);
  }
  const auto contest = state_.publications().contest(projection.path);
  if (contest && *contest == state::Contest::contested) {
    return std::optional(PublishState::contested);
  }
  return std::optional<PublishState>();
}

Result<PublishOutcome> Publisher::attempt(Work& work) {
  // Asked before looking: what is found then can only have replaced this one or a later one.
  work.last_number = state_.publications().last_number(work.projection.path);
  step(PublishStep::inspect);
  TRY_ASSIGN(work.found, work.place.read());
  step(PublishStep::judge);
  if (work.found && work.found->sha256 == work.sha256) {
    return confirm(work);
  }
  if (work.found) {
    TRY_ASSIGN(const bool foreign, replaced_by_others(work));
    if (work.outcome.state == PublishState::contested) {
      return work.outcome;
    }
    if (foreign) {
      step(PublishStep::copy);
      TRY_ASSIGN(
          work.outcome.replaced_copy,
          keep_copy(folder_, work.place, *work.found, work.projection.path, {clock_.now_ms()}));
      if (work.outcome.replaced_copy.empty()) {
        work.changed_meanwhile = true;
        return work.outcome;
      }
    }
  }
  return replace(work);
}

/// The right bytes are there; that this generation has them must still be known, so that an older
/// one does not replace them.
Result<PublishOutcome> Publisher::confirm(Work& work) {
  TRY_ASSIGN(const auto known, work.lease.published_generation(work.projection.path));
  work.outcome.state = PublishState::unchanged;
  if (!known || *known < work.projection.generation) {
    TRY_ASSIGN(
        const state::Verdict verdict,
        work.lease.publish_under({work.projection.path, work.projection.generation, work.sha256},
                                 []() -> Result<void> { return {}; }));
    if (verdict == state::Verdict::superseded) {
      work.outcome.state = PublishState::superseded;
    }
  } else if (*known > work.projection.generation) {
    work.outcome.state = PublishState::superseded;
  }
  return work.outcome;
}

/// Whether a copy is due. Counts the replacement, and makes the outcome `contested` by it.
Result<bool> Publisher::replaced_by_others(Work& work) {
  const std::string& path = work.projection.path;
  const auto ours = state_.publications().is_ours(path, work.found->sha256);
  // Bytes that are known as published here need not be hashed once more to say the same.
  const bool intact = (ours && *ours) ||
                      (is_intact_memory_md(work.found->text) &&
                       work.found->mark.size == static_cast<std::int64_t>(work.found->text.size()));
  if (!ours) {
    work.outcome.record_problem = ours.error();
  } else if (!work.last_number) {
    work.outcome.record_problem = work.last_number.error();
  } else if (!*ours && *work.last_number) {
    const auto contest =
        state_.publications().note_replaced(path, **work.last_number, {clock_.now_ms()});
    if (!contest) {
      work.outcome.record_problem = contest.error();
    } else if (*contest == state::Contest::contested) {
      work.outcome.state = PublishState::contested;
    }
  }
  return !intact;
}

Result<PublishOutcome> Publisher::replace(Work& work) {
  const Projection& projection = work.projection;
  step(PublishStep::write);
  TRY_ASSIGN(auto file, base::AtomicFile::create_in(work.place.folder(), work.place.path()));
  TRY(file.write(projection.bytes));
  file.begin_sync();

  step(PublishStep::announce);
  auto announced =
      state_.publications().announce({projection.path,
                                      projection.generation,
                                      work.lease.fence(),
                                      work.sha256,
                                      static_cast<std::int64_t>(projection.bytes.size()),
                                      {}});
  if (const auto synced = file.sync(); !synced) {
    if (announced && !state_.publications().withdraw(*announced)) {
      state_.suspect();
    }
    return synced.error();
  }
  step(PublishStep::enter);
  auto verdict = work.lease.publish_under(
      {projection.path, projection.generation, work.sha256}, [&]() -> Result<void> {
        step(PublishStep::rename);
        if (work.place.mark() != work.mark()) {
          work.changed_meanwhile = true;
          return Error{ErrorKind::busy, "the file has changed meanwhile", work.place.path(), {}};
        }
        TRY(file.commit(base::IfExists::replace));
        work.renamed = true;
        step(PublishStep::leave);
        return {};
      });

  const bool published = verdict && *verdict == state::Verdict::published;
  step(PublishStep::record);
  Result<void> recorded = announced ? Result<void>() : Result<void>(announced.error());
  if (announced && published) {
    recorded = state_.publications().complete(*announced, {clock_.now_ms()});
  } else if (announced && !work.renamed) {
    recorded = state_.publications().withdraw(*announced);
  }
  if (!recorded) {
    state_.suspect();
    work.outcome.record_problem = recorded.error();
  }
  TRY(verdict);
  work.outcome.state = published ? PublishState::published : PublishState::superseded;
  if (published) {
    work.place.remove_leftovers(clock_.now_ms());
  }
  return work.outcome;
}

}  // namespace daybook::projection

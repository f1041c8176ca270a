// SPDX-License-Identifier: MIT
#include "daybook/watch/pending_paths.hpp"

#include <algorithm>

namespace daybook::watch {
namespace {

/// Files of one session are written one after the other: one pass for all of them.
constexpr std::chrono::milliseconds kTogether{20};
constexpr std::chrono::milliseconds kLongestTogether{100};
/// More than so many are no session but a checkout, a synchroniser, a restore: they are followed
/// when all of them rest, so that MEMORY.md is not made anew for each handful.
constexpr std::size_t kFew = 32;

}  // namespace

void PendingPaths::note(const TimedHint& hint) {
  using What = Hint::What;
  if (hint.hint.what == What::lost || hint.hint.what == What::folder) {
    folders_ = true;  // after lost hints nobody knows which folders are there
    note_everything(hint.at);
    return;
  }
  const auto [wait, is_new] = paths_.try_emplace(hint.hint.path, Wait{hint.at, hint.at, false});
  wait->second.last = std::max(wait->second.last, hint.at);
  wait->second.gone = hint.hint.what == What::gone;
  if (paths_.size() > kMost) {
    note_everything(wait->second.last);
    everything_->first = std::min(everything_->first, paths_.begin()->second.first);
    paths_.clear();
  }
}

void PendingPaths::note_everything(Moment at) {
  if (!everything_) {
    everything_ = Wait{at, at, false};
  }
  everything_->last = std::max(everything_->last, at);
}

Moment PendingPaths::due_at(const Wait& wait) const {
  return std::min(wait.last + (wait.gone ? times_.settle_gone() : times_.settle),
                  wait.first + times_.longest);
}

/// Everything rests when each part of it does.
Moment PendingPaths::everything_due_at() const {
  Moment due = everything_->last + times_.settle;
  for (const auto& [path, wait] : paths_) {
    due = std::max(due, due_at(wait));
  }
  return std::min(due, everything_->first + times_.longest);
}

Due PendingPaths::take_due(Moment now) {
  Due due;
  if (everything_) {
    if (everything_due_at() <= now) {
      due.everything = true;
      due.folders = folders_;
      clear();
    }
    return due;  // until then single paths can wait: the look at everything takes them along
  }
  if (paths_.empty() || paths_due_at() > now) {
    return due;
  }
  for (auto at = paths_.begin(); at != paths_.end();) {
    if (due_at(at->second) <= now) {
      due.paths.push_back(at->first);
      at = paths_.erase(at);
    } else {
      ++at;
    }
  }
  return due;
}

Moment PendingPaths::paths_due_at() const {
  return paths_.size() > kFew ? many_due_at() : few_due_at();
}

/// When the first of them rests, and those that will a moment later.
Moment PendingPaths::few_due_at() const {
  std::vector<Moment> moments;
  moments.reserve(paths_.size());
  for (const auto& [path, wait] : paths_) {
    moments.push_back(due_at(wait));
  }
  std::sort(moments.begin(), moments.end());
  Moment due = moments.front();
  for (const Moment moment : moments) {
    if (moment > due + kTogether || moment > moments.front() + kLongestTogether) {
      break;
    }
    due = moment;
  }
  return due;
}

/// When all of them rest, or the first has waited for the longest time.
Moment PendingPaths::many_due_at() const {
  Moment latest = due_at(paths_.begin()->second);
  Moment first = paths_.begin()->second.first;
  for (const auto& [path, wait] : paths_) {
    latest = std::max(latest, due_at(wait));
    first = std::min(first, wait.first);
  }
  return std::min(latest, first + times_.longest);
}

std::optional<Moment> PendingPaths::next_due() const {
  if (everything_) {
    return everything_due_at();
  }
  return paths_.empty() ? std::nullopt : std::optional(paths_due_at());
}

void PendingPaths::clear() {
  paths_.clear();
  everything_.reset();
  folders_ = false;
}

}  // namespace daybook::watch

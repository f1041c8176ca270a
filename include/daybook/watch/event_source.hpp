// SPDX-License-Identifier: MIT
//
// The first hop: something happened -> a hint where. Hints may be late, doubled, wrong or lost;
// whoever takes them looks for himself. A source watches the folders that it is given and no
// others: folders that appear are hinted at as changed paths, and are watched after the next
// watch(). The port through which tests lie. A source belongs to one thread; it hands its hints
// over on another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace daybook::watch {

struct Hint {
  enum class What : std::uint8_t {
    changed,  ///< something is there now, or says something else
    gone,     ///< nothing is there any more
    folder,   ///< a folder came, went or moved
    lost,     ///< hints were lost: anything may have happened anywhere
  };
  What what = What::changed;
  std::string path;  ///< workspace-relative; empty for `lost`
};

class HintSink {
 public:
  virtual ~HintSink() = default;
  /// Any thread. Only takes note: never waits and never touches the disk.
  virtual void take(Hint hint) = 0;
};

/// How much of what was asked for is really watched.
struct Coverage {
  std::size_t asked = 0;
  std::size_t watched = 0;
  std::string trouble;  ///< why events cannot be relied on; empty: they can
};

class EventSource {
 public:
  virtual ~EventSource() = default;
  /// Watches just these folders from now on, in place of all former ones. `folders` are
  /// workspace-relative; the sink must live until stop().
  virtual Coverage watch(const std::string& workspace,
                         const std::vector<std::string>& folders,
                         HintSink& sink) = 0;
  /// No hint is handed over after it returns.
  virtual void stop() = 0;
  /// What it watches with, as status names it: `inotify`.
  virtual std::string backend() const = 0;
  /// How often the system has told that it dropped events; grows only. Asked now and then, because
  /// that may be the last that is heard. Counts for all sources of the process together.
  virtual std::uint64_t overflows() const = 0;
};

}  // namespace daybook::watch

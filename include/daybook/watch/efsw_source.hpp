// SPDX-License-Identifier: MIT
//
// efsw -> hints. Each folder is watched by itself: efsw's own way of following sub-folders loses
// files in new ones, keeps old paths after a move and looks at every file once more. Watches are
// never added or removed while events flow, since efsw has no safe way to do that: the whole
// watcher is made anew. Its callback only filters names and hands on. Where the file system cannot
// report, or watches have run out, the coverage says so.
#pragma once

#include "daybook/watch/event_source.hpp"

#include <memory>

namespace daybook::watch {

class EfswSource final : public EventSource {
 public:
  EfswSource();
  ~EfswSource() override;

  Coverage watch(const std::string& workspace,
                 const std::vector<std::string>& folders,
                 HintSink& sink) override;
  void stop() override;
  std::string backend() const override;
  std::uint64_t overflows() const override;

 private:
  class Listener;
  struct Watcher;
  std::unique_ptr<Watcher> watcher_;  // nothing: not watching
};

}  // namespace daybook::watch

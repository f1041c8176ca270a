// SPDX-License-Identifier: MIT
#include "daybook/daemon/text_keeper.hpp"

#include "daemon/watch_log.hpp"

#include <utility>

namespace daybook::daemon {

TextKeeper::TextKeeper(service::Pipeline& pipeline, std::function<void()> ended)
    : pipeline_(pipeline), ended_(std::move(ended)) {}

TextKeeper::~TextKeeper() { pipeline_.stop_text(); }

void TextKeeper::passed(Moment now) {
  has_passed_ = true;
  if (pipeline_.is_text_behind()) {
    schedule_.want(now);
  }
}

void TextKeeper::look(Moment now, service::PassRequest request) {
  take_outcome(now);
  if (!schedule_.is_due(now)) {
    return;
  }
  progress_.cancelled = false;
  if (stopped_) {
    return;  // stop() came before, and its wish must not be forgotten
  }
  request.threads = 1;
  has_passed_ = false;
  schedule_.begun();
  pipeline_.begin_text(request, progress_, ended_);
}

void TextKeeper::take_outcome(Moment now) {
  const auto outcome = pipeline_.take_text_outcome();
  if (!outcome) {
    return;
  }
  using End = TextSchedule::End;
  const bool is_busy = !*outcome && outcome->error().kind == ErrorKind::busy;
  const bool failed = !*outcome && !is_busy;
  schedule_.ended(failed                           ? End::failed
                  : is_busy || progress_.cancelled ? End::cut_off
                                                   : End::complete,
                  now);
  if (*outcome && **outcome > 0 && has_passed_) {
    schedule_.want(now);  // else the next pass looks at what was left out, and wants it
  }
  const std::string trouble = failed ? outcome->error().message : std::string();
  if (failed && trouble != trouble_) {
    tell(base::LogLevel::warning, trouble, outcome->error().path);
  }
  trouble_ = trouble;
}

void TextKeeper::stop() {
  stopped_ = true;
  progress_.cancelled = true;
}

}  // namespace daybook::daemon

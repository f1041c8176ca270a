// SPDX-License-Identifier: MIT
#include "daybook/daemon/text_keeper.hpp"

#include <utility>

namespace daybook::daemon {

TextKeeper::TextKeeper(service::Pipeline& pipeline, std::function<void()> ended)
    : pipeline_(pipeline), ended_(std::move(ended)) {}

TextKeeper::~TextKeeper() { pipeline_.stop_text(); }

void TextKeeper::passed(Moment now) {
  has_passed_ = true;
  if (pipeline_.is_text_behind()) {
    work_.want(now);
  }
}

void TextKeeper::look(Moment now, service::PassRequest request) {
  if (const auto outcome = pipeline_.take_text_outcome()) {
    work_.ended(*outcome, now);
    if (*outcome && **outcome > 0 && has_passed_) {
      work_.want(now);  // else the next pass looks at what was left out, and wants it
    }
  }
  if (work_.take_due(now)) {
    request.threads = 1;
    has_passed_ = false;
    pipeline_.begin_text(request, work_.progress(), ended_);
  }
}

}  // namespace daybook::daemon

// SPDX-License-Identifier: MIT
//
// SIGTERM and SIGINT -> a descriptor that can be waited for. One object at a time; what was set
// before is set again when it goes.
#pragma once

#include "daybook/base/descriptor.hpp"
#include "daybook/base/result.hpp"

#include <csignal>

namespace daybook::mcp {

class EndSignals {
 public:
  static Result<EndSignals> listen();
  EndSignals(EndSignals&& other) noexcept;
  EndSignals& operator=(EndSignals&&) = delete;
  ~EndSignals();

  /// Readable once one has come.
  int descriptor() const { return read_.get(); }
  /// Whether one has come; it stays so.
  bool has_come() const;

 private:
  EndSignals(base::Descriptor read, base::Descriptor write);

  base::Descriptor read_;
  base::Descriptor write_;
  struct sigaction term_ {};
  struct sigaction interrupt_ {};
  bool listening_ = false;
};

}  // namespace daybook::mcp

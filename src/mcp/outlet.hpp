// SPDX-License-Identifier: MIT
//
// The one way to the output: whole lines, one after the other, whichever thread they come from. A
// reader that is gone closes it, and what is written afterwards is dropped without a word; one that
// is slow is waited for as long as the server is wanted at all. Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

namespace daybook::mcp {

class Outlet {
 public:
  virtual ~Outlet() = default;
  /// The line comes without its end.
  virtual void write(std::string line) = 0;
};

class PipeOutlet final : public Outlet {
 public:
  /// `is_over` is asked now and then while nobody reads.
  PipeOutlet(int file, std::function<bool()> is_over) : file_(file), is_over_(std::move(is_over)) {}

  void write(std::string line) override;
  /// Whether nobody reads any more. Never waits for a line that is being written.
  bool is_closed() const { return closed_; }
  /// Looks whether the other end is still there, which else only the next line would tell.
  void look();

 private:
  bool write_some(const char*& begin, const char* end) const;

  int file_;
  std::function<bool()> is_over_;
  std::mutex mutex_;  // one line at a time
  std::atomic<bool> closed_ = false;
};

}  // namespace daybook::mcp

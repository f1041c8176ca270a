// SPDX-License-Identifier: MIT
//
// Index and MEMORY.md as they were last seen -> what a client has to be told: that the list of
// resources is another, that a resource that it subscribed to has changed. Looks by stat first, and
// opens the index only when that differs. One thread.
#pragma once

#include "mcp/memory.hpp"
#include "mcp/outlet.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace daybook::mcp {

class Notifications {
 public:
  explicit Notifications(const Memory& memory) : memory_(memory) {}

  /// From now on changes are told; nothing before.
  void begin();
  void subscribe() { subscribed_ = true; }
  void unsubscribe() { subscribed_ = false; }
  /// Tells what has changed since the last look.
  void look(Outlet& outlet);

 private:
  /// Inode, size and time of a file; zeros: there is none.
  using Marks = std::array<std::int64_t, 3>;
  struct IndexMarks {
    Marks file{};
    Marks log{};
    bool operator==(const IndexMarks&) const = default;
  };
  static Marks marks_of(const std::string& path);
  IndexMarks index_marks() const;
  std::uint64_t generation() const;

  const Memory& memory_;
  bool begun_ = false;
  bool subscribed_ = false;
  IndexMarks index_;
  std::uint64_t generation_ = 0;
  Marks memory_md_{};
};

}  // namespace daybook::mcp

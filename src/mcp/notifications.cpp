// SPDX-License-Identifier: MIT
#include "mcp/notifications.hpp"

#include "mcp/json_rpc.hpp"
#include "mcp/resources.hpp"

#include <sys/stat.h>

namespace daybook::mcp {

void Notifications::begin() {
  begun_ = true;
  index_ = index_marks();
  generation_ = generation();
  memory_md_ = marks_of(memory_md_path(memory_));
}

void Notifications::look(Outlet& outlet) {
  if (!begun_) {
    return;
  }
  if (const IndexMarks now = index_marks(); now != index_) {
    index_ = now;
    if (const std::uint64_t found = generation(); found != generation_) {
      generation_ = found;
      outlet.write(notification_line("notifications/resources/list_changed", nullptr));
    }
  }
  if (const Marks now = marks_of(memory_md_path(memory_)); now != memory_md_) {
    memory_md_ = now;
    if (subscribed_) {
      outlet.write(notification_line("notifications/resources/updated",
                                     Json::object({{"uri", kMemoryUri}})));
    }
  }
}

Notifications::Marks Notifications::marks_of(const std::string& path) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return {};
  }
  return {static_cast<std::int64_t>(status.st_ino),
          static_cast<std::int64_t>(status.st_size),
          status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec};
}

Notifications::IndexMarks Notifications::index_marks() const {
  const std::string path = memory_.state_path() + "/" + index::kIndexFile;
  return {marks_of(path), marks_of(path + "-wal")};
}

/// 0: there is no index that can be read.
std::uint64_t Notifications::generation() const {
  const auto folder = memory_.folder();
  if (!folder) {
    return 0;
  }
  const auto reader = memory_.reader(*folder);
  return reader ? reader->meta().generation : 0;
}

}  // namespace daybook::mcp

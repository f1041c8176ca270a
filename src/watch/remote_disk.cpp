// SPDX-License-Identifier: MIT
#include "watch/remote_disk.hpp"

#include <algorithm>
#include <array>
#include <utility>

#ifdef __linux__
#include <sys/vfs.h>
#endif

namespace daybook::watch {

std::string silent_file_system(unsigned long type) {
  // The numbers are the kernel's (linux/magic.h); its header lacks some of them.
  constexpr std::array<std::pair<unsigned long, const char*>, 10> kKinds{{{0x6969, "nfs"},
                                                                          {0x517B, "smb"},
                                                                          {0xFF534D42, "cifs"},
                                                                          {0xFE534D42, "smb2"},
                                                                          {0x5346414F, "afs"},
                                                                          {0x73757245, "coda"},
                                                                          {0x564C, "ncp"},
                                                                          {0x01021997, "9p"},
                                                                          {0x00C36400, "ceph"},
                                                                          {0x65735546, "fuse"}}};
  const auto found = std::find_if(
      kKinds.begin(), kKinds.end(), [type](const auto& kind) { return kind.first == type; });
  return found == kKinds.end() ? std::string() : found->second;
}

std::string silent_file_system(const std::string& folder) {
#ifdef __linux__
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) == 0) {
    // Narrowed first: on some machines the field is signed, and smb's number would be negative.
    return silent_file_system(static_cast<unsigned long>(static_cast<unsigned>(status.f_type)));
  }
#else
  static_cast<void>(folder);
#endif
  return {};
}

}  // namespace daybook::watch

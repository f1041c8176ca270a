// SPDX-License-Identifier: MIT
//
// What becomes of a call: its number, if it has one, and whether it goes on, fails or is the last.
// The hooks are in shim.cpp. No allocation, no lock; any thread.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace daybook::faults::shim {

constexpr std::size_t kLongestPath = 4096 + 256;
constexpr int kExitCode = 137;

enum class Mode { off, count, kill_before, kill_after, fail_once, fail_ever, short_write, no_sync };
enum class Calls { changes, opens };

struct Settings {
  Mode mode = Mode::off;
  Calls calls = Calls::changes;
  long at = 0;
  int error = EIO;
  const char* roots = "";
  const char* path = "";
  int log = -1;
};

// The environment is read once, before the program's own code runs.
inline Settings settings;
inline std::atomic<long> numbered{0};

using Syscall = long (*)(long, ...);

template <typename... Arguments>
long real(long number, Arguments... arguments) {
  static const auto function = reinterpret_cast<Syscall>(::dlsym(RTLD_NEXT, "syscall"));
  return function(number, arguments...);
}

/// A path that is put together on the stack.
class Path {
 public:
  Path& add(std::string_view text) {
    const std::size_t room = text_.size() - 1 - length_;
    const std::size_t count = text.size() < room ? text.size() : room;
    std::memcpy(text_.data() + length_, text.data(), count);
    length_ += count;
    return *this;
  }
  Path& add(long number) {
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "%ld", number);
    return add(digits.data());
  }
  /// What the kernel calls an open file or folder.
  Path& add_open_file(int fd) {
    Path link;
    link.add("/proc/self/").add(fd == AT_FDCWD ? "cwd" : "fd/");
    if (fd != AT_FDCWD) {
      link.add(fd);
    }
    std::array<char, kLongestPath> target{};
    const long length =
        real(SYS_readlinkat, AT_FDCWD, link.c_str(), target.data(), target.size() - 1);
    return add(std::string_view(target.data(), length > 0 ? static_cast<std::size_t>(length) : 0));
  }
  [[nodiscard]] const char* c_str() const { return text_.data(); }
  [[nodiscard]] std::string_view view() const { return {text_.data(), length_}; }

 private:
  std::array<char, kLongestPath> text_{};
  std::size_t length_ = 0;
};

inline Path path_at(int folder, const char* name) {
  Path path;
  if (name == nullptr) {
    return path;
  }
  if (*name != '/') {
    path.add_open_file(folder).add("/");
  }
  path.add(name);
  return path;
}

inline Path path_of(int fd) {
  Path path;
  path.add_open_file(fd);
  return path;
}

inline bool is_below_roots(std::string_view path) {
  std::string_view roots = settings.roots;
  while (!roots.empty()) {
    const std::size_t end =
        roots.find(':') == std::string_view::npos ? roots.size() : roots.find(':');
    const std::string_view root = roots.substr(0, end);
    roots.remove_prefix(end == roots.size() ? end : end + 1);
    if (!root.empty() && path.substr(0, root.size()) == root &&
        (path.size() == root.size() || path[root.size()] == '/')) {
      return true;
    }
  }
  return false;
}

inline void note(long number, const char* kind, std::string_view path) {
  if (settings.log < 0) {
    return;
  }
  Path line;
  line.add(number).add(" ").add(kind).add(" ").add(path).add("\n");
  real(SYS_write, settings.log, line.c_str(), line.view().size());
}

[[noreturn]] inline void end_now() {
  while (true) {
    real(SYS_exit_group, kExitCode);
  }
}

enum class Fate { goes_on, fails, is_short, is_last };

/// The next number, and what becomes of that call.
inline Fate fate_of(const char* kind, std::string_view path) {
  const long number = ++numbered;
  note(number, kind, path);
  switch (settings.mode) {
    case Mode::kill_before:
      if (number == settings.at) {
        end_now();
      }
      return Fate::goes_on;
    case Mode::kill_after:
      return number == settings.at ? Fate::is_last : Fate::goes_on;
    case Mode::fail_once:
      return number == settings.at ? Fate::fails : Fate::goes_on;
    case Mode::fail_ever:
      return number >= settings.at ? Fate::fails : Fate::goes_on;
    case Mode::short_write:
      return number == settings.at ? Fate::is_short : Fate::goes_on;
    default:
      return Fate::goes_on;
  }
}

/// `work` is the call, told whether it is to do only a part.
template <typename Work>
long meet(const char* kind, const Path& path, Calls calls, const Work& work) {
  if (settings.mode == Mode::off || calls != settings.calls ||
      (!path.view().empty() && !is_below_roots(path.view())) ||
      path.view().find(settings.path) == std::string_view::npos) {
    return work(false);
  }
  const Fate fate = fate_of(kind, path.view());
  if (fate == Fate::fails) {
    errno = settings.error;
    return -1;
  }
  const long answer = work(fate == Fate::is_short);
  if (fate == Fate::is_last) {
    end_now();
  }
  return answer;
}

template <typename Work>
int change(const char* kind, const Path& path, const Work& work) {
  return static_cast<int>(meet(kind, path, Calls::changes, [&](bool) { return work(); }));
}

/// A short write does the first half of what it could.
inline std::size_t part(std::size_t size, bool is_short) {
  return is_short && size > 1 ? size / 2 : size;
}

}  // namespace daybook::faults::shim

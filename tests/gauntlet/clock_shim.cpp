// SPDX-License-Identifier: MIT
//
// Preloaded into the program: its wall clock is the system's plus the milliseconds that a file
// holds (DAYBOOK_TEST_CLOCK, eight bytes), which may change at any moment. The other clocks go on
// as they do when somebody sets the clock of a machine.
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr std::int64_t kMsOfSecond = 1000;
constexpr std::int64_t kNsOfMs = 1'000'000;

using ClockGettime = int (*)(clockid_t, timespec*);

const volatile std::int64_t* map_offset() {
  const char* path = std::getenv("DAYBOOK_TEST_CLOCK");
  const int fd = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return nullptr;
  }
  void* mapped = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  return mapped == MAP_FAILED ? nullptr : static_cast<const volatile std::int64_t*>(mapped);
}

std::int64_t offset_ms() {
  static const volatile std::int64_t* const offset = map_offset();
  return offset == nullptr ? 0 : *offset;
}

int real_gettime(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockGettime>(::dlsym(RTLD_NEXT, "clock_gettime"));
  return real(clock, time);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* time) {
  const int result = real_gettime(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += offset_ms() / kMsOfSecond;
    time->tv_nsec += offset_ms() % kMsOfSecond * kNsOfMs;
    if (time->tv_nsec >= kMsOfSecond * kNsOfMs) {
      time->tv_nsec -= kMsOfSecond * kNsOfMs;
      ++time->tv_sec;
    } else if (time->tv_nsec < 0) {
      time->tv_nsec += kMsOfSecond * kNsOfMs;
      --time->tv_sec;
    }
  }
  return result;
}

__attribute__((visibility("default"))) int gettimeofday(timeval* time, void* /*zone*/) {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / kMsOfSecond;
  return result;
}

__attribute__((visibility("default"))) time_t time(time_t* into) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != nullptr) {
    *into = now.tv_sec;
  }
  return now.tv_sec;
}
}

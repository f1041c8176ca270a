// SPDX-License-Identifier: MIT
//
// Preloaded into the program under test: every call by which a file below FAULT_ROOTS changes gets
// a number, and one of them is the last, or fails. The environment says which:
//
//   FAULT_ROOTS  folders with ':' between them; calls on other files have no number
//   FAULT_CALLS  changes (else) or opens: opens, also those that only read, and sockets
//   FAULT_PATH   only calls on paths that hold this text, if set
//   FAULT_MODE   count, kill-before, kill-after, fail-once, fail-ever, short-write; no-sync: what
//                makes bytes durable does nothing
//   FAULT_AT     the number of the call, from 1 on
//   FAULT_ERRNO  what it fails with, as a number
//   FAULT_LOG    one line a numbered call: number, kind, path
//   FAULT_MIRROR a folder for what is durable (shim_mirror.hpp)
//
// Numbers are given by all threads of a process in the order of their calls. The call itself goes
// to the kernel by syscall(), so that nothing of the C library is needed but that. No allocation,
// no lock. What the program does through a mapped file, or by the C library's own inner calls
// (fwrite), has no number; the opening by fopen has one.
#include "faults/shim_core.hpp"
#include "faults/shim_mirror.hpp"

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))

using namespace daybook::faults::shim;  // NOLINT(google-build-using-namespace): hooks have none

namespace {

bool may_write(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

int open_file(int folder, const char* name, int flags, mode_t mode) {
  const auto work = [&](bool) { return real(SYS_openat, folder, name, flags, mode); };
  if (settings.mode == Mode::off) {
    return static_cast<int>(work(false));
  }
  if (settings.calls == Calls::changes && !may_write(flags)) {
    return static_cast<int>(work(false));
  }
  return static_cast<int>(meet(
      (flags & O_CREAT) != 0 ? "create" : "open", path_at(folder, name), settings.calls, work));
}

mode_t mode_from(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

Mode mode_named(std::string_view name) {
  return name == "count"         ? Mode::count
         : name == "kill-before" ? Mode::kill_before
         : name == "kill-after"  ? Mode::kill_after
         : name == "fail-once"   ? Mode::fail_once
         : name == "fail-ever"   ? Mode::fail_ever
         : name == "short-write" ? Mode::short_write
         : name == "no-sync"     ? Mode::no_sync
                                 : Mode::off;
}

const char* from_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before main
  return value == nullptr ? "" : value;
}

__attribute__((constructor)) void read_settings() {
  settings.roots = from_environment("FAULT_ROOTS");
  settings.path = from_environment("FAULT_PATH");
  mirror = from_environment("FAULT_MIRROR");
  settings.at = std::strtol(from_environment("FAULT_AT"), nullptr, 10);
  settings.error = static_cast<int>(std::strtol(from_environment("FAULT_ERRNO"), nullptr, 10));
  settings.calls =
      std::string_view(from_environment("FAULT_CALLS")) == "opens" ? Calls::opens : Calls::changes;
  const char* log = from_environment("FAULT_LOG");
  if (*log != '\0') {
    settings.log = static_cast<int>(
        real(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode_t{0600}));
  }
  settings.mode = mode_named(from_environment("FAULT_MODE"));
}

}  // namespace

// --- opening
// --------------------------------------------------------------------------------------
// Names and declarations are the C library's own.
// NOLINTBEGIN(readability-identifier-naming)
#define OPEN_WITH_MODE(name)                            \
  EXPORTED int name(const char* path, int flags, ...) { \
    va_list arguments;                                  \
    va_start(arguments, flags);                         \
    const mode_t mode = mode_from(flags, arguments);    \
    va_end(arguments);                                  \
    return open_file(AT_FDCWD, path, flags, mode);      \
  }
#define OPENAT_WITH_MODE(name)                                      \
  EXPORTED int name(int folder, const char* path, int flags, ...) { \
    va_list arguments;                                              \
    va_start(arguments, flags);                                     \
    const mode_t mode = mode_from(flags, arguments);                \
    va_end(arguments);                                              \
    return open_file(folder, path, flags, mode);                    \
  }
OPEN_WITH_MODE(open)
OPEN_WITH_MODE(open64)
OPENAT_WITH_MODE(openat)
OPENAT_WITH_MODE(openat64)
EXPORTED int __open_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
EXPORTED int __open64_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
EXPORTED int __openat_2(int folder, const char* path, int flags) {
  return open_file(folder, path, flags, 0);
}
EXPORTED int __openat64_2(int folder, const char* path, int flags) {
  return open_file(folder, path, flags, 0);
}

#define OPEN_STREAM(name)                                                               \
  EXPORTED FILE* name(const char* path, const char* mode) {                             \
    using Function = FILE* (*)(const char*, const char*);                               \
    static const auto function = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, #name)); \
    FILE* stream = nullptr;                                                             \
    const auto work = [&](bool) {                                                       \
      stream = function(path, mode);                                                    \
      return 0L;                                                                        \
    };                                                                                  \
    const bool reads = mode[0] == 'r' && std::strchr(mode, '+') == nullptr;             \
    if (settings.calls == Calls::changes && reads) {                                    \
      work(false);                                                                      \
    } else {                                                                            \
      meet(reads ? "open" : "create", path_at(AT_FDCWD, path), settings.calls, work);   \
    }                                                                                   \
    return stream;                                                                      \
  }
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

EXPORTED int socket(int domain, int type, int protocol) noexcept {
  return static_cast<int>(meet("socket", Path(), Calls::opens, [&](bool) {
    return real(SYS_socket, domain, type, protocol);
  }));
}

// --- bytes
// ----------------------------------------------------------------------------------------
EXPORTED ssize_t write(int fd, const void* bytes, size_t size) {
  return meet("write", path_of(fd), Calls::changes, [&](bool is_short) {
    return real(SYS_write, fd, bytes, part(size, is_short));
  });
}

#define PWRITE(name)                                                              \
  EXPORTED ssize_t name(int fd, const void* bytes, size_t size, off64_t offset) { \
    return meet("pwrite", path_of(fd), Calls::changes, [&](bool is_short) {       \
      return real(SYS_pwrite64, fd, bytes, part(size, is_short), offset);         \
    });                                                                           \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

EXPORTED ssize_t writev(int fd, const iovec* parts, int count) {
  return meet("writev", path_of(fd), Calls::changes, [&](bool is_short) {
    return is_short && count > 0
               ? real(SYS_write, fd, parts[0].iov_base, part(parts[0].iov_len, true))
               : real(SYS_writev, fd, parts, count);
  });
}

EXPORTED ssize_t
copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {
  return meet("copy_file_range", path_of(to), Calls::changes, [&](bool is_short) {
    return real(SYS_copy_file_range, from, from_at, to, to_at, part(size, is_short), flags);
  });
}

#define SENDFILE(name)                                                             \
  EXPORTED ssize_t name(int to, int from, off64_t* offset, size_t size) noexcept { \
    return meet("sendfile", path_of(to), Calls::changes, [&](bool is_short) {      \
      return real(SYS_sendfile, to, from, offset, part(size, is_short));           \
    });                                                                            \
  }
SENDFILE(sendfile)
SENDFILE(sendfile64)

#define FTRUNCATE(name)                                                                     \
  EXPORTED int name(int fd, off64_t size) noexcept {                                        \
    return change("ftruncate", path_of(fd), [&] { return real(SYS_ftruncate, fd, size); }); \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

#define FALLOCATE(name)                                                                         \
  EXPORTED int name(int fd, int mode, off64_t offset, off64_t size) {                           \
    return change(                                                                              \
        "fallocate", path_of(fd), [&] { return real(SYS_fallocate, fd, mode, offset, size); }); \
  }
FALLOCATE(fallocate)
FALLOCATE(fallocate64)

EXPORTED int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const auto work = [&] { return real(SYS_ioctl, fd, request, argument); };
  if (request != FICLONE && request != FICLONERANGE) {
    return static_cast<int>(work());
  }
  return change("clone", path_of(fd), work);
}

// --- durability
// -----------------------------------------------------------------------------------
template <typename Work>
static int make_durable(const char* kind, int fd, const Work& work) {
  return settings.mode == Mode::no_sync ? 0 : change(kind, path_of(fd), work);
}
static long synced(int fd, long answer) {
  if (answer == 0) {
    remember_durable(fd);
  }
  return answer;
}
EXPORTED int fsync(int fd) {
  return make_durable("fsync", fd, [&] { return synced(fd, real(SYS_fsync, fd)); });
}
EXPORTED int fdatasync(int fd) {
  return make_durable("fdatasync", fd, [&] { return synced(fd, real(SYS_fdatasync, fd)); });
}
EXPORTED int sync_file_range(int fd, off64_t offset, off64_t size, unsigned flags) {
  return change("sync_file_range", path_of(fd), [&] {
    return real(SYS_sync_file_range, fd, offset, size, flags);
  });
}

// --- names
// ----------------------------------------------------------------------------------------
static int rename_file(
    int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  return change("rename", path_at(to_folder, to), [&] {
    return real(SYS_renameat2, from_folder, from, to_folder, to, flags);
  });
}
static int unlink_file(int folder, const char* name, int flags) {
  return change(
      "unlink", path_at(folder, name), [&] { return real(SYS_unlinkat, folder, name, flags); });
}
EXPORTED int rename(const char* from, const char* to) noexcept {
  return rename_file(AT_FDCWD, from, AT_FDCWD, to, 0);
}
EXPORTED int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return rename_file(from_folder, from, to_folder, to, 0);
}
EXPORTED int renameat2(
    int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  return rename_file(from_folder, from, to_folder, to, flags);
}
EXPORTED int unlink(const char* name) noexcept { return unlink_file(AT_FDCWD, name, 0); }
EXPORTED int unlinkat(int folder, const char* name, int flags) noexcept {
  return unlink_file(folder, name, flags);
}
EXPORTED int rmdir(const char* name) noexcept { return unlink_file(AT_FDCWD, name, AT_REMOVEDIR); }
EXPORTED int remove(const char* name) noexcept {
  return change("unlink", path_at(AT_FDCWD, name), [&] {
    const long done = real(SYS_unlinkat, AT_FDCWD, name, 0);
    return done != 0 && errno == EISDIR ? real(SYS_unlinkat, AT_FDCWD, name, AT_REMOVEDIR) : done;
  });
}
EXPORTED int linkat(
    int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return change("link", path_at(to_folder, to), [&] {
    return real(SYS_linkat, from_folder, from, to_folder, to, flags);
  });
}
EXPORTED int link(const char* from, const char* to) noexcept {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}
EXPORTED int mkdirat(int folder, const char* name, mode_t mode) noexcept {
  return change(
      "mkdir", path_at(folder, name), [&] { return real(SYS_mkdirat, folder, name, mode); });
}
EXPORTED int mkdir(const char* name, mode_t mode) noexcept { return mkdirat(AT_FDCWD, name, mode); }

/// Whoever goes by the number of the call is met by the same hooks.
EXPORTED long syscall(long number, ...) noexcept {
  std::array<long, 6> values{};
  va_list arguments;
  va_start(arguments, number);
  for (long& value : values) {
    value = va_arg(arguments, long);
  }
  va_end(arguments);
  const auto [a, b, c, d, e, f] = values;
  if (number == SYS_renameat2) {
    return rename_file(static_cast<int>(a),
                       reinterpret_cast<const char*>(b),
                       static_cast<int>(c),
                       reinterpret_cast<const char*>(d),
                       static_cast<unsigned>(e));
  }
  return real(number, a, b, c, d, e, f);
}
// NOLINTEND(readability-identifier-naming)

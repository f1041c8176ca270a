// SPDX-License-Identifier: MIT
#include "daybook/state/noted_uses.hpp"

#include "daybook/base/descriptor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::state {
namespace {

constexpr mode_t kPrivate = 0600;
/// About as many as sixty searches find, which are taken in within milliseconds.
constexpr off_t kMostBytes = off_t{64} << 10;
constexpr std::array<std::string_view, 3> kEvents{"shown", "searched", "opened"};

std::string lines_of(TelemetryEvent event,
                     std::span<const TelemetrySubject> sessions,
                     lineage::Timestamp now) {
  std::string begin(kEvents.at(static_cast<std::size_t>(event)));
  begin.append(" ").append(std::to_string(now.ms)).append(" ");
  std::string lines;
  for (const TelemetrySubject& session : sessions) {
    lines.append(begin).append(session.token.to_string()).append(" ");
    lines.append(session.agent_id).append("\n");
  }
  return lines;
}

std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

std::optional<NotedUse> read_line(std::string_view line) {
  const std::string_view event = take_word(line);
  const std::string_view time = take_word(line);
  const auto token = lineage::SessionToken::parse(take_word(line));
  std::int64_t ms = 0;
  const auto number = std::from_chars(time.data(), time.data() + time.size(), ms);
  const bool is_number = number.ec == std::errc() && number.ptr == time.data() + time.size();
  for (std::size_t i = 0; i < kEvents.size() && token && is_number; ++i) {
    if (event == kEvents.at(i) && lineage::is_valid_agent_id(line)) {
      return NotedUse{static_cast<TelemetryEvent>(i), {ms}, {{*token, std::string(line)}}};
    }
  }
  return std::nullopt;
}

/// One search finds many sessions, which are counted together.
void add(NotedUse&& use, std::vector<NotedUse>& uses) {
  if (!uses.empty() && uses.back().event == use.event && uses.back().time == use.time) {
    uses.back().sessions.push_back(std::move(use.sessions.front()));
  } else {
    uses.push_back(std::move(use));
  }
}

std::string taken_path(const std::string& path) { return path + ".taken"; }

/// A link or a folder of that name is not ours.
bool is_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// At most what note_use() lets it grow to, and one addition more.
Result<std::string> read_all(const std::string& path) {
  constexpr std::size_t kMostRead = std::size_t{1} << 20;
  const base::Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  std::string bytes;
  std::array<char, 16384> piece{};
  ssize_t count = file ? 1 : -1;
  while (count > 0 && bytes.size() < kMostRead) {
    count = ::read(file.get(), piece.data(), piece.size());
    bytes.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  if (count < 0) {
    return base::system_error("reading noted uses", path, errno);
  }
  return bytes;
}

void read_lines(std::string_view rest, std::vector<NotedUse>& uses) {
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    if (auto use = read_line(rest.substr(0, end))) {
      add(std::move(*use), uses);
    }
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

bool note_use(const StateFolder& folder,
              TelemetryEvent event,
              std::span<const TelemetrySubject> sessions,
              lineage::Timestamp now) {
  const base::Descriptor file(
      ::open(folder.file(kUsesFile).c_str(),
             O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC,
             kPrivate));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size >= kMostBytes) {
    return false;
  }
  const std::string lines = lines_of(event, sessions, now);
  const ssize_t written = ::write(file.get(), lines.data(), lines.size());
  if (written == static_cast<ssize_t>(lines.size())) {
    return true;
  }
  // The disk is full. What stands there of it would be counted, and again by whoever is told that
  // nothing was noted; unless somebody else has added to it meanwhile, it is cut off again.
  struct stat after {};
  const bool is_last = written > 0 && ::fstat(file.get(), &after) == 0 &&
                       after.st_size == status.st_size + static_cast<off_t>(written);
  return written > 0 && !(is_last && ::ftruncate(file.get(), status.st_size) == 0);
}

Result<std::vector<NotedUse>> take_noted_uses(const std::string& path) {
  std::vector<NotedUse> uses;
  const std::string taken = taken_path(path);
  // What a taking that was cut off has left comes alone: renaming over it would lose it.
  if (!is_file(taken) && is_file(path) && ::rename(path.c_str(), taken.c_str()) != 0) {
    return base::system_error("moving noted uses aside", taken, errno);
  }
  if (is_file(taken)) {
    TRY_ASSIGN(const std::string lines, read_all(taken));
    read_lines(lines, uses);
  }
  return uses;
}

void drop_taken_uses(const std::string& path) {
  const std::string taken = taken_path(path);
  if (is_file(taken)) {
    static_cast<void>(::unlink(taken.c_str()));
  }
}

Result<void> forget_noted_uses(const std::string& path) {
  for (const std::string& file : {path, taken_path(path)}) {
    if (is_file(file) && ::unlink(file.c_str()) != 0) {
      Error error = base::system_error("deleting noted uses", file, errno);
      error.hint = "Delete that file, then try again.";
      return error;
    }
  }
  return {};
}

bool has_noted_uses(const std::string& path) { return is_file(path) || is_file(taken_path(path)); }

}  // namespace daybook::state

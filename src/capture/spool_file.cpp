// SPDX-License-Identifier: MIT
#include "capture/spool_file.hpp"

#include "capture/spool_range.hpp"
#include "daybook/base/sha256.hpp"

#include <charconv>

namespace daybook::capture {
namespace {

constexpr std::string_view kMark = "daybook-spool-1 ";
constexpr std::size_t kLengthDigits = 12;
constexpr std::size_t kHashLetters = 64;
constexpr std::size_t kLastLine = kMark.size() + kLengthDigits + 1 + kHashLetters + 1;

std::string last_line(std::string_view json) {
  std::string length = std::to_string(json.size());
  length.insert(0, kLengthDigits - length.size(), '0');
  return std::string(kMark).append(length).append(" ").append(base::to_hex(base::sha256(json))) +
         "\n";
}

Result<std::uint64_t> size_of(base::Disk& disk, const std::string& spool, const std::string& name) {
  TRY_ASSIGN(const auto root, disk.open_root(spool));
  TRY_ASSIGN(const base::FileStat stat, root->stat(name));
  return stat.size;
}

}  // namespace

Error damaged_spool_file(const std::string& name) {
  return {ErrorKind::damaged,
          "a file in the spool is damaged",
          name,
          "Nothing is deleted: look at the file, or capture the session again."};
}

std::string spool_tail(std::string_view json) {
  return std::string(json).append("\n").append(last_line(json));
}

Result<SpoolTail> read_spool_tail(base::Disk& disk,
                                  const std::string& spool,
                                  const std::string& name) {
  TRY_ASSIGN(const std::uint64_t size, size_of(disk, spool, name));
  if (size < kLastLine) {
    return damaged_spool_file(name);
  }
  TRY_ASSIGN(const std::string last, read_range(disk, spool, name, size - kLastLine, size));
  std::uint64_t length = 0;
  const char* const digits = last.data() + kMark.size();
  if (!last.starts_with(kMark) ||
      std::from_chars(digits, digits + kLengthDigits, length).ec != std::errc() ||
      length + 1 + kLastLine > size) {
    return damaged_spool_file(name);
  }
  const std::uint64_t begin = size - kLastLine - 1 - length;
  TRY_ASSIGN(std::string json, read_range(disk, spool, name, begin, begin + length));
  if (last_line(json) != last) {
    return damaged_spool_file(name);
  }
  return SpoolTail{std::move(json), begin};
}

}  // namespace daybook::capture

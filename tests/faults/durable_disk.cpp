// SPDX-License-Identifier: MIT
#include "faults/durable_disk.hpp"

#include "daybook/base/descriptor.hpp"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = ".folder";  // beside the names of one
constexpr std::size_t kPage = 4096;

struct stat status_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    throw std::runtime_error("cannot look at " + path);
  }
  return status;
}

std::string inode_of(const std::string& path) { return std::to_string(status_of(path).st_ino); }

/// Inode -> path, of everything that is there.
std::map<std::string, std::string> paths_by_inode(const std::string& folder) {
  std::map<std::string, std::string> paths{{inode_of(folder), folder}};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    paths[inode_of(entry.path().string())] = entry.path().string();
  }
  return paths;
}

std::string names_of(const std::string& folder) {
  std::string lines;
  for (const auto& entry : fs::directory_iterator(folder)) {
    lines += inode_of(entry.path().string()) + " " + entry.path().filename().string() + "\n";
  }
  return lines;
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// In memory (tmpfs) a page that was read through a mapping is written without a word to the inode:
/// so the file keeps its times, as it does when a disk has the inode and not the bytes.
void write_below_inode(const std::string& path, const std::string& bytes) {
  const base::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  void* const mapped =
      ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (!file || mapped == MAP_FAILED) {
    throw std::runtime_error("cannot map " + path);
  }
  auto* const begin = static_cast<char*>(mapped);
  std::string was(bytes.size(), '\0');
  std::copy_n(begin, was.size(), was.begin());  // every page is read first
  std::copy(bytes.begin(), bytes.end(), begin);
  ::munmap(mapped, bytes.size());
}

/// The disk writes pages in any order, and a file may have its new size before it has its bytes.
std::string every_second_page(const std::string& durable, const std::string& now) {
  std::string bytes = durable;
  bytes.resize(now.size(), '\0');
  for (std::size_t at = 0; at < now.size(); at += 2 * kPage) {
    bytes.replace(at, std::min(kPage, now.size() - at), now, at, kPage);
  }
  return bytes;
}

}  // namespace

DurableDisk::DurableDisk(std::string folder, std::string mirror)
    : folder_(std::move(folder)), mirror_(std::move(mirror)) {
  fs::remove_all(mirror_);
  fs::create_directories(mirror_);
  for (const auto& [inode, path] : paths_by_inode(folder_)) {
    if (fs::is_directory(path)) {
      write_bytes(of(inode), names_of(path));
      write_bytes(of(inode) + kFolder, "");
    } else {
      write_bytes(of(inode), bytes_of(path));
    }
  }
}

std::string DurableDisk::of(const std::string& inode) const { return mirror_ + "/" + inode; }

void DurableDisk::lose_power(Survivors survivors) const {
  for (const auto& [inode, path] : paths_by_inode(folder_)) {
    if (fs::is_directory(path)) {
      write_bytes(of(inode) + kFolder, "");
      if (survivors == Survivors::synced_and_names || survivors == Survivors::synced_and_some) {
        write_bytes(of(inode), names_of(path));
      }
    } else {
      write_bytes(of(inode), survivors_of_file(survivors, inode, path));
    }
  }
  std::map<std::string, std::string> left;
  gather(inode_of(folder_), folder_, left);
  replace_by(left);
}

std::string DurableDisk::survivors_of_file(Survivors survivors,
                                           const std::string& inode,
                                           const std::string& path) const {
  switch (survivors) {
    case Survivors::synced_and_bytes:
      return bytes_of(path);
    case Survivors::synced_and_some:
      return every_second_page(bytes_of(of(inode)), bytes_of(path));
    case Survivors::synced:
    case Survivors::synced_and_names:
      break;
  }
  return bytes_of(of(inode));
}

void DurableDisk::gather(const std::string& inode,
                         const std::string& path,
                         std::map<std::string, std::string>& left) const {
  left[path] = inode;
  if (!fs::exists(of(inode) + kFolder)) {
    return;
  }
  std::istringstream names(bytes_of(of(inode)));
  for (std::string line; std::getline(names, line);) {
    const std::size_t blank = line.find(' ');
    gather(line.substr(0, blank), path + "/" + line.substr(blank + 1), left);
  }
}

/// What is as it should be is not touched: after a power cut, too, it has the times it had.
void DurableDisk::replace_by(const std::map<std::string, std::string>& left) const {
  for (const auto& [inode, path] : paths_by_inode(folder_)) {
    if (!left.contains(path)) {
      fs::remove_all(path);
    }
  }
  for (const auto& [path, inode] : left) {
    if (fs::exists(of(inode) + kFolder)) {
      fs::create_directory(path);
    } else if (const std::string bytes = bytes_of(of(inode));
               !fs::exists(path) || bytes_of(path) != bytes) {
      if (!bytes.empty() && fs::exists(path) && inode_of(path) == inode &&
          fs::file_size(path) == bytes.size()) {
        write_below_inode(path, bytes);
        continue;
      }
      write_bytes(path, bytes);
      fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    }
  }
}

}  // namespace daybook::faults

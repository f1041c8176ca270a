// SPDX-License-Identifier: MIT
#include "faults/durable_disk.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <utility>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = ".folder";  // beside the names of one

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
      if (survivors == Survivors::synced_and_names) {
        write_bytes(of(inode), names_of(path));
      }
    } else if (survivors == Survivors::synced_and_bytes) {
      write_bytes(of(inode), bytes_of(path));
    }
  }
  std::map<std::string, std::string> left;
  gather(inode_of(folder_), folder_, left);
  replace_by(left);
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
      write_bytes(path, bytes);
      fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    }
  }
}

}  // namespace daybook::faults

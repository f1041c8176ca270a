// SPDX-License-Identifier: MIT
#include "support/temp_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace daybook::support {
namespace fs = std::filesystem;
namespace {

void require(bool done, const std::string& what) {
  if (!done) {
    throw std::system_error(errno, std::generic_category(), what);
  }
}

/// A test may have locked a folder; it must go all the same.
void unlock(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.symlink_status(ignored).type() == fs::file_type::directory) {
      unlock(entry.path());
    }
  }
}

}  // namespace

TempFolder::TempFolder() {
  std::string pattern = (fs::temp_directory_path() / "daybook-test-XXXXXX").string();
  require(::mkdtemp(pattern.data()) != nullptr, "making a folder for the test");
  path_ = fs::canonical(pattern);
  require(::chmod(path_.c_str(), 0755) == 0, "opening the test's folder");
}

TempFolder::~TempFolder() {
  unlock(path_);
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TempFolder::at(std::string_view name) const { return (path_ / name).string(); }

void TempFolder::write(std::string_view name, std::string_view bytes) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require(static_cast<bool>(stream.flush()), "writing " + file.string());
}

void TempFolder::make_folder(std::string_view name) const { fs::create_directories(path_ / name); }

void TempFolder::make_link(std::string_view name, const std::string& target) const {
  require(::symlink(target.c_str(), at(name).c_str()) == 0, "linking " + at(name));
}

void TempFolder::make_pipe(std::string_view name) const {
  require(::mkfifo(at(name).c_str(), 0644) == 0, "making the pipe " + at(name));
}

void TempFolder::make_socket(std::string_view name) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = at(name);
  errno = ENAMETOOLONG;
  require(path.size() < sizeof address.sun_path, "making the socket " + path);
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  require(fd >= 0, "making a socket");
  const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  require(bound, "making the socket " + path);
}

std::string TempFolder::read(std::string_view name) const {
  std::ifstream stream(path_ / name, std::ios::binary);
  require(static_cast<bool>(stream), "reading " + at(name));
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> TempFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace daybook::support

// SPDX-License-Identifier: MIT
//
// An open file, folder or socket that is closed with its owner. One thread.
#pragma once

#include <unistd.h>
#include <utility>

namespace daybook::base {

class Descriptor {
 public:
  explicit Descriptor(int file = -1) : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return file_; }  ///< -1: none
  explicit operator bool() const { return file_ >= 0; }
  void close() {
    if (file_ >= 0) {
      ::close(std::exchange(file_, -1));
    }
  }

 private:
  int file_;
};

}  // namespace daybook::base

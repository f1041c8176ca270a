// SPDX-License-Identifier: MIT
#include "absentees.hpp"

#include <fstream>
#include <iterator>
#include <string_view>

namespace daybook::bench {
namespace {

namespace fs = std::filesystem;

void move(const std::string& token, const fs::path& from, const fs::path& to) {
  const std::string mark = "--" + token + "--";
  for (const auto& entry : fs::directory_iterator(from)) {
    const fs::path name = entry.path().filename();
    if (name.string().find(mark) != std::string::npos) {
      fs::rename(entry.path(), to / name);
    }
  }
}

}  // namespace

Absentees::Absentees(const std::string& vault, const std::string& memory_md, std::size_t most)
    : memory_(vault + "/memory"), aside_(vault + "/.watch-bench") {
  fs::create_directory(aside_);
  std::ifstream file(memory_md);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  constexpr std::string_view kMark = "--summary.md|";
  constexpr std::size_t kTokenLetters = 16;
  for (std::size_t at = text.find(kMark); at != std::string::npos && tokens_.size() < most;
       at = text.find(kMark, at + 1)) {
    if (at >= kTokenLetters) {
      tokens_.push_back(text.substr(at - kTokenLetters, kTokenLetters));
    }
  }
  for (const std::string& token : tokens_) {
    move(token, memory_, aside_);
  }
}

Absentees::~Absentees() {
  while (one_arrives()) {
  }
  fs::remove(aside_);
}

bool Absentees::one_arrives() {
  if (tokens_.empty()) {
    return false;
  }
  move(tokens_.back(), aside_, memory_);
  tokens_.pop_back();
  return true;
}

}  // namespace daybook::bench

// SPDX-License-Identifier: MIT
//
// Any bytes -> the wikilinks in them. Held: no crash; no input that takes long (-timeout=1); every
// reported link stands in the body between its brackets, on its line and in order; and the line
// scanner finds the same however the bytes are cut.
#include "daybook/parse/wikilinks.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using daybook::parse::LinearLinkScanner;
using daybook::parse::Wikilink;

struct Found {
  std::string inside;
  std::uint32_t line = 0;
  bool embed = false;
  bool operator==(const Found&) const = default;
};

void expect(bool held) {
  if (!held) {
    std::abort();
  }
}

std::uint32_t line_at(std::string_view body, std::size_t offset) {
  std::uint32_t line = 1;
  for (std::size_t i = 0; i < offset; ++i) {
    const bool first_of_pair = body[i] == '\r' && i + 1 < body.size() && body[i + 1] == '\n';
    line += (body[i] == '\n' || body[i] == '\r') && !first_of_pair ? 1U : 0U;
  }
  return line;
}

/// Checks each link against the body, counting lines only where links are few: counting is slow.
class Witness {
 public:
  explicit Witness(std::string_view body) : body_(body) {}

  void see(const Wikilink& link) {
    const auto at = static_cast<std::size_t>(link.inside.data() - body_.data());
    expect(at >= 2 && at + link.inside.size() + 2 <= body_.size());
    expect(at > last_ || last_ == 0);
    expect(body_.substr(at - 2, 2) == "[[");
    expect(body_.substr(at + link.inside.size(), 2) == "]]");
    expect(!link.inside.empty() && link.inside.size() <= 1024);
    expect(link.inside.find_first_of("[`\r\n") == std::string_view::npos);
    expect(!link.embed || (at >= 3 && body_[at - 3] == '!'));
    expect(++seen_ > 16 || link.line == line_at(body_, at));
    last_ = at;
  }

 private:
  std::string_view body_;
  std::size_t last_ = 0;
  std::size_t seen_ = 0;
};

std::vector<Found> scanned(std::string_view body, std::size_t piece) {
  std::vector<Found> found;
  LinearLinkScanner scanner([&found](const Wikilink& link) {
    found.push_back({std::string(link.inside), link.line, link.embed});
  });
  for (std::size_t at = 0; at < body.size(); at += piece) {
    scanner.feed(body.substr(at, piece));
  }
  scanner.finish();
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  Witness witness(body);
  daybook::parse::find_wikilinks(body, [&witness](const Wikilink& link) { witness.see(link); });
  const std::vector<Found> whole = scanned(body, size + 1);
  const std::size_t chosen = size == 0 ? 0 : data[size / 2];
  const std::size_t least = 1 + size / 4096;  // a sanitizer's second is soon spent on single bytes
  expect(scanned(body, least + chosen) == whole);
  expect(scanned(body, least + chosen * 300) == whole);
  return 0;
}

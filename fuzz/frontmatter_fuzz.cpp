// SPDX-License-Identifier: MIT
//
// Whatever the fast reader accepts, yaml-cpp reads in the same way; and no file crashes either.
#include "../tests/support/frontmatter_text.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace parse = daybook::parse;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const parse::FileParts parts = parse::split_file(file);
  const std::string_view yaml = parts.bounds == parse::FrontmatterBounds::found ? parts.yaml : file;
  if (yaml.size() > parse::kMostFrontmatterBytes || !daybook::base::is_valid_utf8(yaml)) {
    return 0;  // refused before any reader sees it
  }
  std::vector<daybook::lineage::Diagnostic> diagnostics;
  parse::Frontmatter whole;
  parse::read_frontmatter(yaml, whole, diagnostics);

  parse::Frontmatter fast;
  if (parse::read_frontmatter_fast(yaml, fast) == parse::FastRead::done) {
    parse::Frontmatter slow;
    diagnostics.clear();
    if (!parse::read_frontmatter_yaml(yaml, slow, diagnostics) ||
        daybook::support::to_text(fast) != daybook::support::to_text(slow)) {
      std::abort();
    }
  }
  return 0;
}

// SPDX-License-Identifier: MIT
//
// File names, timestamps, tokens and links: what is read and written again is the same.
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace lineage = daybook::lineage;
  const std::string text(reinterpret_cast<const char*>(data), size);

  const lineage::NameReading name = lineage::read_artifact_name(text);
  if (name.canonical) {
    require(to_string(name.name) == text);
  }
  if (name.form == lineage::NameForm::artifact) {
    require(lineage::read_artifact_name(to_string(name.name)).name == name.name);
  }
  if (const auto time = lineage::parse_timestamp(text)) {
    require(lineage::parse_timestamp(to_string(*time)) == time);
    require(lineage::parse_file_timestamp(to_file_string(*time)) == time);
  }
  const lineage::LinkTarget link = lineage::read_wikilink(text);
  if (link.form == lineage::LinkForm::memory_path) {
    require(link.path.starts_with("memory/") && link.path.ends_with(".md"));
    require(link.path.find("..") == std::string_view::npos ||
            !lineage::escapes_workspace(link.path));
  }
  const std::string_view sentence = text;
  const std::size_t half = sentence.size() / 2;
  lineage::sentence_flaws(sentence.substr(0, half), {sentence.substr(half), sentence});
  return 0;
}

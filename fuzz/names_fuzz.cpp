// SPDX-License-Identifier: MIT
//
// File names, tokens and links: what is read and written again is the same; a synchroniser's copy
// has the name of its original in front; a link never leads out of the workspace unnoticed.
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "require.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace lineage = daybook::lineage;
using daybook::fuzz::require;
using lineage::NameForm;

void try_name(const std::string& text) {
  const lineage::NameReading name = lineage::read_artifact_name(text);
  if (name.canonical) {
    require(to_string(name.name) == text, "a canonical name is written as it was read");
  }
  if (name.form == NameForm::artifact) {
    const auto again = lineage::read_artifact_name(to_string(name.name));
    require(again.name == name.name && again.canonical, "a name that is written is canonical");
  }
  if (const auto token = lineage::SessionToken::parse(text)) {
    require(token->to_string() == text, "a token is written as it was read");
  }
  if (lineage::is_valid_agent_id(text)) {
    require(text.find_first_of(std::string_view("/:\0", 3)) == std::string::npos && text != "..",
            "an agent's id can name a folder");
  }
}

void try_copy(const std::string& text) {
  const auto original = lineage::conflict_copy_of(text);
  const bool is_copy = lineage::read_artifact_name(text).form == NameForm::conflict_copy;
  require(!is_copy || original, "a copy of an artifact has an original");
  if (original) {
    require(text.starts_with(*original) && original->size() + 3 < text.size(),
            "an original's name is the beginning of its copy's");
    const auto of = lineage::read_artifact_name(std::string(*original).append(".md"));
    require(!is_copy || of.form == NameForm::artifact, "a copy of an artifact names it");
  }
  if (const auto before = lineage::numbered_copy_of(text)) {
    require(text.starts_with(*before) && before->size() + 3 < text.size(),
            "a numbered copy begins with the name before the number");
  }
  const auto memory_md = lineage::read_memory_md_copy(text);
  require(memory_md == lineage::MemoryMdCopy::no ||
              (text.starts_with("MEMORY") && text.ends_with(".md") && text != "MEMORY.md"),
          "a copy of MEMORY.md is named after it");
}

void try_link(const std::string& text) {
  const lineage::LinkTarget link = lineage::read_wikilink(text);
  if (link.form == lineage::LinkForm::memory_path) {
    require(link.path.starts_with("memory/") && link.path.ends_with(".md"),
            "a path into memory/ is one");
    require(
        link.path.find("..") == std::string_view::npos || !lineage::escapes_workspace(link.path),
        "no link leads out of the workspace");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try_name(text);
  try_copy(text);
  try_link(text);
  const std::string_view sentence = text;
  const std::size_t half = sentence.size() / 2;
  const auto flaws =
      lineage::sentence_flaws(sentence.substr(0, half), {sentence.substr(half), sentence});
  const std::size_t words = lineage::count_words(sentence.substr(0, half));
  require(!flaws.empty() ||
              (words >= lineage::kLeastSentenceWords && words <= lineage::kMostSentenceWords),
          "a sentence that passes has as many words as it may");
  return 0;
}

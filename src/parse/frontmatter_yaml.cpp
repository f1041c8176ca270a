// SPDX-License-Identifier: MIT
//
// Any YAML, through yaml-cpp's events. Events and not nodes: an alias is then one event instead of
// a copy of what it names, so that a bomb of aliases is read in linear time and a list that
// contains itself is no recursion.
#include "daybook/parse/frontmatter.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

namespace daybook::parse {
namespace {

using lineage::Code;
using lineage::Diagnostic;

constexpr std::string_view kPlainTag = "?";
constexpr std::string_view kQuotedTag = "!";

std::uint32_t file_line(const YAML::Mark& mark) {
  return mark.line < 0 ? 2 : static_cast<std::uint32_t>(mark.line) + 2;
}

/// Builds the mapping; the first thing that does not belong in one is remembered, the rest ignored.
class FlatMapping final : public YAML::EventHandler {
 public:
  explicit FlatMapping(Frontmatter& out) : out_(out) {}

  const std::optional<Diagnostic>& problem() const { return problem_; }
  /// Nothing at all, or only comments, is an empty mapping.
  bool is_mapping() const { return is_mapping_ || !saw_value_; }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    if (is_key_position()) {
      refuse(mark, "a key that is null");
    }
    take({{}, true}, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    refuse(mark, "an alias");
    take({{}, true}, mark);
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    saw_value_ = true;
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (is_key_position() && value == "<<" && tag == kPlainTag) {
      refuse(mark, "a merge key");
    }
    take({problem_ ? std::string_view{} : out_.keep(value), false}, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    saw_value_ = true;
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (depth_ == 1 && is_mapping_ && !is_key_position()) {
      if (!problem_) {
        out_.begin_list(*key_, key_line_);
      }
      key_.reset();
      in_list_ = true;
    } else if (depth_ > 0) {
      refuse(mark, depth_ == 1 ? "a list as a key" : "a list inside a list");
    }
    ++depth_;
  }

  void OnSequenceEnd() override {
    --depth_;
    in_list_ = in_list_ && depth_ > 1;
  }

  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (depth_ == 0) {
      is_mapping_ = true;
    } else {
      refuse(mark, "a map inside the map");
    }
    ++depth_;
  }

  void OnMapEnd() override { --depth_; }

 private:
  bool is_key_position() const { return depth_ == 1 && is_mapping_ && !key_; }

  void refuse(const YAML::Mark& mark, std::string_view what) {
    if (!problem_) {
      problem_ = Diagnostic{
          Code::yaml_forbidden, file_line(mark), "The frontmatter contains " + std::string(what)};
    }
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) {
      refuse(mark, "an anchor");
    }
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != kPlainTag && tag != kQuotedTag) {
      refuse(mark, "a tag");
    }
  }

  void take(Scalar value, const YAML::Mark& mark) {
    if (problem_ || !is_mapping_) {
      return;
    }
    if (in_list_) {
      out_.add_item(value);
    } else if (!key_) {
      key_ = value.text;
      key_line_ = file_line(mark);
    } else {
      out_.add_scalar(*key_, key_line_, value);
      key_.reset();
    }
  }

  Frontmatter& out_;
  std::optional<Diagnostic> problem_;
  std::optional<std::string_view> key_;  // read, its value not yet
  std::uint32_t key_line_ = 0;
  int depth_ = 0;
  bool saw_value_ = false;
  bool is_mapping_ = false;
  bool in_list_ = false;
};

/// yaml-cpp takes an unclosed quote to the end of the text without a word, and with it every field
/// that follows. So a field of our own is put last, and must come out again.
constexpr std::string_view kLastKey = "daybook-end-of-frontmatter";

/// A mapping in braces takes no further line, and does not close without its quotes either.
bool takes_last_key(std::string_view yaml) {
  const std::size_t first = yaml.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos || yaml[first] != '{';
}

}  // namespace

bool read_frontmatter_yaml(std::string_view yaml,
                           Frontmatter& out,
                           std::vector<Diagnostic>& diagnostics) {
  out.clear();
  FlatMapping mapping(out);
  try {
    std::string text(yaml);
    const bool guarded = takes_last_key(yaml);
    if (guarded) {
      text.append("\n").append(kLastKey).append(":\n");
    }
    std::istringstream stream(std::move(text));
    YAML::Parser parser(stream);
    parser.HandleNextDocument(mapping);
    if (mapping.problem()) {
      diagnostics.push_back(*mapping.problem());
      return false;
    }
    if (!mapping.is_mapping()) {
      diagnostics.push_back(
          {Code::yaml_syntax, 2, "The frontmatter is not a list of 'key: value'"});
      return false;
    }
    Frontmatter ignored;
    FlatMapping second(ignored);
    if (parser.HandleNextDocument(second)) {
      diagnostics.push_back({Code::yaml_syntax, 2, "The frontmatter holds a second YAML document"});
      return false;
    }
    if (guarded && !out.drop_last_if(kLastKey)) {
      const std::uint32_t line = out.fields().empty() ? 2 : out.fields().back().line;
      diagnostics.push_back({Code::yaml_syntax, line, "A quoted text is not closed"});
      return false;
    }
  } catch (const YAML::Exception& error) {
    out.clear();
    // An error at the field of our own is one of the line before it.
    const auto last_line =
        static_cast<std::uint32_t>(2 + std::count(yaml.begin(), yaml.end(), '\n')) -
        (yaml.ends_with('\n') ? 1U : 0U);
    // Something forbidden that came before the error is the better explanation of it.
    diagnostics.push_back(
        mapping.problem().value_or(Diagnostic{Code::yaml_syntax,
                                              std::min(file_line(error.mark), last_line),
                                              "The frontmatter is not valid YAML: " + error.msg}));
    return false;
  }
  return true;
}

}  // namespace daybook::parse

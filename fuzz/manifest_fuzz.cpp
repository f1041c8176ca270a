// SPDX-License-Identifier: MIT
//
// Manifests, one and a synchroniser's copy of it, and changes of its fields. An edit keeps every
// byte outside of the field's own lines, is read again as what was meant, and does nothing the
// second time. A merge is read again, has a higher revision than both, names all that both have
// named and is there, whichever of them is called the copy, and adds nothing the second time.
//
// The input: a manifest, a line `<<<<`, its copy, a line `<<<<`, lines `key=value`. A value is a
// text; `~`: null; `#1`: a number; `[a,b`: a list.
#include "canon/frontmatter_edit.hpp"
#include "canon/manifest_text.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/canon/manifest_merge.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "require.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace canon = daybook::canon;
namespace lineage = daybook::lineage;
namespace parse = daybook::parse;
using canon::FieldChange;
using daybook::fuzz::require;

constexpr lineage::Timestamp kNow{1'775'030'400'000};

std::string_view take_until(std::string_view& rest, std::string_view mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + mark.size(), rest.size()));
  return taken;
}

canon::FieldValue value_of(std::string_view text) {
  if (text == "~") {
    return {};
  }
  if (text.starts_with('#')) {
    std::uint64_t number = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), number);
    return number;
  }
  if (!text.starts_with('[')) {
    return std::string(text);
  }
  std::vector<std::string> items;
  text.remove_prefix(1);
  while (!text.empty()) {
    items.emplace_back(take_until(text, ","));
  }
  return items;
}

std::vector<FieldChange> changes_in(std::string_view text) {
  std::vector<FieldChange> changes;
  while (!text.empty() && changes.size() < 8) {
    std::string_view line = take_until(text, "\n");
    const std::string key(take_until(line, "="));
    const bool known = std::any_of(
        changes.begin(), changes.end(), [&key](const auto& change) { return change.key == key; });
    if (!known) {
      changes.push_back({key, value_of(line)});
    }
  }
  return changes;
}

// --- edits ---------------------------------------------------------------------------------------

struct Read {
  parse::FileParts parts;
  parse::Frontmatter fields;
  bool usable = false;
};

void read(std::string_view file, Read& out) {
  std::vector<lineage::Diagnostic> diagnostics;
  out.parts = parse::split_file(file);
  out.usable = out.parts.bounds == parse::FrontmatterBounds::found &&
               daybook::base::is_valid_utf8(out.parts.yaml) &&
               parse::read_frontmatter(out.parts.yaml, out.fields, diagnostics);
  require(out.usable || out.parts.bounds != parse::FrontmatterBounds::found ||
              !daybook::base::is_valid_utf8(out.parts.yaml) || !diagnostics.empty(),
          "frontmatter that cannot be used has a finding");
}

/// Where a line of the frontmatter begins in the file; line 2 is its first.
std::size_t line_begin(std::string_view file, const parse::FileParts& parts, std::uint32_t line) {
  auto at = static_cast<std::size_t>(parts.yaml.data() - file.data());
  for (std::uint32_t i = 2; i < line; ++i) {
    at = file.find('\n', at) + 1;
  }
  return at;
}

/// The bytes in front of the field's first line and behind its last.
void require_rest_kept(std::string_view file, const std::string& key, std::string_view edited) {
  Read before;
  read(file, before);
  const auto yaml_end =
      static_cast<std::size_t>(before.parts.yaml.data() - file.data()) + before.parts.yaml.size();
  std::size_t begin = yaml_end;
  std::size_t end = yaml_end;
  const auto* field = before.fields.find(key);
  if (field != nullptr) {
    begin = line_begin(file, before.parts, field->line);
    const auto* next = field + 1;
    const bool last = next == before.fields.fields().data() + before.fields.fields().size();
    end = last ? yaml_end : line_begin(file, before.parts, next->line);
  }
  require(edited.starts_with(file.substr(0, begin)), "what is before a field stays");
  require(edited.ends_with(file.substr(end)), "what is behind a field stays");
  require(begin + (file.size() - end) <= edited.size(), "and both are apart");
}

bool says(const Read& read, const FieldChange& change) {
  const auto* field = read.fields.find(change.key);
  if (field == nullptr) {
    return false;
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&change.value)) {
    const auto items = read.fields.items(*field);
    return std::equal(items.begin(),
                      items.end(),
                      list->begin(),
                      list->end(),
                      [](const parse::Scalar& item, const std::string& wanted) {
                        return !item.is_null && item.text == wanted;
                      });
  }
  if (field->is_list) {
    return false;
  }
  if (std::holds_alternative<std::monostate>(change.value)) {
    return field->scalar.is_null;
  }
  const auto* text = std::get_if<std::string>(&change.value);
  return !field->scalar.is_null &&
         field->scalar.text ==
             (text != nullptr ? *text : std::to_string(std::get<2>(change.value)));
}

void try_edits(std::string_view file, const std::vector<FieldChange>& changes) {
  const auto all = canon::edit_frontmatter(file, changes);
  if (!all) {
    require(!all.error().message.empty(), "a refusal says why");
  } else {
    Read after;
    read(*all, after);
    require(after.usable, "what was edited is read");
    for (const FieldChange& change : changes) {
      require(says(after, change), "an edited field says what it should");
    }
    const auto again = canon::edit_frontmatter(*all, changes);
    require(again && *again == *all, "an edit does nothing the second time");
  }
  for (const FieldChange& change : changes) {
    if (const auto one = canon::edit_frontmatter(file, {&change, 1})) {
      require_rest_kept(file, change.key, *one);
    }
  }
}

// --- merges --------------------------------------------------------------------------------------

/// The path under which a file with this frontmatter would be the session's manifest.
std::optional<std::string> path_for(std::string_view file) {
  Read manifest;
  read(file, manifest);
  if (!manifest.usable) {
    return std::nullopt;
  }
  const auto tokens = parse::session_tokens_of(manifest.fields);
  const auto* captured = manifest.fields.find("captured_at");
  const auto time = captured != nullptr ? lineage::parse_timestamp(captured->scalar.text)
                                        : std::optional<lineage::Timestamp>();
  if (tokens.empty() || !time) {
    return std::nullopt;
  }
  return "memory/" +
         to_string(lineage::ArtifactName{tokens.front(), *time, lineage::Kind::manifest});
}

/// All but those that a day with a 7 says are gone.
bool exists(const std::string& path) { return path.find("-07T") == std::string::npos; }

/// The files that are there, are the session's and are named.
std::set<std::string> named(const lineage::Manifest& manifest, std::string_view manifest_path) {
  std::set<std::string> paths;
  const auto add = [&](const std::string& path) {
    const auto name = lineage::read_artifact_name(path.substr(path.rfind('/') + 1));
    const auto own =
        lineage::read_artifact_name(manifest_path.substr(manifest_path.rfind('/') + 1));
    if (path.starts_with("memory/") && !lineage::escapes_workspace(path) &&
        name.form == lineage::NameForm::artifact && is_immutable(name.name.kind) &&
        name.name.token == own.name.token && exists(path)) {
      paths.insert(path);
    }
  };
  for (const auto kind :
       {lineage::Kind::summary, lineage::Kind::transcript, lineage::Kind::compaction}) {
    if (const auto& path = manifest.entry(kind).path) {
      add(path->path);
    }
  }
  for (const lineage::PathField& path : manifest.earlier_paths) {
    add(path.path);
  }
  return paths;
}

/// What the merge leaves in the original's place, if it can be made.
std::optional<std::string> merged(std::string_view original,
                                  std::string_view copy,
                                  const std::string& path) {
  const auto merge = canon::merged_manifest(original, copy, path, exists, kNow);
  if (!merge) {
    require(!merge.error().message.empty(), "a refusal says why");
    return std::nullopt;
  }
  const std::uint64_t highest = std::max(merge->original_revision, merge->copy_revision);
  if (!merge->text) {
    require(merge->winner == canon::MergeWinner::original, "a copy that wins is written");
    return std::string(original);
  }
  const auto after = canon::read_manifest(*merge->text, path);
  require(after.ok(), "a merged manifest is read");
  require(after->revision > highest, "a merged manifest has the highest revision");
  require(after->updated_at == kNow, "a merged manifest is of now");
  const auto again = canon::merged_manifest(*merge->text, copy, path, exists, kNow);
  require(again && !again->text, "a merge adds nothing the second time");
  return *merge->text;
}

void try_merge(std::string_view original, std::string_view copy) {
  const auto path = path_for(original);
  if (!path) {
    return;
  }
  const auto ours = canon::read_manifest(original, *path);
  const auto theirs = canon::read_manifest(copy, *path);
  const auto one = merged(original, copy, *path);
  const auto other = merged(copy, original, *path);
  if (!one || !other) {
    return;
  }
  std::set<std::string> both = named(*ours, *path);
  both.merge(named(*theirs, *path));
  if (both.size() > lineage::kMostEarlierPaths) {
    return;
  }
  for (const auto& text : {*one, *other}) {
    const auto after = canon::read_manifest(text, *path);
    require(after && named(*after, *path) == both, "a merge loses no file and makes none up");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view original = take_until(rest, "<<<<\n");
  const std::string_view copy = take_until(rest, "<<<<\n");
  try_edits(original, changes_in(rest));
  try_merge(original, copy);
  return 0;
}

// SPDX-License-Identifier: MIT
#include "daybook/parse/learning_rules.hpp"

#include "daybook/base/json.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/field_reader.hpp"
#include "daybook/parse/rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace daybook::parse {
namespace {

using lineage::Code;
using lineage::Diagnostic;
using lineage::Learning;
using lineage::LearningStatus;
using lineage::PublishTier;

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Whether no value in it lies so many levels below it and one more.
bool lies_within(const base::Json& value, int levels) {
  const auto inside = [levels](const base::Json& inner) {
    return levels > 0 && lies_within(inner, levels - 1);
  };
  if (const auto* elements = value.elements()) {
    return std::all_of(elements->begin(), elements->end(), inside);
  }
  const auto* members = value.members();
  return members == nullptr ||
         std::all_of(members->begin(), members->end(), [&](const auto& member) {
           return inside(member.value);
         });
}

/// All of it is looked at, since an export takes it apart: what nobody could read there would be
/// lost on the way.
bool is_metadata(std::string_view text) {
  if (text.size() > lineage::kLongestMetadata) {
    return false;
  }
  const auto object = base::Json::parse(text);
  return object && object->members() != nullptr && lies_within(*object, lineage::kDeepestMetadata);
}

/// For a note with no number anywhere: always the same for the same agent and place.
std::uint64_t id_of_path(std::string_view agent_id, std::string_view workspace_path) {
  const base::Digest digest =
      base::sha256(std::string(agent_id).append(":").append(workspace_path));
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    id = id << 8U | digest[i];
  }
  return std::max<std::uint64_t>(1, id >> 4U);  // 52 of 56 bits
}

class LearningReader {
 public:
  LearningReader(const Frontmatter& fields,
                 std::string_view path,
                 std::vector<Diagnostic>& diagnostics)
      : fields_(fields), reader_(fields, diagnostics), path_(path) {}

  Learning read(std::string_view body, std::uint32_t body_line) {
    read_kind();
    read_agent();
    read_id();
    learning_.category = lineage::learning_category(reader_.text("category", Presence::optional));
    read_scope();
    read_standing();
    learning_.origin =
        one_of("origin", lineage::kLearningOriginNames, lineage::LearningOrigin::person);
    learning_.sensitivity =
        one_of("sensitivity", lineage::kSensitivityNames, lineage::Sensitivity::scoped);
    read_times();
    learning_.revision =
        reader_.number("revision", Presence::optional, lineage::kMostRevision).value_or(1);
    read_metadata();
    learning_.revoked_reason = reader_.text("revoked_reason", Presence::optional);
    read_content(body, body_line);
    return std::move(learning_);
  }

 private:
  /// The value that the field names; a missing one is `otherwise`, an unknown one a finding.
  template <typename Value, std::size_t Count>
  std::optional<Value> named(std::string_view field,
                             const std::array<std::string_view, Count>& names,
                             Presence presence) {
    const std::string text = reader_.text(field, presence);
    if (text.empty()) {
      return std::nullopt;
    }
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) {
      return static_cast<Value>(found - names.begin());
    }
    std::string message = "Field " + base::quoted(field) + " must be one of";
    for (std::size_t i = 0; i < Count; ++i) {
      message.append(i == 0 ? " " : i + 1 < Count ? ", " : " or ").append(names[i]);
    }
    reader_.add(Code::wrong_type, reader_.line(field), std::move(message));
    return std::nullopt;
  }

  template <typename Value, std::size_t Count>
  Value one_of(std::string_view field,
               const std::array<std::string_view, Count>& names,
               Value otherwise) {
    return named<Value>(field, names, Presence::optional).value_or(otherwise);
  }

  void read_kind() {
    learning_.kind =
        named<lineage::LearningKind>("learning_kind", lineage::kLearningKindNames, Presence::value)
            .value_or(lineage::LearningKind::fact);
  }

  void read_agent() {
    learning_.agent_id = reader_.text("agent_id", Presence::optional);
    if (learning_.agent_id.empty()) {
      learning_.agent_id = lineage::kDefaultAgent;
    } else if (!lineage::is_valid_agent_id(learning_.agent_id)) {
      reader_.add(Code::bad_agent_id, reader_.line("agent_id"), {});
    }
  }

  void read_id() {
    if (reader_.number("learning_id", Presence::optional, lineage::kMostLearningId) == 0U) {
      reader_.add(Code::wrong_type,
                  reader_.line("learning_id"),
                  "Field 'learning_id' must be a whole number above 0");
    }
    const auto claimed = claimed_learning_id(fields_, path_);
    has_number_ = claimed.has_value();
    learning_.id = claimed ? *claimed : id_of_path(learning_.agent_id, path_);
  }

  void read_scope() {
    const std::string text = reader_.text("scope", Presence::optional);
    if (text.empty()) {
      return;
    }
    if (auto scope = lineage::learning_scope_from_string(text)) {
      learning_.scope = std::move(*scope);
    } else {
      reader_.add(Code::wrong_type,
                  reader_.line("scope"),
                  "Field 'scope' must be workspace:default, project:PATH or session:KEY");
    }
  }

  /// Of status and tier either may be left out; both say whether a prompt may see the note, and
  /// must not say two things.
  void read_standing() {
    const auto status =
        named<LearningStatus>("status", lineage::kLearningStatusNames, Presence::optional);
    const auto tier =
        named<PublishTier>("publish_tier", lineage::kPublishTierNames, Presence::optional);
    learning_.tier = tier.value_or(status == LearningStatus::provisional ? PublishTier::provisional
                                                                         : PublishTier::active);
    learning_.status = status.value_or(
        tier == PublishTier::provisional ? LearningStatus::provisional : LearningStatus::active);
    const bool at_odds =
        (learning_.status == LearningStatus::active &&
         learning_.tier == PublishTier::provisional) ||
        (learning_.status == LearningStatus::provisional && learning_.tier == PublishTier::active);
    if (at_odds) {
      reader_.add(Code::learning_status,
                  reader_.line("publish_tier"),
                  "status is " + std::string(to_string(learning_.status)) +
                      ", but publish_tier is " + std::string(to_string(learning_.tier)));
    }
  }

  void read_times() {
    const auto created = reader_.timestamp("created_at", Presence::optional);
    learning_.created_at =
        created.value_or(has_number_ ? lineage::learning_time(learning_.id) : lineage::Timestamp{});
    learning_.updated_at =
        reader_.timestamp("updated_at", Presence::optional).value_or(learning_.created_at);
    learning_.expires_at = reader_.timestamp("expires_at", Presence::optional);
    learning_.revoked_at = reader_.timestamp("revoked_at", Presence::optional);
  }

  void read_metadata() {
    const std::string text = reader_.text("metadata", Presence::optional);
    const std::string_view object = trimmed(text);
    if (object.empty()) {
      return;
    }
    if (!is_metadata(object)) {
      reader_.add(Code::wrong_type,
                  reader_.line("metadata"),
                  "Field 'metadata' must be a JSON object in quotes, of at most 16 KiB and 32 "
                  "levels, with each name once");
      return;
    }
    learning_.metadata = object;
  }

  void read_content(std::string_view body, std::uint32_t body_line) {
    const std::string_view content = trimmed(body);
    if (!base::shows_anything(content)) {
      reader_.add(Code::missing_field, body_line, "The note says nothing: its body is empty");
      return;
    }
    const bool huge = content.size() > kMostLearningBytes;
    const std::size_t characters = huge ? 0 : base::count_characters(content);
    if (huge || characters > lineage::kLongestLearning) {
      reader_.add(Code::too_large,
                  body_line,
                  "The body has " +
                      (huge ? "more than 64 KiB" : std::to_string(characters) + " characters") +
                      ", at most " + std::to_string(lineage::kLongestLearning) +
                      " characters are kept");
      return;
    }
    learning_.content = with_plain_line_ends(content);
  }

  const Frontmatter& fields_;
  FieldReader reader_;
  std::string_view path_;
  Learning learning_;
  bool has_number_ = false;
};

}  // namespace

std::string with_plain_line_ends(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain.push_back(text[i]);
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      plain.push_back('\n');
    }
  }
  return plain;
}

bool is_learning_note(const Frontmatter& fields) {
  const auto* kind = fields.find("kind");
  if (kind == nullptr) {
    return fields.find("learning_kind") != nullptr;
  }
  return !kind->is_list && kind->scalar.text == lineage::kLearningKindField;
}

std::optional<std::uint64_t> claimed_learning_id(const Frontmatter& fields,
                                                 std::string_view workspace_path) {
  const auto* field = fields.find("learning_id");
  if (field != nullptr && !field->is_list) {
    const std::string_view digits = field->scalar.text;
    std::uint64_t id = 0;  // zeros in front do not make it another one
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (error == std::errc{} && end == digits.data() + digits.size() && id != 0 &&
        id <= lineage::kMostLearningId) {
      return id;
    }
  }
  return lineage::is_learning_path(workspace_path)
             ? lineage::learning_id_of_name(base::file_name_of(workspace_path))
             : std::nullopt;
}

LearningClaim learning_claim(const Frontmatter& fields, std::string_view workspace_path) {
  LearningClaim claim{std::nullopt, std::string(agent_id_of(fields))};
  const std::string_view name = workspace_path.substr(workspace_path.rfind('/') + 1);
  if (!lineage::is_learning_path(workspace_path) || lineage::read_artifact_name(name).kind) {
    return claim;
  }
  if (is_learning_note(fields)) {
    std::vector<Diagnostic> not_reported;
    claim.id = read_learning(fields, workspace_path, {}, 0, not_reported).id;
  } else {
    claim.id = claimed_learning_id(fields, workspace_path);
  }
  return claim;
}

Learning read_learning(const Frontmatter& fields,
                       std::string_view workspace_path,
                       std::string_view body,
                       std::uint32_t body_line,
                       std::vector<Diagnostic>& diagnostics) {
  return LearningReader(fields, workspace_path, diagnostics).read(body, body_line);
}

}  // namespace daybook::parse

// SPDX-License-Identifier: MIT
#include "learn/judgement.hpp"

#include "daybook/base/unicode.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/capture/configured_model.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "daybook/redact/literals.hpp"
#include "daybook/redact/secret_guard.hpp"
#include "learn/bounded_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace daybook::learn {
namespace {

constexpr std::size_t kLongestReason = 500;
constexpr std::size_t kLongestScope = 1024;
constexpr std::size_t kMostRaw = 64UL * 1024;

Error refused(std::string message, std::string hint = {}) {
  return {ErrorKind::usage, std::move(message), {}, std::move(hint)};
}

/// C0 but for tabs and line ends, DEL and C1.
bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0);
}

bool has_control(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    const auto [c, size] = base::decode_utf8(utf8, at);
    if (is_control(c)) {
      return true;
    }
    at += size;
  }
  return false;
}

/// With LF line ends, and without blanks around it.
std::string plain(std::string_view text) {
  const std::string kept = parse::with_plain_line_ends(text);
  const std::size_t first = kept.find_first_not_of(" \t\n");
  return first == std::string::npos
             ? std::string()
             : kept.substr(first, kept.find_last_not_of(" \t\n") - first + 1);
}

Result<void> refuse_secret(std::string_view what, std::optional<std::string_view> shape) {
  if (shape) {
    return refused(std::string(what)
                       .append(" seems to hold a secret (")
                       .append(*shape)
                       .append("), so nothing was stored"),
                   "Say where the secret is kept instead of what it is.");
  }
  return {};
}

Result<void> guard(std::string_view what,
                   std::string_view text,
                   const std::vector<std::string>& literals) {
  return refuse_secret(what, redact::secret_in(text, literals));
}

Result<void> check_text(std::string_view what, std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes) {
    return refused(std::string(what).append(" has ") + std::to_string(text.size()) +
                   " bytes, which is far too much");
  }
  if (!base::is_valid_utf8(text)) {
    return refused(std::string(what).append(" is not UTF-8"));
  }
  return {};
}

Result<void> check_controls(std::string_view what, std::string_view text) {
  return has_control(text) ? refused(std::string(what).append(" holds a control character"),
                                     "Take it out: what is stored is shown as it is.")
                           : Result<void>();
}

/// On one line, without control characters and secrets; of any length.
Result<std::string> harmless_reason(const std::string& text,
                                    const std::vector<std::string>& literals) {
  TRY(check_text("the reason", text, kMostRaw));
  TRY(check_controls("the reason", text));
  std::string reason = plain(text);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  TRY(guard("the reason", reason, literals));
  return reason;
}

/// Where so many characters end.
std::size_t end_of_characters(std::string_view utf8, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t characters = 0; at < utf8.size(); ++at) {
    if (!base::continues_character(utf8[at]) && ++characters > most) {
      break;
    }
  }
  return at;
}

}  // namespace

Result<std::vector<std::string>> literals_of(const Desk& desk) {
  const parse::CaptureConfig& capture = desk.config.capture;
  if (capture.literals_file.empty()) {
    return std::vector<std::string>();
  }
  auto literals =
      redact::read_literals(desk.disk, capture::literals_path(capture, desk.folder.workspace()));
  if (!literals) {
    return std::move(literals).error().in_context(
        "no text is taken without the list of those to redact");
  }
  return literals;
}

Result<std::string> storable_content(const std::string& text,
                                     const std::vector<std::string>& literals) {
  TRY(check_text("the content", text, kMostRaw));
  TRY(check_controls("the content", text));
  std::string content = plain(text);
  if (!base::shows_anything(content)) {
    return refused("there is nothing to remember: the content is empty");
  }
  const std::size_t characters = base::count_characters(content);
  if (characters > lineage::kLongestLearning) {
    return refused("the content has " + std::to_string(characters) + " characters, " +
                       std::to_string(characters - lineage::kLongestLearning) + " more than the " +
                       std::to_string(lineage::kLongestLearning) + " that a note takes",
                   "Keep one thing a note: shorten it, or make several of it.");
  }
  TRY(guard("the content", content, literals));
  return content;
}

Result<std::string> storable_metadata(const std::string& text,
                                      const std::vector<std::string>& literals) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return std::string();
  }
  TRY(check_text("the metadata", text, lineage::kLongestMetadata));
  const auto object = parse_bounded<nlohmann::ordered_json>(text, lineage::kDeepestMetadata);
  if (!object.is_object()) {
    return refused("the metadata is no JSON object", R"(Such as {"source": "standup"}.)");
  }
  std::string compact = object.empty() ? std::string() : object.dump();
  // As it is stored, and without the escapes that may hide words.
  TRY(refuse_secret("the metadata", redact::secret_in_json(compact, literals)));
  TRY(check_text("the metadata", compact, lineage::kLongestMetadata));
  return compact;
}

Result<std::string> storable_category(const std::string& text,
                                      const std::vector<std::string>& literals) {
  TRY(check_text("the category", text, kMostRaw));
  TRY(guard("the category", text, literals));  // before its form hides what it was
  std::string category = lineage::learning_category(text);
  TRY(guard("the category", category, literals));
  return category;
}

Result<std::string> storable_reason(const std::string& text,
                                    const std::vector<std::string>& literals) {
  TRY_ASSIGN(std::string reason, harmless_reason(text, literals));
  if (base::count_characters(reason) > kLongestReason) {
    return refused("the reason has more than " + std::to_string(kLongestReason) + " characters");
  }
  return reason;
}

Result<std::string> cut_reason(const std::string& text, const std::vector<std::string>& literals) {
  TRY_ASSIGN(std::string reason, harmless_reason(text, literals));
  reason = plain(std::string_view(reason).substr(0, end_of_characters(reason, kLongestReason)));
  TRY(guard("the reason", reason, literals));  // as it is read again
  return reason;
}

Result<std::string> storable_reason(const Desk& desk, const std::string& text) {
  TRY_ASSIGN(const auto literals, literals_of(desk));
  TRY_ASSIGN(std::string reason, storable_reason(text, literals));
  if (!base::shows_anything(reason)) {
    return refused("this needs a reason",
                   "Add one; it is kept in the tombstone, so it must not hold what is to go.");
  }
  return reason;
}

Result<void> storable_scope(const lineage::LearningScope& scope,
                            const std::vector<std::string>& literals) {
  // As whoever asked has called it: many name a project or a session and no scope.
  const std::string what = scope.kind == lineage::ScopeKind::project   ? "the project"
                           : scope.kind == lineage::ScopeKind::session ? "the session"
                                                                       : "the scope";
  TRY(check_text(what, scope.id, kLongestScope));
  if (has_control(scope.id) || scope.id.find_first_of("\t\n\r") != std::string::npos ||
      lineage::learning_scope_from_string(lineage::to_string(scope)) != scope) {
    return scope.kind == lineage::ScopeKind::workspace
               ? refused("the scope must be workspace:default, project:PATH or session:KEY")
               : refused(what + " must be one line of text without blanks around it");
  }
  return guard(what, scope.id, literals);
}

const parse::LearningLimit& limit_of(const parse::Config& config, lineage::MemoryType type) {
  const parse::LearningsConfig& learnings = config.learnings;
  return type == lineage::MemoryType::semantic   ? learnings.semantic
         : type == lineage::MemoryType::episodic ? learnings.episodic
                                                 : learnings.procedural;
}

std::string section_of(lineage::MemoryType type) {
  return std::string("learnings.").append(to_string(type));
}

}  // namespace daybook::learn

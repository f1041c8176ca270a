// SPDX-License-Identifier: MIT
//
// Something learned, as a value: one note below memory/learnings/, mutable, unlike what a session
// left behind. Names, categories and ids; which of them a prompt may see. Pure.
#pragma once

#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::lineage {

inline constexpr std::string_view kLearningsFolder = "memory/learnings";
inline constexpr std::string_view kLearningKindField = "learning";  ///< frontmatter: `kind`

/// Of the content, in characters.
inline constexpr std::size_t kLongestLearning = 1600;

/// Of the metadata, in bytes, and how far below the object itself a value may lie: written out with
/// an indent for each level, a few KiB of brackets would become hundreds of MiB.
inline constexpr std::size_t kLongestMetadata = 16UL * 1024;
inline constexpr int kDeepestMetadata = 32;

enum class LearningKind : std::uint8_t { fact, preference, decision, procedure, episode };
inline constexpr std::array<std::string_view, 5> kLearningKindNames{
    "fact", "preference", "decision", "procedure", "episode"};

/// What agents call them: semantic is fact, preference and decision.
enum class MemoryType : std::uint8_t { semantic, episodic, procedural };
inline constexpr std::array<std::string_view, 3> kMemoryTypeNames{
    "semantic", "episodic", "procedural"};

enum class LearningStatus : std::uint8_t { active, provisional, superseded, revoked, archived };
inline constexpr std::array<std::string_view, 5> kLearningStatusNames{
    "active", "provisional", "superseded", "revoked", "archived"};

/// Only of active and provisional notes more than a word: `active` may be told, `provisional` not.
enum class PublishTier : std::uint8_t { active, provisional };
inline constexpr std::array<std::string_view, 2> kPublishTierNames{"active", "provisional"};

/// Who wrote it: a person, an agent, Daybook itself.
enum class LearningOrigin : std::uint8_t { person, api, daemon };
inline constexpr std::array<std::string_view, 3> kLearningOriginNames{"operator", "api", "daemon"};

enum class Sensitivity : std::uint8_t { scoped, sensitive };
inline constexpr std::array<std::string_view, 2> kSensitivityNames{"scoped", "sensitive"};

enum class ScopeKind : std::uint8_t { session, project, workspace };
inline constexpr std::array<std::string_view, 3> kScopeKindNames{"session", "project", "workspace"};

inline std::string_view to_string(LearningKind kind) {
  return kLearningKindNames[static_cast<std::size_t>(kind)];
}
inline std::string_view to_string(MemoryType type) {
  return kMemoryTypeNames[static_cast<std::size_t>(type)];
}
inline std::string_view to_string(LearningStatus status) {
  return kLearningStatusNames[static_cast<std::size_t>(status)];
}
inline std::string_view to_string(PublishTier tier) {
  return kPublishTierNames[static_cast<std::size_t>(tier)];
}
inline std::string_view to_string(LearningOrigin origin) {
  return kLearningOriginNames[static_cast<std::size_t>(origin)];
}
inline std::string_view to_string(Sensitivity sensitivity) {
  return kSensitivityNames[static_cast<std::size_t>(sensitivity)];
}
inline std::string_view to_string(ScopeKind kind) {
  return kScopeKindNames[static_cast<std::size_t>(kind)];
}

std::optional<LearningKind> learning_kind_from_string(std::string_view name);
std::optional<MemoryType> memory_type_from_string(std::string_view name);
std::optional<LearningStatus> learning_status_from_string(std::string_view name);
std::optional<LearningOrigin> learning_origin_from_string(std::string_view name);
std::optional<Sensitivity> sensitivity_from_string(std::string_view name);

MemoryType memory_type_of(LearningKind kind);

/// `workspace:default`, `project:/home/me/tidewater`, `session:KEY`.
struct LearningScope {
  ScopeKind kind = ScopeKind::workspace;
  std::string id = "default";
  bool operator==(const LearningScope&) const = default;
};

std::string to_string(const LearningScope& scope);
/// The part behind the colon may have blanks around it; a workspace is always `default`.
std::optional<LearningScope> learning_scope_from_string(std::string_view text);

struct Learning {
  std::uint64_t id = 0;
  std::string agent_id;
  LearningKind kind = LearningKind::fact;
  std::string category;  ///< as learning_category() gives it
  LearningScope scope;
  LearningStatus status = LearningStatus::active;
  PublishTier tier = PublishTier::active;
  LearningOrigin origin = LearningOrigin::person;
  Sensitivity sensitivity = Sensitivity::scoped;
  Timestamp created_at;
  Timestamp updated_at;
  std::optional<Timestamp> expires_at;
  std::uint64_t revision = 1;
  std::string metadata;  ///< a JSON object; empty: none
  std::string content;   ///< without blanks at both ends
  std::optional<Timestamp> revoked_at;
  std::string revoked_reason;
  bool operator==(const Learning&) const = default;

  bool is_expired(Timestamp now) const { return expires_at && *expires_at <= now; }
  /// Whether it may stand in a prompt, an answer or MEMORY.md at that time.
  bool is_shown(Timestamp now) const {
    return status == LearningStatus::active && tier == PublishTier::active &&
           sensitivity == Sensitivity::scoped && !is_expired(now);
  }
};

/// Each run of characters outside a-z and 0-9 is one underscore, none at the ends; nothing left:
/// `general`.
std::string learning_category(std::string_view text);

/// Milliseconds since 2020 and 12 random bits: grows with time, hardly ever the same on two
/// devices, and below 2^53 so that every reader of JSON keeps it.
std::uint64_t learning_id(Timestamp now, std::uint32_t random);
inline constexpr std::uint64_t kMostLearningId = 9'007'199'254'740'991;

/// When learning_id() gave that id; 2020 for a number that was chosen by hand.
Timestamp learning_time(std::uint64_t id);

/// The digits, without a leading zero or anything else; 0 and what is above kMostLearningId is
/// none.
std::optional<std::uint64_t> learning_id_from_string(std::string_view text);

/// The first words of the content as they may stand in a file name; never empty.
std::string learning_slug(std::string_view content);

/// `memory/learnings/{id}-{slug}.md`.
std::string learning_path(std::uint64_t id, std::string_view content);

/// The id that a file's name begins with, in the form that learning_path() writes. A date, as
/// people put it before their notes, is none.
std::optional<std::uint64_t> learning_id_of_name(std::string_view file_name);

/// In the names of its tombstones and its lock: that of the identity `learning:ID`.
SessionToken learning_token(std::string_view agent_id, std::uint64_t id);

/// Whose note it is by what its file says: one that names nobody, or nobody that can be, is the
/// default agent's.
std::string_view learning_owner(std::string_view claimed_agent);

/// Whether a workspace path is that of a note below memory/learnings/.
bool is_learning_path(std::string_view workspace_path);

}  // namespace daybook::lineage

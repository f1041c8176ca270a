// SPDX-License-Identifier: MIT
//
// (agent, session identity) -> the 16 characters that name a session in file names: the first 80
// bits of SHA-256 of `agent_id:identity` in lower-case base32. Kept as its ten bytes, because a
// vault's listing holds hundreds of thousands of them. Pure.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::lineage {

class SessionToken {
 public:
  static constexpr std::size_t kLength = 16;

  SessionToken() = default;

  static SessionToken derive(std::string_view agent_id, std::string_view identity);
  /// Sixteen lower-case base32 letters, else nothing.
  static std::optional<SessionToken> parse(std::string_view text);

  std::string to_string() const;
  auto operator<=>(const SessionToken&) const = default;

 private:
  std::array<std::uint8_t, 10> bits_{};
};

/// A session is known by its key when it has one, else by its id.
inline std::string_view session_identity(std::string_view session_key,
                                         std::string_view session_id) {
  return session_key.empty() ? session_id : session_key;
}

/// `[A-Za-z0-9._-]`, 1 to 64 characters, not `.` or `..`. A colon would let two agents share a
/// token, a slash would let one write into another's folder.
bool is_valid_agent_id(std::string_view agent_id);

/// Whose a note is that does not say so, and whose memory it is when nobody is named.
inline constexpr std::string_view kDefaultAgent = "default";

}  // namespace daybook::lineage

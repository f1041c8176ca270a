// SPDX-License-Identifier: MIT
#include "daybook/lineage/session_token.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <set>
#include <string>
#include <vector>

namespace daybook::lineage {
namespace {

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";

rc::Gen<std::string> token_text() {
  return rc::gen::container<std::string>(SessionToken::kLength,
                                         rc::gen::elementOf(std::string(kAlphabet)));
}

}  // namespace

TEST_CASE("tokens are those that other programs derive") {
  // Computed with Python's hashlib and base64.
  CHECK(SessionToken::derive("default", "a245b4fc-b607-4c50-8566-ebe23264272f").to_string() ==
        "ly63agshl7q5mxfi");
  CHECK(SessionToken::derive("alice", "default:187f132d").to_string() == "cq32lt7w5vtsqfrx");
  CHECK(SessionToken::derive("default", "会话-1").to_string() == "bozi3yioxozgkljr");
}

TEST_CASE("agent and identity both decide the token") {
  const std::set<std::string> tokens{SessionToken::derive("a", "x").to_string(),
                                     SessionToken::derive("b", "x").to_string(),
                                     SessionToken::derive("a", "y").to_string(),
                                     SessionToken::derive("A", "x").to_string(),
                                     SessionToken::derive("a", "x ").to_string(),
                                     SessionToken::derive("a", "").to_string(),
                                     SessionToken::derive("", "a:x").to_string()};
  CHECK(tokens.size() == 7);
  // Why an agent's id may hold no colon: these two would be the same session.
  CHECK(SessionToken::derive("a:b", "c") == SessionToken::derive("a", "b:c"));
}

TEST_CASE("a token is sixteen lower-case base32 letters") {
  REQUIRE(rc::check("derived tokens", [](const std::string& agent, const std::string& identity) {
    const SessionToken token = SessionToken::derive(agent, identity);
    const std::string text = token.to_string();
    RC_ASSERT(text.size() == SessionToken::kLength);
    RC_ASSERT(text.find_first_not_of(kAlphabet) == std::string::npos);
    RC_ASSERT(SessionToken::parse(text) == token);
  }));
}

TEST_CASE("a token is written as it was read") {
  REQUIRE(rc::check("round trip", [] {
    const auto text = *token_text();
    const auto token = SessionToken::parse(text);
    RC_ASSERT(token.has_value());
    RC_ASSERT(token->to_string() == text);
  }));
  for (const std::string text : {"aaaaaaaaaaaaaaaa",
                                 "7777777777777777",
                                 "abcdefghijklmnop",
                                 "qrstuvwxyz234567",
                                 "a7a7a7a77a7a7a7a"}) {
    REQUIRE(SessionToken::parse(text).has_value());
    CHECK(SessionToken::parse(text)->to_string() == text);
  }
  CHECK(SessionToken{}.to_string() == "aaaaaaaaaaaaaaaa");
}

TEST_CASE("different tokens stay different and keep the order of their text in base32") {
  REQUIRE(rc::check("one letter changed", [] {
    const auto text = *token_text();
    std::string other = text;
    const auto at = *rc::gen::inRange<std::size_t>(0, SessionToken::kLength);
    other[at] = *rc::gen::elementOf(std::string(kAlphabet));
    RC_ASSERT((SessionToken::parse(text) == SessionToken::parse(other)) == (text == other));
    const bool before = kAlphabet.find(text[at]) < kAlphabet.find(other[at]);
    RC_ASSERT((*SessionToken::parse(text) < *SessionToken::parse(other)) == before);
  }));
}

TEST_CASE("nothing else is read as a token") {
  const std::string good = "ly63agshl7q5mxfi";
  REQUIRE(SessionToken::parse(good).has_value());
  CHECK_FALSE(SessionToken::parse("").has_value());
  CHECK_FALSE(SessionToken::parse(good.substr(1)).has_value());
  CHECK_FALSE(SessionToken::parse(good + "a").has_value());
  CHECK_FALSE(SessionToken::parse("LY63AGSHL7Q5MXFI").has_value());
  CHECK_FALSE(SessionToken::parse("h7k3n4p9m2x1q8r5").has_value());  // 9, 1 and 8 are not in base32
  for (const char c : {'0', '1', '8', '9', 'A', 'Z', '-', '=', ' ', '\0', '\xC3', '{', '`'}) {
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string text = good;
      text[at] = c;
      CAPTURE(static_cast<int>(c), at);
      CHECK_FALSE(SessionToken::parse(text).has_value());
    }
  }
}

TEST_CASE("a session is known by its key when it has one and else by its id") {
  CHECK(session_identity("key", "id") == "key");
  CHECK(session_identity("", "id") == "id");
  CHECK(session_identity("", "").empty());
}

TEST_CASE("agent ids are short and plain") {
  for (const std::string& id : {std::string("default"),
                                std::string("a"),
                                std::string("A.b_c-9"),
                                std::string("..."),
                                std::string(".hidden"),
                                std::string("-"),
                                std::string("0"),
                                std::string(64, 'x')}) {
    CAPTURE(id);
    CHECK(is_valid_agent_id(id));
  }
  for (const std::string& id : {std::string(),
                                std::string("."),
                                std::string(".."),
                                std::string(65, 'x'),
                                std::string("a:b"),
                                std::string("a/b"),
                                std::string("../x"),
                                std::string("a\\b"),
                                std::string("a b"),
                                std::string(" a"),
                                std::string("a\n"),
                                std::string("a\0b", 3),
                                std::string("é"),
                                std::string("会"),
                                std::string("a|b"),
                                std::string("a@b"),
                                std::string("a+b"),
                                std::string("~"),
                                std::string("%2e%2e")}) {
    CAPTURE(id);
    CHECK_FALSE(is_valid_agent_id(id));
  }
}

TEST_CASE("every character is either allowed in an agent id or not") {
  const std::string allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  for (int c = 0; c < 256; ++c) {
    const bool expected = allowed.find(static_cast<char>(c)) != std::string::npos;
    CAPTURE(c);
    CHECK(is_valid_agent_id(std::string("x") + static_cast<char>(c)) == expected);
  }
}

}  // namespace daybook::lineage

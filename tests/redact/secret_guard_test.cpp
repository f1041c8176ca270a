// SPDX-License-Identifier: MIT
//
// What may be remembered and what is refused: two tables, and the work for hostile text.
#include "daybook/redact/secret_guard.hpp"

#include "daybook/redact/sanitizer.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::test {
namespace {

using redact::secret_in;

std::string shape_of(std::string_view content) {
  return std::string{secret_in(content).value_or("")};
}

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) {
    all += text;
  }
  return all;
}

}  // namespace

TEST_CASE("What people and agents remember passes the secret guard") {
  for (const std::string_view content : {
           "Token budget is 1000.",
           "Pat prefers concise reports.",
           "Pat: prefers concise reports",
           "The client secretariat prefers letters: two copies.",
           "compat: yes",
           "compat=yes",
           "The combat: a short one",
           "max_tokens: 4096",
           "max_tokens=4096",
           "token_count = 12",
           "tokens: three of them",
           "The password policy: twelve characters",
           "Password is required for the staging host.",
           "The deploy token is rotated every month.",
           "The API key is stored in the keychain.",
           "The authorization was given by Ana: on Friday.",
           "The bearer of the token gets in.",
           "The primary key: an integer.",
           "The key is to write the tombstone first.",
           "Secrets never go into the vault.",
           "Access keys live in the vault's keeper.",
           "Mail ana@example.com before the release.",
           "Call +1 415 555 0100 on Fridays.",
           "Commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b broke the ferry timetable.",
           "redacted logs go to the archive",
           "a < redacted",
           "Use ports 4400-4410.\nThe tide table is UTC: always.",
           "Path: /srv/patches = current",
           "PWD=/srv/ferry",
           "Run pwd: it prints the folder.",
           "The pwd command; the pw group: see /etc/group.",
           "Spawn = pwned",
           "The na\u00efve caf\u00e9 \u2026 5\u00a0\u20ac, zero\u200bwidth.",
           "",
       }) {
    INFO(content);
    CHECK(shape_of(content).empty());
  }
}

TEST_CASE("What holds a secret, or says that it does, is refused") {
  for (const std::string_view content : {
           "api-key: x",
           "API_KEY=",
           "x-api-key: nine",
           "`X-Api-Key`: nine",
           "clientSecret: tide",
           "\"clientSecret\": \"tide\"",
           "client secret = tide",
           "clientsecret=tide",
           "secret_token=",
           "personal access token=tide",
           "personal access token: tide",
           "githubAccessToken: tide",
           "refresh token is tide4",
           "the bearer token is tide4",
           "password is hunter2",
           "The staging password is **hunter2**",
           "**password**: tide",
           "password:tide",
           "Passphrase = correct horse battery staple",
           "private_key: tide",
           "PRIVATE KEY IS tide",
           "myapikey: tide",
           "OPENAIKEY_PASSWD = tide",
           "token: tide",
           "pat: tide",
           "PAT=tide",
           "GITHUB_PAT=tide",
           "authorization: bearer tide",
           "Authorization bearer tide",
           "authorization=\"Bearer tide\"",
           "Line one.\nLine two, and token = tide.",
           "my pw = hunter2",
           "DB_PW=tide",
           "pw: correct horse",
           "pwd: hunter2",
           "pass\u200bword: hunter2hunter",
           "pass\u00adword: hunter2",
           "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44: hunter2",
           "password\uff1a hunter2",
           "ghp_\u200babcdefghijklmnopqrstuvwxyz0123456789",
       }) {
    INFO(content);
    CHECK_FALSE(shape_of(content).empty());
  }
}

TEST_CASE("The guard names the shape") {
  CHECK(shape_of("api-key: x") == "secret-assignment");
  CHECK(shape_of("The key was <redacted>.") == "redaction-marker");
  CHECK(shape_of("Mail <redacted:email> first.") == "redaction-marker");
  CHECK(shape_of("The key was \u2039redacted\u203a.") == "redaction-marker");
  CHECK(shape_of("The key was &lt;REDACTED&gt;.") == "redaction-marker");
  CHECK(shape_of("use ghp_"
                 "0123456789abcdefABCDEF0123456789abcd") == "github-token");
  CHECK(shape_of("postgres://app:tide99x@db/ferry") == "url-password");
}

TEST_CASE("Whatever the sanitizer takes out as a secret, the guard refuses") {
  const std::vector<std::string> literals{"harbour-master-code"};
  for (const std::string& content : {
           std::string{"AKIA"} + "IOSFODNN7EXAMPLE",
           std::string{"-----BEGIN RSA PRIVATE"} + " KEY-----\nMIIEow\n",
           std::string{"eyJhbGciOiJIUzI1NiJ9"} + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
           std::string{"curl -H 'Cookie: session=af83bd71c09e'"},
           std::string{"say harbour-master-code at the gate"},
       }) {
    INFO(content);
    redact::Policy policy;
    policy.pii = redact::Pii::kept;
    policy.literals = literals;
    redact::Report report;
    redact::sanitize(content, policy, &report);
    CHECK(report.secrets > 0);
    CHECK(secret_in(content, literals));
  }
  CHECK_FALSE(secret_in("say harbour-master-code at the gate"));
}

TEST_CASE("The guard takes long and hostile text in one go") {
  constexpr std::size_t kBytes = 2 << 20;
  for (const std::string_view piece : {"authorization/",
                                       "client_",
                                       "token\"",
                                       "apiApiAPI",
                                       "<",
                                       "personal access ",
                                       "is is ",
                                       "\xff\xfe",
                                       "password  "}) {
    INFO(piece);
    const std::string text = repeated(piece, kBytes);
    secret_in(text);
    CHECK(secret_in(text + "\nmy api-key: x"));
  }
}

}  // namespace daybook::test

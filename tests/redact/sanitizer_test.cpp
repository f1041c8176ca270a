// SPDX-License-Identifier: MIT
//
// What holds for every text: golden files, pieces, idempotency, valid output, linear work, bounded
// memory, the report.
#include "daybook/redact/sanitizer.hpp"

#include "daybook/base/utf8.hpp"
#include "support/planted.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace daybook::test {
namespace {

using redact::Pii;
using redact::Policy;
using redact::Report;
using redact::sanitize;
using redact::Sanitizer;

const std::filesystem::path kGolden = std::string(DAYBOOK_SOURCE_DIR) + "/tests/redact/golden";

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string in_pieces(const std::vector<std::string>& pieces, const Policy& policy) {
  Sanitizer sanitizer(policy);
  std::string out;
  for (const std::string& piece : pieces) {
    sanitizer.feed(piece, out);
  }
  sanitizer.finish(out);
  return out;
}

/// Texts that are rich in what the rules look at.
const std::vector<std::string>& hostile_parts() {
  static const std::vector<std::string> parts{"\n",
                                              "\n",
                                              " ",
                                              "\t",
                                              "\r\n",
                                              "\r",
                                              "a",
                                              "x1",
                                              "-",
                                              "--",
                                              "_",
                                              ".",
                                              ":",
                                              ": ",
                                              "=",
                                              "==",
                                              "@",
                                              "\"",
                                              "'",
                                              "\\n",
                                              "\\",
                                              "+",
                                              "> ",
                                              "# ",
                                              "<",
                                              ">",
                                              "<redacted>",
                                              "<redacted:card>",
                                              "password",
                                              "token",
                                              "secret",
                                              "key",
                                              "api_",
                                              "Bearer ",
                                              "Authorization",
                                              "Cookie: ",
                                              "://",
                                              "?sig=",
                                              "&",
                                              "-u ",
                                              "-----BEGIN PRIVATE KEY-----",
                                              "-----END PRIVATE KEY-----",
                                              "ghp_",
                                              "sk-",
                                              "AKIA",
                                              "eyJhbGc",
                                              "SK",
                                              "AC",
                                              "Q~",
                                              "8",
                                              "4111111111111111",
                                              "4111 1111 1111 1111",
                                              "+33 6 12 34 56 78",
                                              "123-45-6789",
                                              "(555) 123-4567",
                                              "bob@example.com",
                                              "tel ",
                                              "mysql -p",
                                              "sshpass -p ",
                                              "docker login ",
                                              "-p ",
                                              "--user ",
                                              "machine a login b ",
                                              "ENV DB_PASSWORD ",
                                              "$6$",
                                              "$",
                                              "     2→",
                                              "密",
                                              "4111111111111111 12/29",
                                              "415-555-2671 2",
                                              "------BEGIN PRIVATE KEY-----",
                                              "<br>",
                                              "(\"password\", \"",
                                              "setPassword(\"",
                                              "#define TOKEN \"",
                                              "PASSWORD '",
                                              "IDENTIFIED BY '",
                                              "BEARER%20",
                                              "bob@example.com:hunter2",
                                              "\\u003ca@b.cd",
                                              "\\u0026token=",
                                              "DB_PASSWORD=",
                                              ":\\/\\/a:",
                                              "\"\"\"",
                                              "\"cookie\": \"a=",
                                              "\\\"",
                                              "#",
                                              "{",
                                              "}",
                                              "app_1 | ",
                                              "...\n",
                                              "DEK-Info: a\n",
                                              "MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn+ygWyF8PbnGy0AHB7Mb",
                                              "3\t",
                                              "1: ",
                                              "PWD=/",
                                              "userPass",
                                              "NPM_AUTH=",
                                              " = 0x",
                                              ";",
                                              ", ",
                                              "version ",
                                              "415.555.2671",
                                              "Project Heron",
                                              "\xff",
                                              "\xc3\xa9",
                                              "\xe2\x82",
                                              std::string(1, '\0'),
                                              "\x1b[31m",
                                              "0123456789abcdef0123456789abcdef",
                                              "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6kL9n"};
  return parts;
}

rc::Gen<std::string> hostile_text() { return support::text_made_of(hostile_parts()); }

Policy with_literals() {
  Policy policy;
  policy.literals = {"Project Heron", "ron\"ted>", "redacted> <", "sk-Project"};
  return policy;
}

}  // namespace

TEST_CASE("Golden files: the rules of this version give these bytes, for ever") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    const std::filesystem::path& input = entry.path();
    if (input.extension() != ".in") {
      continue;
    }
    ++count;
    std::filesystem::path expected = input;
    expected.replace_extension(".out");
    Policy policy;
    policy.pii = input.stem() == "personal-kept" ? Pii::kept : Pii::redacted;
    INFO(input.filename());
    CHECK(sanitize(slurp(input), policy) == slurp(expected));
    CHECK(sanitize(slurp(expected), policy) == slurp(expected));
  }
  CHECK(count >= 6);
}

TEST_CASE(
    "Sanitised twice is sanitised once, in whatever pieces it comes, and the result is clean") {
  const auto holds = [] {
    const std::string text = *hostile_text();
    const Policy policy = *rc::gen::arbitrary<bool>() ? with_literals() : Policy{};
    const std::string once = sanitize(text, policy);
    RC_ASSERT(sanitize(once, policy) == once);
    RC_ASSERT(in_pieces(support::random_pieces(text), policy) == once);
    RC_ASSERT(base::is_valid_utf8(once));
    RC_ASSERT(once.find('\r') == std::string::npos && once.find('\0') == std::string::npos);
  };
  CHECK(rc::check("for every text", holds));
}

TEST_CASE("Planted shapes may be cut anywhere") {
  std::string text;
  for (const support::Planted& item : support::planted()) {
    text += item.before + item.secret + item.after + "\nand then\n";
  }
  const std::string whole = sanitize(text, {});
  for (const std::size_t step : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size(); at += step) {
      pieces.push_back(text.substr(at, step));
    }
    CHECK(in_pieces(pieces, {}) == whole);
  }
}

TEST_CASE("Line ends, blanks, control characters and invalid bytes are evened out and counted") {
  Report report;
  CHECK(sanitize("a \t\r\nb\rc\n\n \n", {}) == "a\nb\nc\n");
  CHECK(sanitize("", {}).empty());
  CHECK(sanitize("\n \n\t\n", {}).empty());
  CHECK(sanitize("\n\na", {}) == "\n\na\n");
  CHECK(sanitize("a\xff"
                 "b\xe2\x82",
                 {},
                 &report) ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd\xef\xbf\xbd\n");
  CHECK(report.replaced_bytes == 3);
  CHECK(sanitize(std::string("a\0b\x1b[1;31mred\x1b[0m\x07", 18), {}, &report) == "abred\n");
  CHECK(report.removed_bytes == 13);
  // A colour does not hide a token.
  CHECK(sanitize("\x1b[31mghp_" + std::string("0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R") + "\x1b[0m",
                 {}) == "<redacted>\n");
}

TEST_CASE("Where a rule looks only so far, no character is cut in two") {
  const std::string begin = std::string("-----BEGIN ") + "PRIVATE KEY-----";
  for (const std::string& before : {std::string("token="),
                                    std::string("token=\""),
                                    std::string("curl -u a:"),
                                    begin + "\\nCookie: ",
                                    std::string("Cookie: a=1"),
                                    std::string("b@c.")}) {
    for (std::size_t shift = 0; shift < 3; ++shift) {
      std::string text = before + std::string(shift, 'x') + "1Ab";
      for (int i = 0; i < 3000; ++i) {
        text += "\xe2\x82\xac";
      }
      const std::string out = sanitize(text, {});
      INFO(before << shift);
      CHECK(base::is_valid_utf8(out));
      CHECK((sanitize(out, {}) == out));
    }
  }
}

TEST_CASE("An escape before an address keeps its letter, and only that") {
  CHECK(sanitize("a\\nbob@example.com", {}) == "a\\n<redacted:email>\n");
  CHECK(sanitize("a\\\xc3\xa9@example.com", {}) == "a\\<redacted:email>\n");
}

TEST_CASE("A number behind an escape hides nothing that begins within it") {
  CHECK(sanitize("bob@example.com \\r8B", {}) == "<redacted:email> \\r8B\n");
  CHECK(sanitize("bob@example.com \\r8_" + std::string(40, 'a'), {}) ==
        "<redacted:email> \\<redacted>\n");
}

TEST_CASE("A text may end in the middle of every shape") {
  for (const support::Planted& item : support::planted()) {
    const std::string text = item.before + item.secret + item.after;
    for (std::size_t size = 0; size <= text.size(); ++size) {
      // In a block of its own size, so that a sanitizer sees what is read behind it.
      const std::vector<char> bytes(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string out = sanitize({bytes.data(), bytes.size()}, {});
      CHECK(sanitize(out, {}) == out);
    }
  }
}

TEST_CASE("The report tells shapes and lines, and how many of each") {
  Report report;
  const std::string text =
      "one\r\npassword: hunter2\r\n\nfour bob@example.com and 4111111111111111\n";
  sanitize(text, {}, &report);
  REQUIRE(report.findings.size() == 3);
  CHECK(report.findings[0].shape == "password");
  CHECK(report.findings[0].line == 2);
  CHECK(report.findings[1].line == 4);
  CHECK(report.secrets == 1);
  CHECK(report.pii == 2);
  CHECK(report.by_shape ==
        std::map<std::string, std::uint64_t>{{"card", 1}, {"email", 1}, {"password", 1}});
}

TEST_CASE("Only the first thousand findings are listed, all are counted") {
  std::string text;
  for (int i = 0; i < 1200; ++i) {
    text += "password: hunter" + std::to_string(i) + "\n";
  }
  Report report;
  sanitize(text, {}, &report);
  CHECK(report.findings.size() == redact::kMostFindings);
  CHECK(report.secrets == 1200);
}

TEST_CASE("Personal data stays if the policy keeps it, secrets never do") {
  Policy policy;
  policy.pii = Pii::kept;
  CHECK(sanitize("bob@example.com 123-45-6789 password=hunter2 x\n", policy) ==
        "bob@example.com 123-45-6789 password=<redacted> x\n");
}

TEST_CASE("Literals go first, the longest of them, wherever they stand") {
  Policy policy;
  policy.literals = {"Heron", "Heron Lake", "a(b)c[d]", "redacted"};
  CHECK(sanitize("xHeron Lakex, no Heron.\na(b)c[d]\n", policy) ==
        "x<redacted>x, no Heron.\n<redacted>\n");
  policy.literals = {"heron-", "heron-lake-42"};
  CHECK(sanitize("heron-lake-42 heron-lake\n", policy) == "<redacted> <redacted>lake\n");
}

TEST_CASE("Work grows with the text and no faster, whatever the text") {
  const std::vector<std::string> units{
      "sk-",
      "ghp_",
      "token=",
      "token=\"",
      "token='",
      "key=",
      "key=\"x",
      "password: ",
      "password:\\\"",
      "://",
      "://a:",
      "@",
      "a@",
      "a.",
      "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\n",
      "----",
      "eyJ",
      "eyJhbGc.",
      "Bearer ",
      "4111 ",
      "4",
      "+1 ",
      "1-",
      "(",
      "Cookie: ",
      "?sig=",
      "&key=",
      "<redacted>",
      "<token>",
      "--token ",
      "-u a:",
      "--user a:",
      " -p",
      " -p a",
      "mysql -p",
      "docker login -p ",
      "login a password ",
      " password 1",
      "ENV TOKEN ",
      "$6$",
      "$6$a",
      "1→",
      "a, password = b, ",
      "a, ",
      "AKIA",
      "AC0123456789abcdef0123456789abcdef ",
      "8Q~",
      "==",
      "\\n",
      "\\\\",
      "\" + \"",
      "x = \"",
      "SK",
      "MT",
      "\xff",
      "\x1b[",
      "\t",
      " ",
      "ghp_0123456789abcdef\n",
      "glpat-abc\n",
      "\\nA1B2C3D4E5_PASSWORD=ab",
      "\" \"A1B2C3D4E5_PASSWORD=ab",
      "\\nabc8Q~A1b2C3d4E5f6G7h8I9j0A1b2C3d4E5f6G7h8I9j0A1b2C3d4E5",
      " password \"a\" \"A1B2C3D4E5",
      "(\"password\", \"",
      "setPassword(\"",
      "#define TOKEN \"",
      "PASSWORD '",
      "IDENTIFIED ",
      "identified by '",
      " -ua:",
      "BEARER ",
      "a@b.cd:e1",
      "cookie: ",
      "Authorization: ",
      "-----BEGIN PRIVATE KEY----- x ",
      "secret_"};
  for (const std::string& unit : units) {
    for (const bool lines : {false, true}) {
      const auto work_for = [&](std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) {
          text += unit;
          if (lines && text.size() % 64 < unit.size()) {
            text += '\n';
          }
        }
        const Policy policy;
        Sanitizer sanitizer(policy);
        std::string out;
        sanitizer.feed(text, out);
        sanitizer.finish(out);
        return sanitizer.work();
      };
      const std::uint64_t half = work_for(100'000);
      const std::uint64_t whole = work_for(200'000);
      INFO(unit << (lines ? " in lines" : " in one line") << ": " << half << ", " << whole);
      CHECK(whole <= 2 * half + half / 4 + 10'000);
      CHECK(whole <= 200'000ULL * 700);
    }
  }
}

TEST_CASE("A text of one endless line is held in less than two megabytes, and none of it is lost") {
  Policy policy;
  Sanitizer sanitizer(policy);
  const std::string token = "ghp_" + std::string("0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R");
  std::string out;
  std::string unit = "{\"n\": 12, \"text\": \"nothing to see here, move along\", \"id\": ";
  std::size_t held = 0;
  std::uint64_t planted_tokens = 0;
  std::uint64_t size = 0;
  for (int i = 0; size < 5'000'000; ++i) {
    std::string piece = unit + std::to_string(i) + "}, ";
    if (i % 500 == 0) {
      piece += token + " ";
      ++planted_tokens;
    }
    size += piece.size();
    sanitizer.feed(piece, out);
    held = std::max(held, sanitizer.held_bytes());
  }
  sanitizer.finish(out);
  CHECK(held < 2 * 1024 * 1024);
  CHECK(sanitizer.report().secrets == planted_tokens);
  CHECK(out.find("0a1B2c3D") == std::string::npos);
  // The blank at the end is gone, a newline has come.
  CHECK(out.size() == size - planted_tokens * (token.size() - std::string("<redacted>").size()));
  CHECK((sanitize(out, policy) == out));
}

TEST_CASE("A long line gives the same in pieces and whole, also where windows meet") {
  std::string text;
  std::uint64_t state = 7;
  const std::vector<support::Planted> items = support::planted();
  while (text.size() < 1'700'000) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const support::Planted& item = items[(state >> 33U) % items.size()];
    text += (state >> 60U) % 4 == 0 ? item.before + item.secret + item.after + " "
                                    : "some words between, ";
  }
  const std::string whole = sanitize(text + "\nnext line\n", {});
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size(); at += 1 + at % 40'000) {
    pieces.push_back(text.substr(at, 1 + at % 40'000));
  }
  pieces.emplace_back("\nnext line\n");
  CHECK((in_pieces(pieces, {}) == whole));
  CHECK((sanitize(whole, {}) == whole));
}

TEST_CASE("Hostile long lines are sanitised once and for all, in whatever pieces") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    std::uint64_t state = seed;
    const auto draw = [&state] {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return state >> 33U;
    };
    std::string text;
    while (text.size() < 1'200'000) {
      const std::string& part = hostile_parts()[draw() % hostile_parts().size()];
      text += part.find_first_of("\r\n") == std::string::npos ? part : " and so on ";
    }
    std::vector<std::string> pieces;
    for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
      size = 1 + draw() % 100'000;
      pieces.push_back(text.substr(at, size));
    }
    const std::string once = sanitize(text, {});
    INFO(seed);
    CHECK((sanitize(once, {}) == once));
    CHECK((in_pieces(pieces, {}) == once));
    CHECK(base::is_valid_utf8(once));
  }
}

TEST_CASE("A secret that never ends is swallowed to its end") {
  const std::string text = "x token=" + [] {
    std::string run;
    while (run.size() < 2'000'000) {
      run += "aB3dE6gH9jK2";
    }
    return run;
  }() + " after\n";
  const std::string out = sanitize(text, {});
  CHECK(out.substr(0, 100) == "x token=<redacted> after\n");
  CHECK(out.size() < 100);
}

}  // namespace daybook::test

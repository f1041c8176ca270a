// SPDX-License-Identifier: MIT
#include "daybook/redact/sanitizer.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::test {
namespace {

const std::string kBegin = std::string("-----BEGIN ") + "RSA PRIVATE KEY-----";
const std::string kEnd = std::string("-----END ") + "RSA PRIVATE KEY-----";
const std::string kLine = "MIIEfakefakefakefake0123456789ABCDEFfakefakefakefake0123456789ab";
const std::string kTail = "fakeTail0123=";

std::string sanitized(const std::string& text) { return redact::sanitize(text, redact::Policy{}); }

std::string with_prefix(const std::string& prefix, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += prefix + line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("A private key goes from its BEGIN to its END, however its lines are marked") {
  for (const std::string prefix : {"", "    ", "> ", "# ", "// ", "\t", " * ", "+"}) {
    const std::string text =
        "before\n" + with_prefix(prefix, {kBegin, kLine, kLine, kTail, kEnd}) + "after\n";
    INFO(text);
    CHECK(sanitized(text) == "before\n" + prefix + "<redacted:private-key>\nafter\n");
  }
}

TEST_CASE("A private key goes although a tool numbered its lines") {
  for (const std::string mark : {"→", "\t", ": ", "| ", " | ", ":"}) {
    std::string text = "     1" + mark + kBegin + "\n";
    int number = 1;
    for (const std::string& line : {kLine, kLine, kTail, kEnd}) {
      text += "     " + std::to_string(++number) + mark + line + "\n";
    }
    const std::string clean = "     1" + mark + "<redacted:private-key>\n";
    INFO(text);
    CHECK(sanitized(text + "     6" + mark + "after\n") == clean + "     6" + mark + "after\n");
    CHECK(sanitized(clean) == clean);
  }
  CHECK(sanitized(" 1\t" + kBegin + "\n 2\tProc-Type: 4,ENCRYPTED\n 3\t\n 4\t" + kLine + "\n 5\t" +
                  kEnd + "\nafter\n") == " 1\t<redacted:private-key>\nafter\n");
}

TEST_CASE("A private key with numbered lines goes from a string, too") {
  for (const std::string mark : {"→", "\\t", "\\\\t", "\\u2192", "|"}) {
    const std::string text = "{\"content\": \"     1" + mark + kBegin + "\\n     2" + mark + kLine +
                             "\\n     3" + mark + kTail + "\\n     4" + mark + kEnd + "\\n\"}";
    INFO(text);
    CHECK(sanitized(text) == "{\"content\": \"     1" + mark + "<redacted:private-key>\\n\"}\n");
  }
}

TEST_CASE("A time behind a key that was cut off stays") {
  CHECK(sanitized(kBegin + "\n" + kLine + "\n12:30\n") == "<redacted:private-key>\n12:30\n");
}

TEST_CASE("A key without an END goes as far as it looks like one") {
  CHECK(sanitized("x\n" + with_prefix("", {kBegin, kLine, kLine}) + "Then we went home.\n") ==
        "x\n<redacted:private-key>\nThen we went home.\n");
  CHECK(sanitized(kBegin + "\n" + kLine) == "<redacted:private-key>\n");
  CHECK(sanitized(kBegin + "\n" + kLine + "\n" + kTail + "\n\nText.\n") ==
        "<redacted:private-key>\n\nText.\n");
  CHECK(sanitized(kBegin) == "<redacted:private-key>\n");
}

TEST_CASE("An encrypted key goes with its headers") {
  CHECK(sanitized(with_prefix("",
                              {kBegin,
                               "Proc-Type: 4,ENCRYPTED",
                               "DEK-Info: AES-128-CBC,00FF",
                               "",
                               kLine,
                               kEnd,
                               "after"})) == "<redacted:private-key>\nafter\n");
}

TEST_CASE("A key in a string goes, the quotes around it stay") {
  CHECK(sanitized("{\"private_key\": \"" + kBegin + "\\n" + kLine + "\\n" + kTail + "\\n" + kEnd +
                  "\\n\", \"n\": 1}") ==
        "{\"private_key\": \"<redacted:private-key>\\n\", \"n\": 1}\n");
  CHECK(sanitized("{\\\"k\\\": \\\"" + kBegin + "\\\\n" + kLine + "\\\\n" + kEnd + "\\\"}") ==
        "{\\\"k\\\": \\\"<redacted:private-key>\\\"}\n");
  CHECK(sanitized("k = \"" + kBegin + "\\n\" +\n  \"" + kLine + "\\n\" +\n  \"" + kEnd +
                  "\";\nnext\n") == "k = \"<redacted:private-key>\";\nnext\n");
}

TEST_CASE("Other kinds of private keys go, too; public ones stay") {
  for (const std::string kind : {"EC ", "OPENSSH ", "ENCRYPTED ", "", "DSA "}) {
    CHECK(sanitized("-----BEGIN " + kind + "PRIVATE KEY-----\n" + kLine + "\n-----END " + kind +
                    "PRIVATE KEY-----\nx\n") == "<redacted:private-key>\nx\n");
  }
  CHECK(sanitized("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + kLine +
                  "\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----\nx\n") ==
        "<redacted:private-key>\nx\n");
  const std::string certificate =
      "-----BEGIN CERTIFICATE-----\n" + kLine + "\n-----END CERTIFICATE-----\n";
  CHECK(sanitized(certificate) == certificate);
}

TEST_CASE("A line before a key says about the next what it would say without the key") {
  const std::string id = "AC" + std::string(32, 'a');
  const std::string token = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
  const std::string once = sanitized(id + " " + kBegin + "\n" + kLine + "\n\n" + token + "\n");
  CHECK(once == id + " <redacted:private-key>\n\n<redacted>\n");
  CHECK(sanitized(once) == once);
}

TEST_CASE("A key at the end of a very long line ends on the next ones") {
  const std::string before(600'000, '.');
  const std::string out =
      sanitized(before + " " + kBegin + "\n" + kLine + "\n" + kEnd + "\nafter\n");
  CHECK((out == before + " <redacted:private-key>\nafter\n"));
  CHECK((sanitized(before + " " + kBegin + "\n" + kLine + "\nThen text.\n") ==
         before + " <redacted:private-key>\nThen text.\n"));
}

TEST_CASE("A private key goes although each of its lines stands behind other text") {
  const std::vector<std::string> prefixes{"key.pem:",
                                          "app_1  | ",
                                          "2026-11-17T10:00:00.123456789Z stdout F ",
                                          "[pod/web-7d9f8b6c5d-x2x4z] ",
                                          "^9fceb02d (Jane Doe 2026-11-17 10:00:00 +0100 12) ",
                                          "  12   │ ",
                                          "| "};
  for (const std::string& prefix : prefixes) {
    for (const std::string suffix : {"", " |", "<br>"}) {
      std::string text = "before\n";
      for (const std::string& line : {kBegin, kLine, kLine, kLine, kEnd}) {
        text += prefix + line + suffix + "\n";
      }
      const std::string out = sanitized(text + "after\n");
      INFO(text << "->\n" << out);
      CHECK(out.find("fakefake") == std::string::npos);
      CHECK(out.starts_with("before\n" + prefix + "<redacted:private-key>" + suffix + "\n"));
      CHECK(out.ends_with("\nafter\n"));
      CHECK(sanitized(out) == out);
    }
  }
  CHECK(sanitized("1:" + kBegin + "\n2-" + kLine + "\n3-" + kLine + "\n4-" + kEnd + "\n5-x\n") ==
        "1:<redacted:private-key>\n2-<redacted:private-key>\n3-<redacted:private-key>\n4-" + kEnd +
            "\n5-x\n");
}

TEST_CASE("A private key that a diff removes goes") {
  CHECK(sanitized(with_prefix("-", {kBegin, kLine, kLine, kTail, kEnd, "old"}) + "+new\n") ==
        "-<redacted:private-key>\n-old\n+new\n");
}

TEST_CASE("A private key on one line goes, whatever stands for its newlines") {
  for (const std::string newline : {"<br>", "<br />", "%0A", "&#10;", " | ", "\\u000a", ";"}) {
    const std::string text = "x " + kBegin + newline + kLine + newline + kLine + newline + kTail +
                             newline + kEnd + " y\n";
    INFO(text);
    CHECK(sanitized(text) == "x <redacted:private-key> y\n");
  }
}

TEST_CASE("A private key goes although its lines are parted") {
  CHECK(sanitized(kBegin + "\n\n" + kLine + "\n\n" + kLine + "\n\n" + kTail + "\n\n" + kEnd +
                  "\n\nafter\n") == "<redacted:private-key>\n\nafter\n");
  CHECK(sanitized(kBegin + "\n" + kLine + "\n...\n" + kLine + "\n" + kEnd + "\nafter\n") ==
        "<redacted:private-key>\nafter\n");
  CHECK(sanitized(kBegin + "\n" + kLine + "\n[20 lines left out]\n" + kLine + "\n" + kEnd +
                  "\nafter\n") ==
        "<redacted:private-key>\n[20 lines left out]\n<redacted:private-key>\nafter\n");
}

TEST_CASE("Where a key's first line is only mentioned, the text behind it stays") {
  for (const std::string text : {"It starts with MARK\n\nNote: important\nResult: fine\nnext\n",
                                 "kBegin = \"MARK\"\n\ntry:\n  pass\n",
                                 "kBegin = \"MARK\" +\n  rest\n",
                                 "The line MARK is first.\nVersion: 2\n\nInternationalization\n",
                                 "MARK\n\ncommit 9fceb02d0ae598e95dc970b74767f19372d61af8\n",
                                 "MARK\nVersion: 3\n\n"
                                 "see src/main/java/com/example/Sanitizer2/PrivateKeys/Reader\n"}) {
    std::string raw = text;
    std::string clean = text;
    raw.replace(raw.find("MARK"), 4, kBegin);
    clean.replace(clean.find("MARK"), 4, "<redacted:private-key>");
    CHECK(sanitized(raw) == clean);
  }
  CHECK(sanitized("It runs from " + kBegin + " to " + kEnd + ".\n") ==
        "It runs from <redacted:private-key> to " + kEnd + ".\n");
}

TEST_CASE("A certificate behind a key that was cut off stays") {
  const std::string certificate = "-----BEGIN CERTIFICATE-----\n" + kLine + "\n";
  CHECK(sanitized(kBegin + "\n" + kLine + "\n" + certificate) ==
        "<redacted:private-key>\n" + certificate);
}

TEST_CASE("Two keys after one another are two markers") {
  const std::string key = with_prefix("", {kBegin, kLine, kEnd});
  CHECK(sanitized(key + key) == "<redacted:private-key>\n<redacted:private-key>\n");
}

}  // namespace daybook::test

// SPDX-License-Identifier: MIT
//
// Every shape in prose, in code, in JSON and split over lines: nothing of it stays. And a corpus of
// look-alikes, of which everything stays.
#include "support/planted.hpp"

#include "daybook/redact/sanitizer.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>

namespace daybook::test {
namespace {

using support::left_over;
using support::Planted;
using support::planted;
using support::Splits;

std::string sanitized(const std::string& text) { return redact::sanitize(text, redact::Policy{}); }

std::string json_string(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
  }
  return "\"" + out + "\"";
}

using Surrounding = std::function<std::string(const Planted&)>;

std::string line_of(const Planted& item) { return item.before + item.secret + item.after; }

/// The secret in two halves with something between them.
std::string split_by(const Planted& item, const std::string& joint) {
  const std::size_t middle = item.secret.size() / 2;
  return item.before + item.secret.substr(0, middle) + joint + item.secret.substr(middle) +
         item.after;
}

void none_stays(const std::string& where, const Surrounding& surround, Splits splits) {
  for (const Planted& item : planted()) {
    if (splits == Splits::anywhere && item.splits == Splits::never) {
      continue;
    }
    const std::string text = surround(item);
    const std::string out = sanitized(text);
    INFO(where << ": " << item.name << "\n" << text << "\n->\n" << out);
    CHECK(left_over(out, item.random) == "");
    CHECK(sanitized(out) == out);
  }
}

}  // namespace

TEST_CASE("At least sixty shapes are planted") { CHECK(planted().size() >= 60); }

TEST_CASE("No planted shape stays in prose") {
  none_stays("alone", line_of, Splits::never);
  none_stays(
      "sentence",
      [](const Planted& item) {
        return "It said " + line_of(item) + " and then it went on.\nNothing more.\n";
      },
      Splits::never);
  none_stays(
      "list",
      [](const Planted& item) { return "# Notes\n\n- first\n- " + line_of(item) + "\n- third\n"; },
      Splits::never);
  none_stays(
      "brackets",
      [](const Planted& item) { return "See (" + line_of(item) + ").\n"; },
      Splits::never);
}

TEST_CASE("No planted shape stays behind a character that is not ASCII") {
  for (const std::string before :
       {"     1→", "“", "‘", "— ", "—", "• ", "•", "密钥", "密钥：", "é"}) {
    none_stays(
        before, [&](const Planted& item) { return before + line_of(item) + "\n"; }, Splits::never);
  }
  none_stays(
      "before one", [](const Planted& item) { return line_of(item) + "。\n"; }, Splits::never);
}

TEST_CASE("No planted shape stays in code") {
  none_stays(
      "literal",
      [](const Planted& item) {
        return "  const auto x = f(\"" + line_of(item) + "\");  // why\n";
      },
      Splits::never);
  none_stays(
      "single quotes",
      [](const Planted& item) { return "x = '" + line_of(item) + "'\n"; },
      Splits::never);
  none_stays(
      "comment", [](const Planted& item) { return "  // " + line_of(item) + "\n"; }, Splits::never);
  none_stays(
      "diff",
      [](const Planted& item) { return "@@ -1,2 +1,2 @@\n-old\n+" + line_of(item) + "\n"; },
      Splits::never);
}

TEST_CASE("No planted shape stays in JSON, however deep it is escaped") {
  const auto in_json = [](const Planted& item) {
    return "{\"a\": 1, \"text\": " + json_string("first\n" + line_of(item) + "\nlast") + "}";
  };
  none_stays("once", in_json, Splits::never);
  none_stays(
      "twice",
      [&](const Planted& item) { return "{\"line\": " + json_string(in_json(item)) + "}\n"; },
      Splits::never);
}

TEST_CASE("No planted shape stays when its line was broken") {
  const std::vector<std::string> joints{"\n",
                                        "\n    ",
                                        "\n> ",
                                        "\n# ",
                                        "\n// ",
                                        "\n     2→",
                                        "\n  2\t",
                                        "\n2: ",
                                        "\\\n",
                                        "\\\n  ",
                                        "\" +\n    \"",
                                        "\"\n  \"",
                                        "' +\n'"};
  for (const std::string& joint : joints) {
    none_stays(
        "joint " + json_string(joint),
        [&](const Planted& item) { return "It is " + split_by(item, joint) + "\nnext\n"; },
        Splits::anywhere);
  }
  none_stays(
      "escaped newline",
      [](const Planted& item) { return json_string("x\n" + split_by(item, "\n") + "\nnext"); },
      Splits::anywhere);
  none_stays(
      "concatenation on one line",
      [](const Planted& item) { return "x = \"" + split_by(item, "\" + \"") + "\"\n"; },
      Splits::anywhere);
}

TEST_CASE("No planted shape stays on the line after another, which might go on there") {
  for (const Planted& first : planted(1)) {
    for (const Planted& item : planted(2)) {
      const std::string text = "It was " + line_of(first) + "\n" + line_of(item) + " of the gate\n";
      const std::string out = sanitized(text);
      if (!left_over(out, first.random).empty() || !left_over(out, item.random).empty()) {
        FAIL_CHECK(first.name << ", " << item.name << "\n" << text << "->\n" << out);
      }
    }
  }
}

TEST_CASE("Look-alikes stay as they are") {
  std::ifstream file(std::string(DAYBOOK_SOURCE_DIR) + "/tests/redact/lookalikes.txt");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("# ")) {
      continue;
    }
    ++count;
    CHECK(sanitized(line) == line + "\n");
    CHECK(sanitized("x\n" + line + "\ny\n") == "x\n" + line + "\ny\n");
  }
  CHECK(count >= 200);
}

}  // namespace daybook::test

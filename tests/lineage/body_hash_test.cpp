// SPDX-License-Identifier: MIT
#include "daybook/lineage/body_hash.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

namespace daybook::lineage {
namespace {

using base::sha256;
using base::to_hex;

constexpr std::string_view kBom = "\xEF\xBB\xBF";
const std::string kEmptyHex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// CRLF and CR -> LF, one character after the other.
std::string with_line_feeds(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      out += '\n';
      if (i + 1 < text.size() && text[i + 1] == '\n') {
        ++i;
      }
    } else {
      out += text[i];
    }
  }
  return out;
}

/// The contract's sentence, step by step, with copies.
std::string normalised(std::string_view body) {
  std::vector<std::string> lines{""};
  for (const char c : with_line_feeds(body)) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  for (std::string& line : lines) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) {
      line.pop_back();
    }
  }
  while (!lines.empty() && lines.back().empty()) {
    lines.pop_back();
  }
  std::string out;
  for (const std::string& line : lines) {
    out += (&line == &lines.front() ? "" : "\n") + line;
  }
  return out;
}

std::string evened(std::string_view file) {
  if (file.starts_with(kBom)) {
    file.remove_prefix(kBom.size());
  }
  return with_line_feeds(file);
}

base::Digest hashed_in_pieces(BodyHasher& hasher, const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces) {
    hasher.update(piece);
  }
  return hasher.finish();
}

base::Digest sealed_in_pieces(FileSealer& sealer, const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces) {
    sealer.update(piece);
  }
  return sealer.finish();
}

/// All ways to cut a short text: bit i of `cuts` cuts after byte i.
std::vector<std::string> cut_up(const std::string& text, unsigned cuts) {
  std::vector<std::string> pieces{""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    pieces.back() += text[i];
    if ((cuts >> i & 1U) != 0) {
      pieces.emplace_back();
    }
  }
  return pieces;
}

rc::Gen<std::string> rich_text() {
  return support::text_made_of({"\r",
                                "\n",
                                "\r\n",
                                " ",
                                "\t",
                                "a",
                                "b",
                                "word",
                                "é",
                                "\n\n",
                                "  ",
                                " \n",
                                "\u00A0",
                                "\x0B",
                                "a long run of text without any line end"});
}

/// Only what the quick way takes: no CR, no blanks at line ends.
rc::Gen<std::string> clean_text() {
  return support::text_made_of({"a", "word", " x", "\t.", "é", "\n", "\n\n\n", "  lead"});
}

}  // namespace

TEST_CASE("known bodies have the hashes that other programs compute") {
  const std::vector<std::pair<std::string, std::string>> vectors{
      {"", kEmptyHex},
      {"\n\n", kEmptyHex},
      {"\n# A\n", "b2b9b4d90f75f865b738e499560e0cbd32b4486be940899de271b4247808a34f"},
      {"# A  \r\n\r\ntext\t \r\n\r\n\r\n",
       "d22b769515dfe6ca62b802e396c03708b2d0992608de48bbdcaf3544a31e4f12"},
      {"a\rb", "7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78"},
      {"x\u00A0 \n", "4ba9ef244790ff62af3f48a4c08e20e1911f05ede14e8a85293cc8a2a71d5613"},
      {"caf\u00E9\n", "850f7dc43910ff890f8879c0ed26fe697c93a067ad93a7d50f466a7028a9bf4e"},
      {"  lead\n\n\nend \t\n \t\n",
       "814a9f2c6cb864b026788210a620765771e802bc5792a688cb3a44394da0f1f1"},
  };
  for (const auto& [body, hex] : vectors) {
    CAPTURE(body);
    CHECK(to_hex(body_hash(body)) == hex);
    CHECK(to_hex(sha256(normalised(body))) == hex);  // the test's own reference agrees
  }
}

TEST_CASE("the scope is named as the contract names it") {
  CHECK(kHashScope == "body-normalized-v1");
}

TEST_CASE("bodies that differ only in line ends and trailing blanks hash the same") {
  const auto same = [](std::string_view a, std::string_view b) {
    return body_hash(a) == body_hash(b);
  };
  CHECK(same("a\nb", "a\r\nb"));
  CHECK(same("a\nb", "a\rb"));
  CHECK(same("a\nb", "a \t\nb\t"));
  CHECK(same("a\nb", "a\nb\n\n\n"));
  CHECK(same("a\nb", "a\nb\n \n\t\n"));
  CHECK(same("a\n\nb", "a\r\r\nb"));
  CHECK(same("", " \t "));
  CHECK(same("", "\r\r\n\n \n"));
}

TEST_CASE("bodies that differ in anything else hash differently") {
  const auto same = [](std::string_view a, std::string_view b) {
    return body_hash(a) == body_hash(b);
  };
  CHECK_FALSE(same("a", "\na"));
  CHECK_FALSE(same("a", " a"));
  CHECK_FALSE(same("a\nb", "a\n\nb"));
  CHECK_FALSE(same("a b", "a  b"));
  CHECK_FALSE(same("a b", "a\tb"));
  CHECK_FALSE(same("a", "a\u00A0"));
  CHECK_FALSE(same("a", "a\f"));
  CHECK_FALSE(same("a", "a\v"));
  CHECK_FALSE(same("\u00E9", "e\u0301"));
  CHECK_FALSE(same("a", std::string_view("a\0", 2)));
}

TEST_CASE("every short body hashes like its normal form however it is cut") {
  BodyHasher hasher;
  int wrong = 0;
  support::every_text("a \r\n", 5, [&](const std::string& body) {
    const base::Digest expected = sha256(normalised(body));
    wrong += body_hash(body) == expected ? 0 : 1;
    for (unsigned cuts = 0; cuts < (1U << body.size()); ++cuts) {
      wrong += hashed_in_pieces(hasher, cut_up(body, cuts)) == expected ? 0 : 1;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("every body of up to eight letters hashes like its normal form") {
  int wrong = 0;
  support::every_text("a\t\r\n", 8, [&wrong](const std::string& body) {
    wrong += body_hash(body) == sha256(normalised(body)) ? 0 : 1;
  });
  CHECK(wrong == 0);
}

TEST_CASE("a body in random pieces hashes like its normal form") {
  const auto judge = [](const std::string& body) {
    const base::Digest expected = sha256(normalised(body));
    BodyHasher hasher;
    RC_ASSERT(hashed_in_pieces(hasher, support::random_pieces(body)) == expected);
    RC_ASSERT(hashed_in_pieces(hasher, support::random_pieces(body)) == expected);  // used again
    RC_ASSERT(body_hash(body) == expected);
  };
  REQUIRE(rc::check("rich text", [&judge] { judge(*rich_text()); }));
  REQUIRE(rc::check("clean text", [&judge] { judge(*clean_text()); }));
  REQUIRE(rc::check("clean, then rich, then clean", [&judge] {
    const auto before = *clean_text();
    const auto middle = *rich_text();
    judge(before + middle + *clean_text());
  }));
  REQUIRE(rc::check("any bytes", [&judge](const std::string& body) { judge(body); }));
}

TEST_CASE("a look at the whole file spares the look at its body and changes no hash") {
  const auto judge = [](const std::string& before, const std::string& body) {
    const std::string file = before + body;
    const base::TextTraits traits = base::survey_text(file);
    RC_ASSERT(body_hash(std::string_view(file).substr(before.size()), traits) ==
              sha256(normalised(body)));
    RC_ASSERT(file_seal(file, traits) == sha256(evened(file)));
  };
  REQUIRE(rc::check("clean all over", [&judge] {
    const auto before = *clean_text();
    judge(before, *clean_text());
  }));
  REQUIRE(rc::check("one part rich", [&judge] {
    const auto before = *clean_text();
    const auto body = *rich_text();
    judge(before, body);
    judge(body, before);
  }));
  REQUIRE(rc::check("with a BOM or half of one", [&judge] {
    const auto bom = *rc::gen::element<std::string>("", "\xEF", "\xEF\xBB", "\xEF\xBB\xBF");
    const auto before = *clean_text();
    judge(bom + before, *rich_text());
    judge(bom + before, *clean_text());
  }));
}

TEST_CASE("many blanks and many empty lines are counted right") {
  const std::string blanks(100'000, ' ');
  const std::string lines(100'000, '\n');
  for (const std::string& body : {"a" + blanks,
                                  "a" + blanks + "\n",
                                  "a" + blanks + "b",
                                  lines + "a",
                                  "a" + lines + "b",
                                  "a" + lines + blanks + lines,
                                  "a" + lines + blanks + "b",
                                  blanks + lines + blanks}) {
    const base::Digest expected = sha256(normalised(body));
    CHECK(body_hash(body) == expected);
    BodyHasher hasher;
    for (std::size_t at = 0; at < body.size(); at += 4096) {
      hasher.update(std::string_view(body).substr(at, 4096));
    }
    CHECK(hasher.finish() == expected);
  }
}

TEST_CASE("a hasher starts afresh after whatever its last body ended with") {
  BodyHasher hasher;
  for (const std::string end : {"x", "x ", "x\n", "x\r", "x\r\n \t", "\n\n", " "}) {
    hasher.update(end);
    CHECK(hasher.finish() == sha256(normalised(end)));
    hasher.update("\n# A\n");
    CHECK(to_hex(hasher.finish()) ==
          "b2b9b4d90f75f865b738e499560e0cbd32b4486be940899de271b4247808a34f");
    CHECK(to_hex(hasher.finish()) == kEmptyHex);
  }
}

TEST_CASE("a seal ignores the BOM and the kind of line ends and nothing else") {
  const auto same = [](std::string_view a, std::string_view b) {
    return file_seal(a) == file_seal(b);
  };
  CHECK(file_seal("---\nkind: summary\n---\nbody\n") == sha256("---\nkind: summary\n---\nbody\n"));
  CHECK(to_hex(file_seal("")) == kEmptyHex);
  CHECK(to_hex(file_seal(kBom)) == kEmptyHex);
  CHECK(same("a\nb\n", "a\r\nb\r\n"));
  CHECK(same("a\nb\n", "a\rb\r"));
  CHECK(same("a\nb\n", std::string(kBom) + "a\r\nb\n"));
  CHECK_FALSE(same("a\n", "a"));
  CHECK_FALSE(same("a\n", "a \n"));
  CHECK_FALSE(same("a\n", "a\n\n"));
  CHECK_FALSE(same("a", std::string("a") + std::string(kBom)));         // only at the beginning
  CHECK_FALSE(same("a", std::string(kBom) + std::string(kBom) + "a"));  // and only one
}

TEST_CASE("what only begins like a BOM is sealed with every byte") {
  for (const std::string text : {"\xEF",
                                 "\xEF\xBB",
                                 "\xEFx",
                                 "\xEF\xBBx",
                                 "\xEF\xBB\xBE",
                                 "\xEF\xEF\xBB\xBF",
                                 "\xEF\xBB\xEF\xBB\xBF",
                                 "\xBF",
                                 "\xEF\r\n",
                                 "\xEF\xBB\r"}) {
    FileSealer sealer;
    for (unsigned cuts = 0; cuts < (1U << text.size()); ++cuts) {
      CHECK(sealed_in_pieces(sealer, cut_up(text, cuts)) == sha256(with_line_feeds(text)));
    }
  }
}

TEST_CASE("a BOM may be split over pieces in every way") {
  const std::string text = std::string(kBom) + "a\r\nb";
  FileSealer sealer;
  int wrong = 0;
  for (unsigned cuts = 0; cuts < (1U << text.size()); ++cuts) {
    wrong += sealed_in_pieces(sealer, cut_up(text, cuts)) == sha256("a\nb") ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a file in random pieces seals like its even form") {
  const auto judge = [](const std::string& file) {
    const base::Digest expected = sha256(evened(file));
    FileSealer sealer;
    RC_ASSERT(sealed_in_pieces(sealer, support::random_pieces(file)) == expected);
    RC_ASSERT(sealed_in_pieces(sealer, support::random_pieces(file)) == expected);
    RC_ASSERT(file_seal(file) == expected);
  };
  REQUIRE(rc::check("rich text", [&judge] { judge(*rich_text()); }));
  REQUIRE(
      rc::check("rich text after a BOM", [&judge] { judge(std::string(kBom) + *rich_text()); }));
  REQUIRE(rc::check("BOMs whole and in parts", [&judge] {
    judge(*support::text_made_of({"\xEF", "\xBB", "\xBF", std::string(kBom), "\r", "\n", "a"}));
  }));
}

TEST_CASE("a size is that of the normalised body, and told no further than asked") {
  CHECK(normalized_size("") == 0);
  CHECK(normalized_size(" \r\n\t\n") == 0);
  CHECK(normalized_size("a \r\n\r\nb\n") == 4);
  CHECK(normalized_size("\n a") == 3);
  CHECK(normalized_size(std::string(100, 'x'), 100) == 100);
  CHECK(normalized_size(std::string(100, 'x'), 101) == 100);
  CHECK(normalized_size(std::string(100, 'x') + "\n", 64) >= 64);
  CHECK(normalized_size("", 0) == 0);
}

}  // namespace daybook::lineage

// SPDX-License-Identifier: MIT
// What counts as a wikilink, what hides one, and that the line scanner means the same.
#include "daybook/parse/wikilinks.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

namespace daybook::parse {
namespace {

using Links = std::vector<std::string>;

LinkVisitor note_in(Links& links) {
  return [&links](const Wikilink& link) {
    links.push_back(std::to_string(link.line) + (link.embed ? "!" : ":") +
                    std::string(link.inside));
  };
}

/// Each as `line:inside`, or `line!inside` if it is an embed.
Links links_of(std::string_view body) {
  Links links;
  REQUIRE(find_wikilinks(body, note_in(links)) == LinkScan::exact);
  return links;
}

Links scanned(const std::vector<std::string>& pieces) {
  Links links;
  LinearLinkScanner scanner(note_in(links));
  for (const std::string& piece : pieces) {
    scanner.feed(piece);
  }
  scanner.finish();
  return links;
}

Links scanned(const std::string& body) { return scanned(std::vector<std::string>{body}); }

const Links kNoLinks;

}  // namespace

TEST_CASE("every form of a wikilink is found with what stands inside") {
  CHECK(links_of("[[a]]") == Links{"1:a"});
  CHECK(links_of("See [[memory/a b.md]].") == Links{"1:memory/a b.md"});
  CHECK(links_of("[[a|the label]]") == Links{"1:a|the label"});
  CHECK(links_of("[[a#Heading]] [[a#^block]] [[#Own]]") ==
        Links{"1:a#Heading", "1:a#^block", "1:#Own"});
  CHECK(links_of("![[picture.png]] and ![[note#part|100]]") ==
        Links{"1!picture.png", "1!note#part|100"});
  CHECK(links_of("| [[a\\|b]] | c |\n|---|---|\n| [[d\\|e]] | f |") == Links{"1:a\\|b", "3:d\\|e"});
  CHECK(links_of("[[äöü/日本 😀]]") == Links{"1:äöü/日本 😀"});
  CHECK(links_of("[[a]][[b]]![[c]]") == Links{"1:a", "1:b", "1!c"});
}

TEST_CASE("a link may stand wherever text may stand") {
  CHECK(links_of("# Heading [[a]]\n\nTitle [[b]]\n=====\n") == Links{"1:a", "3:b"});
  CHECK(links_of("- [[a]]\n  - [ ] [[b]]\n\n1. [[c]]\n") == Links{"1:a", "2:b", "4:c"});
  CHECK(links_of("> [!note] [[a]]\n> [[b]]\nlazy [[c]]") == Links{"1:a", "2:b", "3:c"});
  CHECK(links_of("*[[a]]* **[[b]]** _[[c]]_ ~~[[d]]~~ ***[[e]]***") ==
        Links{"1:a", "1:b", "1:c", "1:d", "1:e"});
  CHECK(links_of("[text with [[a]] in it](https://example.org)") == Links{"1:a"});
  CHECK(links_of("![alt [[a]]](picture.png)") == Links{"1:a"});
  CHECK(links_of("a paragraph\n    continued [[a]]") == Links{"2:a"});
  CHECK(links_of("key:: [[a]] and [other:: [[b]]]") == Links{"1:a", "1:b"});
  CHECK(links_of("[^1]: [[a]]\n\n[^2]: See [[b]]") == Links{"1:a", "3:b"});
  CHECK(links_of("[[a]](b) [[c]]: d") == Links{"1:a", "1:c"});
}

TEST_CASE("code hides a link") {
  CHECK(links_of("`[[a]]` [[b]] ``x ` [[c]]`` [[d]]") == Links{"1:b", "1:d"});
  CHECK(links_of("a span `over\ntwo [[a]] lines` [[b]]") == Links{"2:b"});
  CHECK(links_of("```\n[[a]]\n```\n[[b]]\n~~~ md\n[[c]]\n~~~~\n[[d]]") == Links{"4:b", "8:d"});
  CHECK(links_of("text\n\n    [[a]]\n\ntext [[b]]") == Links{"5:b"});
  CHECK(links_of("- item\n\n  ```\n  [[a]]\n  ```\n  [[b]]") == Links{"6:b"});
  CHECK(links_of("> ```\n> [[a]]\n> ```\n> [[b]]") == Links{"4:b"});
  CHECK(links_of("```\nnever closed [[a]]") == kNoLinks);
  CHECK(links_of("an unclosed ` hides nothing [[a]]") == Links{"1:a"});
}

TEST_CASE("HTML and link destinations hide a link") {
  CHECK(links_of("<!-- [[a]] --> [[b]]") == kNoLinks);  // one HTML block, to its line's end
  CHECK(links_of("text <!-- [[a]] --> [[b]]") == Links{"1:b"});
  CHECK(links_of("<div>\n[[a]]\n</div>\n\n[[b]]") == Links{"5:b"});
  CHECK(links_of("text <a title=\"[[a]]\">[[b]]</a>") == Links{"1:b"});
  CHECK(links_of("text <a _x=\"[[a]]\" x_y='[[b]]'>[[c]]</a>") == Links{"1:c"});
  CHECK(links_of("[t]([[a]]) [t](<[[b]]>) [t](u \"[[c]]\") [[d]]") == Links{"1:d"});
  CHECK(links_of("![t]([[a]])") == kNoLinks);
  CHECK(links_of("<https://example.org/[[a]]> [[b]]") == Links{"1:b"});
  CHECK(links_of("[r]: [[a]]\n\n[r] [[b]]") == Links{"3:b"});
  CHECK(links_of("[r]: u '[[a]]'\n\n[r] [[b]]") == Links{"3:b"});
}

TEST_CASE("what only resembles a wikilink is none") {
  CHECK(links_of("if [[ -f x ]]; then [[\t-d y ]]; fi") == kNoLinks);
  CHECK(links_of("[[]] [[ ]] [[a\nb]] [[a [a] [a]] [ [a]]") == kNoLinks);
  CHECK(links_of("\\[[a]] \\\\\\[[b]] !\\[[c]]") == kNoLinks);
  CHECK(links_of("[[a`b]] and [[c`d]]") == kNoLinks);
  CHECK(links_of("[[" + std::string(1025, 'a') + "]]") == kNoLinks);
  CHECK(links_of("[[a\rb]]") == kNoLinks);
}

TEST_CASE("brackets around and inside a wikilink are told apart") {
  CHECK(links_of("[[[a]]]") == Links{"1:a"});
  CHECK(links_of("[[a [[b]] c]]") == Links{"1:b"});
  CHECK(links_of("[[a]b]]") == Links{"1:a]b"});
  CHECK(links_of("[[a]]]") == Links{"1:a"});
  CHECK(links_of("\\[[[a]] \\\\[[b]] \\![[c]] !![[d]]") == Links{"1:a", "1:b", "1:c", "1!d"});
  CHECK(links_of("[[" + std::string(1024, 'a') + "]]").size() == 1);
}

TEST_CASE("lines are counted from one, however they end") {
  CHECK(links_of("a\n[[b]]\n\n[[c]]") == Links{"2:b", "4:c"});
  CHECK(links_of("a\r\n[[b]]\r\n\r\n[[c]]\r\n") == Links{"2:b", "4:c"});
  CHECK(links_of("a\r[[b]]\r\r[[c]]") == Links{"2:b", "4:c"});
  CHECK(scanned("a\r\n[[b]]\r\r\n[[c]]\n\r[[d]]") == Links{"2:b", "4:c", "6:d"});
}

TEST_CASE("what stands for a link inside the parser cannot be forged") {
  const std::string word =
      "\xEF\xB7\x90"
      "0"
      "\xEF\xB7\x91";
  CHECK(links_of(word + " `[[a]]`") == kNoLinks);
  CHECK(links_of("&#xFDD0;0&#xFDD1; `[[a]]`") == kNoLinks);
  CHECK(links_of("&#64976;0&#64977; `[[a]]`") == kNoLinks);
  CHECK(links_of("[[" + word + "]]") == Links{"1:" + word});
}

TEST_CASE("bytes that are no text do no harm") {
  const std::string zero(1, '\0');
  CHECK(links_of("a" + zero + "[[b" + zero + "c]]" + zero) == Links{"1:b" + zero + "c"});
  CHECK(links_of("\xFF\xEF\xB7[[a\xFF]]\xEF\xB7\x80\xC0") == Links{"1:a\xFF"});
  CHECK(links_of("") == kNoLinks);
  CHECK(links_of(std::string_view()) == kNoLinks);
  CHECK(scanned(std::vector<std::string>{"", "", ""}) == kNoLinks);
}

TEST_CASE("emphasis and lists keep their meaning when stars are also markers") {
  CHECK(links_of("***\n    [[a]]\n") == kNoLinks);     // a rule, then indented code
  CHECK(links_of("* **\n      [[a]]\n") == kNoLinks);  // likewise
  CHECK(links_of("* x\n      [[a]]\n") == Links{"2:a"});
  CHECK(links_of("***bold***\n[[a]]\n") == Links{"2:a"});  // no fence of tildes either
  CHECK(links_of("1_ x\n\n    [[a]]\n") == kNoLinks);
  CHECK(links_of("[a]_ [[b]]\n") == Links{"1:b"});
}

TEST_CASE("the line scanner knows fences, code spans and escapes") {
  CHECK(scanned("[[a]] `[[b]]` ``[[c]] ` `` [[d]]") == Links{"1:a", "1:d"});
  CHECK(scanned("   ```sh\n[[a]]\n  ````  \n[[b]]") == Links{"4:b"});
  CHECK(scanned("~~~\n[[a]]\n```\n[[b]]\n~~~\n[[c]]") == Links{"6:c"});
  CHECK(scanned("    ```\n[[a]]") == Links{"2:a"});
  CHECK(scanned("``` not ` a fence\n[[a]]") == Links{"2:a"});
  CHECK(scanned("````\n```\n[[a]]\n````\n[[b]]") == Links{"5:b"});
  CHECK(scanned("```\n``` x\n[[a]]") == kNoLinks);
  CHECK(scanned("\\`[[a]]` \\[[b]] \\\\[[c]]") == Links{"1:a", "1:c"});
  CHECK(scanned("a ` b\n[[c]] ` d") == Links{"2:c"});
  CHECK(scanned("`" + std::string(81, '`') + "[[a]]" + std::string(82, '`')) == Links{"1:a"});
}

TEST_CASE("the line scanner loses nothing at the edges of its windows") {
  for (const std::size_t length :
       {64498U, 65530U, 65531U, 65532U, 65533U, 65534U, 65535U, 65536U, 65537U}) {
    CAPTURE(length);
    const std::string filler(length, 'x');
    CHECK(scanned(filler + "[[a]] y ![[b]]") == Links{"1:a", "1!b"});
    CHECK(scanned(filler + "\\[[a]] \\\\[[b]] \\![[c]]") == Links{"1:b", "1:c"});
    CHECK(scanned(filler + "`[[a]]` ``[[b]]``\n[[c]]") == Links{"2:c"});
    CHECK(scanned("```\n" + filler + "[[a]]\n```\n" + filler + "[[b]]\n[[c]]") ==
          Links{"4:b", "5:c"});
    CHECK(scanned(filler + "[[" + std::string(1024, 'a') + "]]").size() == 1);
    CHECK(scanned(filler + "[[" + std::string(1025, 'a') + "]]").empty());
    CHECK(scanned(filler + "`" + std::string(20'000, 'y') + "[[a]]` [[b]]") == Links{"1:b"});
  }
}

namespace {

std::vector<std::string> link_like_parts() {
  return {"[[a]]", "![[b|c]]", "[[",    "]]",    "[",      "]",     "!",    "\\",
          "`",     "``",       "```\n", "~~~\n", "\n",     "\r",    "\r\n", " ",
          "x",     "    ",     "> ",    "- ",    "[[ d]]", "\n```", "é",    "text "};
}

/// Paragraphs, lists, quotes, headings, tables and fenced code, as people write them.
rc::Gen<std::string> plain_document() {
  const std::vector<std::string> inlines{"[[a]]",
                                         "![[b|c]]",
                                         "word ",
                                         "`[[code]]`",
                                         "*soft* ",
                                         "**hard**",
                                         " ``x`[[y]]`` ",
                                         "\\[[d]] ",
                                         "[t](u) ",
                                         "1_000 ",
                                         "& ",
                                         "é"};
  const std::vector<std::string> starts{"", "# ", "- ", "> ", "1. ", "* ", "- [ ] ", "| "};
  const auto block = rc::gen::exec([=] {
    const std::string start = *rc::gen::elementOf(starts);
    const std::string text = "x " + *support::text_made_of(inlines);
    const bool fenced = *rc::gen::inRange(0, 5) == 0;
    return fenced ? "```\n" + text + "\n```\n" : start + text + "\n";
  });
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(block),
                      [](const std::vector<std::string>& blocks) {
                        std::string document;
                        for (const std::string& each : blocks) {
                          document += each + "\n";
                        }
                        return document;
                      });
}

}  // namespace

TEST_CASE("what the line scanner finds does not depend on how the body is cut") {
  CHECK(rc::check("short lines", [] {
    const std::string body = *support::text_made_of(link_like_parts());
    RC_ASSERT(scanned(support::random_pieces(body)) == scanned(body));
  }));
  CHECK(rc::check("lines longer than the window", [] {
    const std::string filler(*rc::gen::inRange<std::size_t>(60'000, 66'000), 'x');
    const auto part = support::text_made_of(link_like_parts());
    const std::string body = *part + filler + *part + filler + *part;
    RC_ASSERT(scanned(support::random_pieces(body)) == scanned(body));
  }));
}

TEST_CASE("both ways of looking agree on plain documents") {
  CHECK(rc::check("plain documents", [] {
    const std::string body = *plain_document();
    Links exact;
    RC_ASSERT(find_wikilinks(body, note_in(exact)) == LinkScan::exact);
    RC_ASSERT(exact == scanned(body));
  }));
}

TEST_CASE("every link that is reported stands in the body between its brackets") {
  CHECK(rc::check("odd documents", [] {
    const std::string body = *support::text_made_of(link_like_parts());
    find_wikilinks(body, [&body](const Wikilink& link) {
      const auto at = static_cast<std::size_t>(link.inside.data() - body.data());
      RC_ASSERT(at >= 2U);
      RC_ASSERT(body.substr(at - 2, link.inside.size() + 4) ==
                "[[" + std::string(link.inside) + "]]");
    });
  }));
}

}  // namespace daybook::parse

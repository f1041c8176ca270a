// SPDX-License-Identifier: MIT
#include "projection/pinned_note.hpp"

#include "projection/sessions.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>

namespace daybook::projection {
namespace {

constexpr Room kPlenty{4096, 100};

std::string section(std::string_view note) { return pinned_section(note, kPlenty); }

}  // namespace

TEST_CASE("a pinned note is shown as it is written") {
  CHECK(section("- Tests first.\n- See [[docs/a.md|a]].\n") ==
        "## Pinned\n- Tests first.\n- See [[docs/a.md|a]].\n");
  CHECK(section("\n\nOne.\r\n\r\nTwo.  \n\n\n") == "## Pinned\nOne.\n\nTwo.\n");
}

TEST_CASE("an empty pinned note has no section") {
  for (const std::string note : {"", "\n \n", "---\na: b\n---\n", "---\na: b\n---\n\n  \n"}) {
    CHECK(section(note).empty());
    CHECK(pinned_pointer(note).empty());
  }
}

TEST_CASE("the frontmatter of a pinned note is left out") {
  CHECK(section("---\na: b\n---\nText.\n") == "## Pinned\nText.\n");
  CHECK(section("\uFEFF---\r\na: b\r\n---\r\nText.\r\n") == "## Pinned\nText.\n");
  CHECK(section("---\nno end\n") == "## Pinned\n---\nno end\n");
}

TEST_CASE("headings of a pinned note stay inside its section") {
  CHECK(section("# One\n## Two\n##### Five\n###### Six\n#tag\n") ==
        "## Pinned\n### One\n#### Two\n###### Five\n###### Six\n#tag\n");
  CHECK(section("```\n# no heading\n```\n# One\n") ==
        "## Pinned\n```\n# no heading\n```\n### One\n");
}

TEST_CASE("what a pinned note leaves open is closed") {
  CHECK(section("```sh\nmake") == "## Pinned\n```sh\nmake\n```\n");
  CHECK(section("~~~~\n~~~\n") == "## Pinned\n~~~~\n~~~\n~~~~\n");
  CHECK(section("<!-- note to\n\nmyself") == "## Pinned\n<!-- note to\n\nmyself\n-->\n");
  CHECK(section("<SCRIPT>\nx") == "## Pinned\n<SCRIPT>\nx\n</script>\n");
  CHECK(section("a %% hidden\n\nb") == "## Pinned\na %% hidden\n\nb\n%%\n");
  CHECK(section("$$\nx") == "## Pinned\n$$\nx\n$$\n");
  CHECK(section("<!-- closed -->\n```\n<!--\n```\n%%a%% $$b$$") ==
        "## Pinned\n<!-- closed -->\n```\n<!--\n```\n%%a%% $$b$$\n");
}

TEST_CASE("a longer pinned note is cut between lines and says where it goes on") {
  std::string note;
  for (int i = 0; i < 1000; ++i) {
    note.append("- Rule ").append(std::to_string(i)).append("\n");
  }
  const std::string shown = pinned_section(note, {4096, 1000});
  CHECK(shown.size() <= 4096);
  CHECK(shown.size() > 4000);
  CHECK(shown.find("- Rule 0\n- Rule 1\n") != std::string::npos);
  const std::vector<std::string> lines = lines_of(shown);
  CHECK(lines.back() ==
        "(The pinned note goes on: it has 10890 bytes, read it in [[memory/pinned.md]].)");
  CHECK(lines[lines.size() - 2] == "- Rule " + std::to_string(lines.size() - 3));
  CHECK(lines_of(pinned_section(note, {4096, 5})).size() == 5);
}

TEST_CASE("a pinned note that just fits is shown whole") {
  const std::string note = "One.\nTwo.\nThree.\n";
  const std::string whole = section(note);
  CHECK(pinned_section(note, {whole.size(), 4}) == whole);
  CHECK(pinned_section(note, {whole.size() - 1, 4}) != whole);
  CHECK(pinned_section(note, {4096, 3}) != whole);
}

TEST_CASE("one endless line of a pinned note is cut within") {
  const std::string shown = pinned_section(std::string(5000, 'x') + "\n", {1000, 10});
  CHECK(shown.size() <= 1000);
  CHECK(shown.size() > 900);
  CHECK(shown.starts_with("## Pinned\nxxx"));
}

TEST_CASE("a pinned note never takes more than its room") {
  REQUIRE(rc::check("pinned", [] {
    const auto note = *support::text_made_of({"# a\n",
                                              "```\n",
                                              "~~~~",
                                              "\n",
                                              "text ",
                                              "<!--",
                                              "-->",
                                              "%%",
                                              "$$",
                                              "修",
                                              "- x\n",
                                              "<pre>",
                                              "\xFF",
                                              std::string(200, 'y'),
                                              "---\n"});
    const Room room{*rc::gen::inRange<std::uint64_t>(0, 600),
                    *rc::gen::inRange<std::uint64_t>(0, 20)};
    const std::string shown = pinned_section(note, room);
    const bool within = shown.size() <= room.bytes && lines_of(shown).size() <= room.lines;
    RC_ASSERT(within || shown == pinned_pointer(note));
    RC_ASSERT(shown.empty() || shown.ends_with('\n'));
  }));
}

}  // namespace daybook::projection

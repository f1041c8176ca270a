// SPDX-License-Identifier: MIT
#include "daybook/lineage/artifact_name.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace daybook::lineage {
namespace {

const std::string kTime = "2026-03-28T22-34-06.792Z";
const std::string kToken = "ly63agshl7q5mxfi";
const std::string kStem = kTime + "--" + kToken + "--summary";
constexpr std::int64_t kExample = 1'774'737'246'792;

SessionToken token() { return *SessionToken::parse(kToken); }

NameForm form_of(const std::string& name) { return read_artifact_name(name).form; }

}  // namespace

TEST_CASE("an artifact's name is written from its three parts") {
  const ArtifactName name{token(), Timestamp{kExample}, Kind::transcript};
  CHECK(to_string(name) == "2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--transcript.md");
}

TEST_CASE("an artifact's name says time and token and kind") {
  for (const Kind kind :
       {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest, Kind::tombstone}) {
    const std::string text = kTime + "--" + kToken + "--" + std::string(to_string(kind)) + ".md";
    const NameReading reading = read_artifact_name(text);
    CAPTURE(text);
    CHECK(reading.form == NameForm::artifact);
    CHECK(reading.kind == kind);
    CHECK(reading.name == ArtifactName{token(), Timestamp{kExample}, kind});
    CHECK(reading.token_text == kToken);
    CHECK(reading.canonical);
  }
}

TEST_CASE("every name that is written is read back") {
  REQUIRE(rc::check("round trip", [](const std::string& agent, const std::string& identity) {
    const ArtifactName name{
        SessionToken::derive(agent, identity),
        Timestamp{*rc::gen::resize(
            100, rc::gen::inRange<std::int64_t>(-62'167'219'200'000, 253'402'300'800'000))},
        *rc::gen::element(
            Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest, Kind::tombstone)};
    const std::string text = to_string(name);
    const NameReading reading = read_artifact_name(text);
    RC_ASSERT(reading.form == NameForm::artifact);
    RC_ASSERT(reading.name == name);
    RC_ASSERT(reading.kind == name.kind);
    RC_ASSERT(reading.canonical);
    RC_ASSERT(!conflict_copy_of(text).has_value());
  }));
}

TEST_CASE("a right name in another spelling is an artifact's but not canonical") {
  for (const std::string time : {"2026-03-28T22-34-06Z",
                                 "2026-03-28T22-34-06.7Z",
                                 "2026-03-28T22-34-06.792000Z",
                                 "2016-12-31T23-59-60Z"}) {
    const std::string text = time + "--" + kToken + "--summary.md";
    const NameReading reading = read_artifact_name(text);
    CAPTURE(text);
    CHECK(reading.form == NameForm::artifact);
    CHECK_FALSE(reading.canonical);
    CHECK(to_string(reading.name) != text);
  }
}

TEST_CASE("whether a name is canonical is whether it is written the same again") {
  for (const std::string time : {"2026-03-28T22-34-06.792Z",
                                 "2026-03-28T22-34-06.000Z",
                                 "2026-03-28T22-34-06.7920Z",
                                 "0000-01-01T00-00-00.000Z"}) {
    const std::string text = time + "--" + kToken + "--manifest.md";
    const NameReading reading = read_artifact_name(text);
    CHECK(reading.canonical == (to_string(reading.name) == text));
  }
}

TEST_CASE("a time that cannot be read is told apart") {
  for (const std::string time : {"2026-13-28T22-34-06.792Z",
                                 "2026-02-30T00-00-00.000Z",
                                 "2026-03-28T22:34:06.792Z",
                                 "2026-03-28T22-34-06.792",
                                 "2026-03-28",
                                 "today"}) {
    const std::string text = time + "--" + kToken + "--summary.md";
    const NameReading reading = read_artifact_name(text);
    CAPTURE(text);
    CHECK(reading.form == NameForm::bad_timestamp);
    CHECK(reading.kind == Kind::summary);
    CHECK(reading.name.token == token());  // the token was readable
    CHECK_FALSE(reading.canonical);
  }
}

TEST_CASE("a token that is none is told apart") {
  for (const std::string bad : {"h7k3n4p9m2x1q8r5",
                                "ly63agshl7q5mxf0",
                                "ly63agshl7q5mxf1",
                                "ly63agshl7q5mxf8",
                                "ly63agshl7q5mxf9",
                                "LY63AGSHL7Q5MXFI",
                                "ly63agshl7q5mxf",
                                "ly63agshl7q5mxfia",
                                "x",
                                "ly63agsh--7q5mxfi",
                                "-ly63agshl7q5mxfi",
                                "ly63agshl7q5mxfi-"}) {
    const std::string text = kTime + "--" + bad + "--compaction.md";
    const NameReading reading = read_artifact_name(text);
    CAPTURE(text);
    CHECK(reading.form == NameForm::bad_token);
    CHECK(reading.kind == Kind::compaction);
    CHECK(reading.token_text == bad);
    CHECK_FALSE(reading.canonical);
  }
}

TEST_CASE("a kind that does not exist is told apart when time and token are there") {
  for (const std::string word : {"Summary", "summaries", "note", "learning", "", "summary.bak"}) {
    const std::string text = kTime + "--" + kToken + "--" + word + ".md";
    const NameReading reading = read_artifact_name(text);
    CAPTURE(text);
    CHECK(reading.form == NameForm::unknown_kind);
    CHECK_FALSE(reading.kind.has_value());
    CHECK(reading.name.token == token());
  }
  // The token of the seed's own examples is no base32, but it was meant as a token.
  CHECK(form_of(kTime + "--h7k3n4p9m2x1q8r5--note.md") == NameForm::unknown_kind);
}

TEST_CASE("ordinary notes are left alone") {
  for (const std::string name : {"Plan.md",
                                 "Plan (1).md",
                                 "a--b.md",
                                 "a--b--c.md",
                                 "--.md",
                                 "----.md",
                                 "---.md",
                                 "a---b.md",
                                 ".md",
                                 "",
                                 "summary.md",
                                 "2026-03-28.md",
                                 "2026-03-28T22-34-06.792Z.md",
                                 "2026-03-28--summary.md",
                                 "ly63agshl7q5mxfi--summary.md",
                                 "Q1--draft--final.md",
                                 "Meeting-LAPTOP.md",
                                 "pinned.md",
                                 "MEMORY.md"}) {
    CAPTURE(name);
    CHECK(form_of(name) == NameForm::other);
    CHECK_FALSE(read_artifact_name(name).kind.has_value());
    CHECK_FALSE(conflict_copy_of(name).has_value());
  }
}

TEST_CASE("three dashes before a kind's word make no artifact's name") {
  // Two parts only: there is no token between them.
  for (const std::string& stem :
       {std::string("Weekly"), std::string("2026-03-28"), std::string(), kTime}) {
    const std::string name = stem + "---summary.md";
    CAPTURE(name);
    CHECK(form_of(name) == NameForm::other);
    CHECK_FALSE(read_artifact_name(name).kind.has_value());
  }
}

TEST_CASE("only markdown files have an artifact's name") {
  for (const std::string ending : {"", ".MD", ".md.tmp", ".txt", ".markdown", ".md "}) {
    CAPTURE(ending);
    CHECK(form_of(kStem + ending) == NameForm::other);
  }
}

TEST_CASE("a synchroniser's copy of an artifact is a conflict copy of it") {
  for (const std::string mark : {
           " (Conflicted copy phone 202603282234)",   // Obsidian
           ".sync-conflict-20260328-223406-ABCDEFG",  // Syncthing
           " (conflicted copy 2026-03-28 223406)",    // Nextcloud
           " (Max's conflicted copy 2026-03-28)",     // Dropbox
           ".sync-conflict-20160328-223406",          // Syncthing, before it named the device
           "_conflict-20260328-223406",               // ownCloud
           " (SFConflict max@example.org 2026-03-28-22-34-06)",  // Seafile
           " 2",                                                 // iCloud
           " 13",
           " (1)",  // browsers, Drive, Finder
           " (23)",
           "-LAPTOP",  // OneDrive
           "-DESKTOP-7F3A",
       }) {
    const std::string text = kStem + mark + ".md";
    const NameReading reading = read_artifact_name(text);
    CAPTURE(text);
    CHECK(reading.form == NameForm::conflict_copy);
    CHECK(reading.kind == Kind::summary);
    CHECK(reading.name == ArtifactName{token(), Timestamp{kExample}, Kind::summary});
    CHECK(reading.token_text == kToken);
    CHECK_FALSE(reading.canonical);
    CHECK(conflict_copy_of(text) == kStem);
  }
}

TEST_CASE("a conflict copy is known also when the device's name has brackets") {
  const std::string text = kStem + " (Conflicted copy MacBook Pro (2) 202603282234).md";
  CHECK(form_of(text) == NameForm::conflict_copy);
  CHECK(conflict_copy_of(text) == kStem);
}

TEST_CASE("the strong marks count on any note") {
  CHECK(conflict_copy_of("Plan (Conflicted copy phone 202603282234).md") == "Plan");
  CHECK(conflict_copy_of("Plan.sync-conflict-20260328-223406-ABCDEFG.md") == "Plan");
  CHECK(conflict_copy_of("Plan (conflicted copy 2026-03-28 223406).md") == "Plan");
  CHECK(conflict_copy_of("MEMORY.sync-conflict-20260328-223406-ABCDEFG.md") == "MEMORY");
  CHECK(form_of("Plan (Conflicted copy phone 202603282234).md") == NameForm::other);
}

TEST_CASE("a copy of a copy leads to the first original") {
  const auto mark = rc::gen::element<std::string>(" (Conflicted copy phone 202603282234)",
                                                  ".sync-conflict-20260328-223406-ABCDEFG",
                                                  " (conflicted copy 2026-03-28 223406)",
                                                  " (Max's conflicted copy 2026-03-28)",
                                                  "_conflict-20260328-223406",
                                                  " (SFConflict a@b.c 2026-03-28-22-34-06)",
                                                  " 2",
                                                  " (1)");
  CHECK(rc::check("up to four marks on an artifact", [mark] {
    // A machine's name is known directly behind the kind only.
    const bool on_machine = *rc::gen::arbitrary<bool>();
    std::string name = on_machine ? kStem + "-DESKTOP-7F3A" : kStem;
    const int marks = *rc::gen::inRange(on_machine ? 0 : 1, 4);
    for (int i = 0; i < marks; ++i) {
      name += *mark;
    }
    RC_ASSERT(conflict_copy_of(name + ".md") == kStem);
    RC_ASSERT(form_of(name + ".md") == NameForm::conflict_copy);
  }));
  CHECK(rc::check("what is said to be the original is a beginning", [](const std::string& name) {
    const auto original = conflict_copy_of(name + ".md");
    const bool is_beginning = !original || (name.starts_with(*original) && *original != name);
    RC_ASSERT(is_beginning);
  }));
}

TEST_CASE("a number at the end is a mark only together with more") {
  CHECK(numbered_copy_of("Plan 2.md") == "Plan");
  CHECK(numbered_copy_of("Plan (1).md") == "Plan");
  CHECK(numbered_copy_of("My plan 12.md") == "My plan");
  for (const std::string name : {"Plan.md",
                                 "Plan2.md",
                                 "Plan 1.md",
                                 "Plan 02.md",
                                 "Plan 2026.md",
                                 "Plan 2.txt",
                                 " 2.md",
                                 " (1).md",
                                 "2.md",
                                 "Plan ().md"}) {
    CAPTURE(name);
    CHECK_FALSE(numbered_copy_of(name).has_value());
  }
}

TEST_CASE("copies of MEMORY.md are known by their names") {
  for (const std::string name : {"MEMORY.sync-conflict-20260328-223406-ABCDEFG.md",
                                 "MEMORY (Conflicted copy phone 202603282234).md",
                                 "MEMORY (conflicted copy 2026-03-28 223406).md"}) {
    CAPTURE(name);
    CHECK(read_memory_md_copy(name) == MemoryMdCopy::certain);
  }
  for (const std::string name : {"MEMORY 2.md",
                                 "MEMORY (1).md",
                                 "MEMORY-LAPTOP.md",
                                 "MEMORY 2 (1).md",
                                 "MEMORY (Conflicted copy phone 202603282234) 2.md"}) {
    CAPTURE(name);
    CHECK(read_memory_md_copy(name) == MemoryMdCopy::possible);
  }
  for (const std::string name : {"MEMORY.md",
                                 "MEMORY 2.txt",
                                 "MEMORY 1.md",
                                 "MEMORYLANE.md",
                                 "MEMORY of the sea 2.md",
                                 "My MEMORY 2.md",
                                 "memory 2.md",
                                 "Plan 2.md"}) {
    CAPTURE(name);
    CHECK(read_memory_md_copy(name) == MemoryMdCopy::no);
  }
}

TEST_CASE("names of any length are read in bounded steps") {
  std::string name = kStem;
  for (int i = 0; i < 100'000; ++i) {
    name += " 2";
  }
  CHECK_FALSE(conflict_copy_of(name + ".md").has_value());
  CHECK(form_of(name + ".md") == NameForm::unknown_kind);
}

TEST_CASE("what only resembles a mark is none") {
  for (const std::string name : {"Plan (1).md",
                                 "Plan-LAPTOP.md",
                                 "Plan (copy).md",
                                 "About sync-conflict-files.md",
                                 "x.sync-conflict-yesterday.md",
                                 "x.sync-conflict-20260328.md",
                                 "x.sync-conflict-2026032a-223406-ABCDEFG.md",
                                 ".sync-conflict-20260328-223406-ABCDEFG.md",
                                 "conflicted copy.md",
                                 " (Conflicted copy phone 202603282234).md",
                                 "Plan (Conflicted copy phone 202603282234).txt",
                                 "Plan (Conflicted copy phone 202603282234)"}) {
    CAPTURE(name);
    CHECK_FALSE(conflict_copy_of(name).has_value());
    CHECK(form_of(name) == NameForm::other);
  }
}

TEST_CASE("a weak mark after something that is not quite an artifact's name is none") {
  CHECK(form_of(kStem + " (x).md") == NameForm::unknown_kind);
  CHECK(form_of(kStem + " ().md") == NameForm::unknown_kind);
  CHECK(form_of(kStem + "-.md") == NameForm::unknown_kind);
  CHECK(form_of(kTime + "--" + kToken + "--notes (1).md") == NameForm::unknown_kind);
  CHECK(form_of(kTime + "--" + kToken + "--notes-LAPTOP.md") == NameForm::unknown_kind);
  CHECK_FALSE(conflict_copy_of(kStem + " (x).md").has_value());
}

}  // namespace daybook::lineage

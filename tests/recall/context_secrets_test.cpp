// SPDX-License-Identifier: MIT
//
// What a note holds that nobody sanitised is redacted before the line to be told is cut from it:
// wherever the cut falls, no remnant of a secret is left that the sanitizer does not know any more.
#include "daybook/index/question.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/recall/context.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/service/search.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace {

using daybook::redact::Policy;
using daybook::support::IndexedVault;
using daybook::support::SessionFiles;

constexpr int kPaddings = 48;
constexpr const char* kPassword = "Tr0ub4dor-horse-staple-99";
constexpr const char* kBearer = "zzQ1abcdEFGH2345ijklMNOPq";

std::string two_digits(int number) {
  return std::string(number < 10 ? "0" : "") + std::to_string(number);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

/// Notes by hand, in each of which the same words stand a little further behind a secret.
class Vault : public IndexedVault {
 public:
  Vault() {
    for (int n = 0; n < kPaddings; ++n) {
      const std::string between =
          repeated("mid ", 2 + n / 3) + std::string(static_cast<std::size_t>(1 + n % 3), 'b');
      write_note("password", n, std::string("password: ") + kPassword + " " + between);
      write_note("bearer", n, std::string("Authorization: Bearer ") + kBearer + " " + between);
      write_note("card", n, "aaaa ", " " + between + " card 4111 1111 1111 1111 ok");
      write_note("phone", n, "aaaa ", " " + between + " phone (415) 555-2671 ok");
    }
    reindex();
  }

  /// One line that is told of the note with that word.
  std::string told(const std::string& word, const Policy* redaction) const {
    daybook::recall::RecallRequest request;
    request.query = word;
    request.now = {clock().now_ms()};
    request.redaction = redaction;
    const auto report = daybook::recall::recall(daybook::base::real_disk(), folder(), {}, request);
    REQUIRE(report);
    REQUIRE(report->results.size() == 1);
    return report->results[0].snippet.text + "\n" + report->results[0].session.sentence;
  }
  std::string searched(const std::string& word, const Policy* redaction) const {
    daybook::service::SearchRequest request;
    request.query = word;
    request.redaction = redaction;
    const auto report = daybook::service::search(daybook::base::real_disk(), folder(), request);
    REQUIRE(report);
    REQUIRE(report->results.size() == 1);
    return report->results[0].snippet.text;
  }
  std::string context(const std::string& word) const {
    daybook::recall::ContextRequest request;
    request.agent = "default";
    request.query = word;
    request.now = {clock().now_ms()};
    const auto made =
        daybook::recall::make_context({daybook::base::real_disk(), folder(), {}, {}}, request);
    REQUIRE(made);
    return made->prompt.text;
  }

 private:
  void write_note(const std::string& what,
                  int n,
                  const std::string& before,
                  const std::string& behind = {}) const {
    SessionFiles files("default", what + std::to_string(n), "2026-03-20T10:00:00.000Z");
    files.transcript.present = false;
    files.summary.body = "intro words here.\n\n" + repeated("lead ", 20) + before + " yak" + what +
                         two_digits(n) + " " + behind + " " + repeated("tail ", 80) + "\n";
    files.summary.fields.set_text("memory_sentence",
                                  "Kept " + what + " number " + std::to_string(n) +
                                      " in a note that somebody wrote by hand in the evening.");
    add(files);
  }
};

}  // namespace

TEST_CASE("No cut of a line leaves a remnant of a secret or of personal data in what is told") {
  const Vault vault;
  const Policy policy;
  bool shown_raw = false;
  for (int n = 0; n < kPaddings; ++n) {
    for (const std::string what : {"password", "bearer", "card", "phone"}) {
      const std::string word = "yak" + what + two_digits(n);
      for (const std::string& text :
           {vault.context(word), vault.told(word, &policy), vault.searched(word, &policy)}) {
        INFO(text);
        REQUIRE_FALSE(text.empty());
        REQUIRE(text.find("Tr0ub") == std::string::npos);
        REQUIRE(text.find("zzQ1abcd") == std::string::npos);
        REQUIRE(text.find("4111") == std::string::npos);
        REQUIRE(text.find("1111") == std::string::npos);
        REQUIRE(text.find("555") == std::string::npos);
      }
      shown_raw = shown_raw || vault.told(word, nullptr).find("4111 1111") != std::string::npos;
    }
  }
  CHECK(shown_raw);  // a person sees the own notes as they are
}

TEST_CASE("A match far behind in a large note is found in the redacted text, too") {
  IndexedVault vault;
  SessionFiles files("default", "key", "2026-03-20T10:00:00.000Z");
  files.transcript.body = repeated("nothing of note happens here\n", 40'000) +
                          "password: " + kPassword + "\nthe walrus typed it\n" +
                          repeated("more\n", 200'000);
  vault.add(files);
  vault.reindex();
  const std::string path = "memory/" + files.file_name(daybook::lineage::Kind::transcript);
  auto reader =
      daybook::index::Reader::open(vault.folder().file(daybook::index::kIndexFile)).value();
  auto row = reader.file_at(path).value().value();
  // A large file is known by stat, and this vault is indexed as if it were older.
  const auto memory = daybook::base::real_disk().open_root(vault.at("memory")).value();
  const auto stat = memory->stat(row.name).value();
  row.mtime_ns = stat.mtime_ns;
  row.ctime_ns = stat.ctime_ns;
  auto notes =
      daybook::service::NoteReader::open(daybook::base::real_disk(), vault.workspace()).value();
  const auto terms = daybook::index::Question::parse("walrus").value().search_terms();
  const Policy policy;
  const auto redacted = notes.snippet(row, terms, 200, &policy).value();
  const auto raw = notes.snippet(row, terms, 200).value();
  REQUIRE(redacted);
  REQUIRE(raw);
  CHECK(redacted->text.find("walrus typed") != std::string::npos);
  CHECK(redacted->text.find("Tr0ub") == std::string::npos);
  CHECK(redacted->cut_before);
  CHECK(raw->text.find(kPassword) != std::string::npos);
}

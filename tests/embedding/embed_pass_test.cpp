// SPDX-License-Identifier: MIT
#include "daybook/model/embedder.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/pipeline.hpp"
#include "embedding/embedded_vault.hpp"
#include "service/passages.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <future>
#include <numeric>

namespace {

using daybook::service::EmbedReport;
using daybook::service::Reembed;
using daybook::test::EmbeddedVault;
using namespace std::chrono_literals;

/// So many sessions with a sentence and a body each.
void add_sessions(EmbeddedVault& vault, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    vault.add_session("key-" + number,
                      "Made the widget number " + number + " turn around its own axis again.",
                      "# Widget " + number + "\n\nIt did not turn.");
  }
  vault.reindex();
}

std::string all_of(const std::vector<std::string>& texts) {
  return std::accumulate(texts.begin(), texts.end(), std::string());
}

std::string joined_requests(const EmbeddedVault& vault) {
  return all_of(vault.endpoint.requests());
}

}  // namespace

TEST_CASE("every session's sentence and body are embedded, in batches, and then nothing more") {
  EmbeddedVault vault;
  add_sessions(vault, 5);
  vault.config.embeddings.batch = 4;
  CHECK(vault.counts().pending == 5);
  CHECK(vault.embed().embedded == 5);
  CHECK(vault.counts().embedded == 5);
  CHECK(vault.counts().pending == 0);
  CHECK(vault.endpoint.texts().size() == 10);
  const auto batches = vault.endpoint.batches();
  CHECK(*std::max_element(batches.begin(), batches.end()) <= 4);
  const std::size_t asked = batches.size();

  CHECK(vault.embed().embedded == 0);
  CHECK(vault.endpoint.batches().size() == asked);
}

TEST_CASE("a session that changes or comes is embedded alone, one that goes takes its vectors") {
  EmbeddedVault vault;
  add_sessions(vault, 3);
  vault.embed();
  vault.add_session("key-9", "Painted the shed in a deep and lasting green colour.", "Green.");
  vault.reindex();
  CHECK(vault.embed().embedded == 1);
  CHECK(vault.counts().embedded == 4);

  vault.remove_session("key-9");
  CHECK(vault.counts().embedded == 3);
  CHECK(vault.counts().pending == 0);
}

TEST_CASE("no byte of a removed session's vectors stays in the state folder") {
  EmbeddedVault vault(16);
  add_sessions(vault, 2);
  vault.add_session("gone", "Buried the treasure below the old oak behind the mill.", "Oak.");
  vault.reindex();
  vault.embed();
  // As the index keeps it, and as nobody else's can be.
  const std::string marks = [&vault] {
    auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                             daybook::store::Access::read_only);
    REQUIRE(opened);
    const auto hex = opened->database->text(
        "SELECT hex(substr(vector.value, 1, 24)) FROM vector JOIN file ON file.id = vector.id / 8"
        " WHERE file.session_key = 'gone' AND vector.id % 8 = 0");
    REQUIRE(hex);
    REQUIRE(*hex);
    std::string bytes;
    for (std::size_t at = 0; at < (*hex)->size(); at += 2) {
      bytes += static_cast<char>(std::stoi((*hex)->substr(at, 2), nullptr, 16));
    }
    return bytes;
  }();
  REQUIRE_FALSE(vault.state_files_with(marks).empty());
  vault.remove_session("gone");
  CHECK(vault.state_files_with(marks).empty());
  CHECK(vault.counts().embedded == 2);
}

TEST_CASE("a new index takes the vectors over, and nothing is paid twice") {
  EmbeddedVault vault;
  add_sessions(vault, 4);
  vault.embed();
  const std::size_t asked = vault.endpoint.batches().size();
  vault.reindex(daybook::service::Extent::everything);
  CHECK(vault.counts().embedded == 4);
  CHECK(vault.counts().pending == 0);
  CHECK(vault.embed().embedded == 0);
  CHECK(vault.endpoint.batches().size() == asked);
  const auto report = vault.recall(vault.question("widget number 2 axis"));
  CHECK(report.mode_reason == daybook::recall::ModeReason::none);
}

TEST_CASE("vectors are not taken over for a file that says something else by now") {
  EmbeddedVault vault;
  add_sessions(vault, 2);
  vault.embed();
  vault.add_session(
      "key-1", "Replaced the widget by a gadget that needs no axis at all.", "Gadget.");
  vault.delete_state_file("state.db");  // with its seals: the new text is the text
  vault.reindex();
  CHECK(vault.counts().embedded == 1);
  CHECK(vault.embed().embedded == 1);
}

TEST_CASE("what was put stays when a pass is cut off, and the next one goes on") {
  EmbeddedVault vault;
  add_sessions(vault, 6);
  vault.config.embeddings.batch = 2;
  vault.config.embeddings.timeout_seconds = 5;
  vault.endpoint.refuse_after(5);
  const auto failed = vault.try_embed();
  REQUIRE_FALSE(failed);
  CHECK_THAT(failed.error().message, Catch::Contains("status 500"));
  CHECK_THAT(vault.last_error(), Catch::Contains("status 500"));
  const auto done = vault.counts();
  CHECK(done.embedded == 4);
  vault.endpoint.refuse_after(1000);
  CHECK(vault.embed().embedded == 2);
  CHECK(vault.counts().pending == 0);
  CHECK(vault.last_error().empty());
}

TEST_CASE("another model is an error that names both, before a word is sent") {
  EmbeddedVault vault;
  add_sessions(vault, 2);
  vault.embed();
  vault.add_session("more", "Bought a new lamp for the desk in the corner room.", "Lamp.");
  vault.reindex();
  const std::size_t asked = vault.endpoint.requests().size();
  const std::string before = daybook::model::embedder_identity(vault.endpoint.base_url(), "made");
  vault.config.embeddings.model = "other";
  const auto refused = vault.try_embed();
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains(before) && Catch::Contains("openai:other:"));
  CHECK_THAT(refused.error().hint, Catch::Contains("daybook reindex --reembed"));
  CHECK(vault.endpoint.requests().size() == asked);

  const auto report = vault.recall(vault.question("widget axis"));
  CHECK(report.mode_reason == daybook::recall::ModeReason::other_model);
  CHECK_THAT(report.mode_note, Catch::Contains("reindex --reembed"));
  CHECK_FALSE(report.results.empty());
  CHECK(vault.endpoint.requests().size() == asked);

  CHECK(vault.embed(Reembed::everything).embedded == 3);
  CHECK(vault.recall(vault.question("widget")).mode_reason == daybook::recall::ModeReason::none);
}

TEST_CASE("other dimensions of the same model are an error that names both") {
  EmbeddedVault vault(64);
  add_sessions(vault, 1);
  vault.embed();
  vault.add_session("more", "Bought a new lamp for the desk in the corner room.", "Lamp.");
  vault.reindex();
  vault.endpoint.set_dimensions(32);
  const auto refused = vault.try_embed();
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message,
             Catch::Contains("64 dimensions") && Catch::Contains("32 dimensions"));
  CHECK(vault.counts().embedded == 1);
  CHECK(vault.recall(vault.question("lamp")).mode_reason ==
        daybook::recall::ModeReason::other_model);
  CHECK(vault.embed(Reembed::everything).embedded == 2);
}

TEST_CASE("a pass under which the vectors were dropped ends, as its model may be the former one") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.embed();
  vault.add_session("more", "Bought a new lamp for the desk in the corner room.", "Lamp.");
  vault.reindex();
  const daybook::service::WriteGuard dropping =
      [&vault](const auto& deed) -> daybook::Result<void> {
    auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                             daybook::store::Access::read_write);
    REQUIRE(daybook::index::Vectors(*opened->database).drop());
    opened->database.reset();
    return deed();
  };
  const auto ended = daybook::service::run_embed_pass(daybook::base::real_disk(),
                                                      vault.folder(),
                                                      vault.config,
                                                      {Reembed::missing, dropping, {}},
                                                      vault.progress);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().kind == daybook::ErrorKind::busy);
  CHECK(vault.counts().embedded == 0);
  CHECK(vault.last_error().empty());
}

TEST_CASE("everything is dropped only when the endpoint answers") {
  EmbeddedVault vault;
  add_sessions(vault, 2);
  vault.embed();
  vault.endpoint.set_status("403 Forbidden");
  CHECK_FALSE(vault.try_embed(Reembed::everything));
  CHECK(vault.counts().embedded == 2);
}

TEST_CASE("neither secrets nor personal data are sent") {
  EmbeddedVault vault;
  const std::string token = "ghp_" + std::string("16C7e42F292c6912E7710c838347Ae178B4a");
  vault.add_session("leak",
                    "Set up the deployment with " + token + " for the whole release team.",
                    "# Deployment\n\nThe key is " + token + ", ask jane.doe@example.com.");
  vault.reindex();
  vault.embed();
  const auto report = vault.recall(vault.question("who used " + token + " lately?"));
  CHECK(report.mode_reason == daybook::recall::ModeReason::none);
  const std::string sent = joined_requests(vault);
  CHECK_THAT(sent, Catch::Contains("Deployment") && Catch::Contains("lately"));
  CHECK_THAT(sent, !Catch::Contains(token));
  CHECK_THAT(sent, !Catch::Contains("jane.doe"));
}

TEST_CASE("texts that the operator listed are not sent, and without the list nothing is") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.config.capture.literals_file = vault.at("literals.txt");
  CHECK_FALSE(vault.try_embed());
  CHECK(vault.endpoint.requests().empty());
  vault.write("literals.txt", "widget\nWidget\n");
  vault.embed();
  CHECK_THAT(joined_requests(vault), !Catch::Contains("widget") && !Catch::Contains("Widget"));
}

TEST_CASE("a file that has changed since it was indexed is left out, and no vector is put") {
  EmbeddedVault vault;
  add_sessions(vault, 2);
  {
    auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                             daybook::store::Access::read_only);
    const auto path = opened->database->text(
        "SELECT source_path FROM artifacts WHERE session_key ="
        " 'key-0' AND source_kind = 'summary'");
    REQUIRE(path);
    vault.write(**path, vault.read(**path) + "More.\n");
  }
  const EmbedReport report = vault.embed();
  CHECK(report.embedded == 1);
  CHECK(report.left_out == 1);
  CHECK_THAT(joined_requests(vault), !Catch::Contains("More."));
}

TEST_CASE("without an endpoint nothing is embedded, and recall says so") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.config.embeddings = {};
  CHECK(vault.embed().embedded == 0);
  CHECK(vault.writes == 0);
  const auto report = vault.recall(vault.question("widget"));
  CHECK(report.mode_reason == daybook::recall::ModeReason::not_configured);
  CHECK(report.results.size() == 1);
}

TEST_CASE("an endpoint that wants to be left alone is, by later passes of the service as well") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.endpoint.set_status("429 Slow down", "Retry-After: 3600\r\n");
  const auto clock = vault.clock();
  daybook::service::Pipeline pipeline(daybook::base::real_disk(), vault.folder(), clock);
  daybook::service::PassRequest request;
  request.config = vault.config;
  const auto embed = [&] {
    std::promise<void> ended;
    pipeline.begin_vectors(request, vault.progress, [&ended] { ended.set_value(); });
    ended.get_future().wait();
    const auto outcome = pipeline.take_vectors_outcome();
    REQUIRE(outcome);
    return *outcome ? std::string() : outcome->error().message;
  };
  CHECK_THAT(embed(), Catch::Contains("left alone") && Catch::Contains("3600 s"));
  CHECK(vault.endpoint.requests().size() == 1);
  vault.endpoint.set_status("200 OK");
  CHECK_THAT(embed(), Catch::Contains("left alone"));
  CHECK(vault.endpoint.requests().size() == 1);
  CHECK_THAT(vault.last_error(), Catch::Contains("left alone"));

  request.config->embeddings.timeout_seconds = 5;  // whoever sets something anew wants it tried
  CHECK(embed().empty());
  CHECK(vault.counts().embedded == 1);
}

TEST_CASE("a body is cut into pieces at the ends of lines, after it was redacted") {
  using daybook::service::kPassageBytes;
  using daybook::service::passages_of;
  const daybook::redact::Policy policy;
  CHECK(passages_of("One.", " \n", policy) == std::vector<std::string>{"One."});
  CHECK(passages_of("", "", policy) == std::vector<std::string>{"-"});
  std::string body;
  for (int i = 0; body.size() < 40'000; ++i) {
    body += "Line " + std::to_string(i) + " is of some length and ends in a stop.\n";
  }
  const auto pieces = passages_of("One.", body, policy);
  REQUIRE(pieces.size() == 4);
  for (const std::string& piece : pieces) {
    CHECK(piece.size() <= kPassageBytes);
    CHECK_THAT(piece, Catch::EndsWith("."));
  }
  CHECK_THAT(pieces[2], Catch::StartsWith("Line "));
  // A secret that the end of what is looked at cuts in two is not in what is taken.
  const std::string secret = "AKIA" + std::string("IOSFODNN7EXAMPLE");
  for (std::size_t shift = 0; shift < 40; ++shift) {
    const std::string long_line = std::string(4 * 3 * kPassageBytes - 20 - shift, 'x');
    const auto cut = passages_of("", long_line + " " + secret + " and so on\n", policy);
    CHECK_THAT(all_of(cut), !Catch::Contains("IOSFODNN"));
  }
}

TEST_CASE("of two notes of the same learning the one that counts is embedded alone") {
  EmbeddedVault vault;
  const std::string note = "---\nkind: learning\nlearning_kind: fact\n---\nThe mill is old.\n";
  vault.write("memory/learnings/4711-b.md", note);
  vault.reindex();
  CHECK(vault.embed().embedded == 1);
  vault.write("memory/learnings/4711-a.md", note);
  vault.reindex();
  vault.embed();
  CHECK(vault.counts().embedded == 1);
  CHECK(vault.counts().pending == 0);
  vault.unlink("memory/learnings/4711-a.md");
  vault.reindex();
  vault.embed();
  CHECK(vault.counts().embedded == 1);
}

TEST_CASE("what was learned is embedded, too, and lies apart from sessions") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.write("memory/learnings/4711-tabs.md",
              "---\nkind: learning\nlearning_kind: preference\n---\nThe owner wants tabs.\n");
  vault.write("memory/learnings/4712-old.md",
              "---\nkind: learning\nlearning_kind: fact\nstatus: archived\n---\nLong ago.\n");
  vault.reindex();
  CHECK(vault.embed().embedded == 2);
  CHECK(vault.counts().pending == 0);
  CHECK_THAT(joined_requests(vault), Catch::Contains("wants tabs") && !Catch::Contains("Long ago"));
  const auto near = [&vault](daybook::index::VectorsOf of) {
    auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                             daybook::store::Access::read_only);
    const auto found = daybook::index::Vectors(*opened->database)
                           .nearest(std::vector<float>(1024, 1.0F), {}, 10, of);
    REQUIRE(found);
    return found->size();
  };
  CHECK(near(daybook::index::VectorsOf::sessions) == 1);
  CHECK(near(daybook::index::VectorsOf::learnings) == 1);
  vault.unlink("memory/learnings/4711-tabs.md");
  vault.reindex();
  CHECK(near(daybook::index::VectorsOf::learnings) == 0);
}

TEST_CASE("what is sensitive or has expired is never sent") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  const auto learn = [&vault](const std::string& id, const std::string& field, const char* text) {
    vault.write("memory/learnings/" + id + "-note.md",
                "---\nkind: learning\nlearning_id: " + id + "\nlearning_kind: fact\n" + field +
                    "---\n" + text + "\n");
  };
  learn("1", "sensitivity: sensitive\n", "The safe stands in the cellar.");
  learn("2", "status: provisional\nsensitivity: sensitive\n", "The spare key hangs in the barn.");
  learn("3", "expires_at: 2026-04-09T00:00:00Z\n", "The pier is closed.");
  learn("4", "expires_at: 2026-04-11T00:00:00Z\n", "The attic is locked.");
  vault.reindex();
  CHECK(vault.counts().pending == 2);
  CHECK(vault.embed().embedded == 2);
  CHECK(vault.embed(Reembed::everything).embedded == 2);
  CHECK_THAT(joined_requests(vault),
             Catch::Contains("attic") && !Catch::Contains("cellar") && !Catch::Contains("barn") &&
                 !Catch::Contains("pier"));

  const std::size_t sent = vault.endpoint.texts().size();
  learn("4", "sensitivity: sensitive\n", "The attic is locked.");
  vault.reindex();
  CHECK(vault.counts().embedded == 1);
  CHECK(vault.counts().pending == 0);
  CHECK(vault.embed().embedded == 0);
  CHECK(vault.endpoint.texts().size() == sent);
}

TEST_CASE("a new index does not take over a vector that a former one has of a sensitive note") {
  EmbeddedVault vault;
  add_sessions(vault, 2);
  vault.write("memory/learnings/1-note.md",
              "---\nlearning_kind: fact\nsensitivity: sensitive\n---\nThe safe is open.\n");
  vault.reindex();
  CHECK(vault.embed().embedded == 2);
  {
    auto opened = daybook::index::open_index(vault.folder().file(daybook::index::kIndexFile),
                                             daybook::store::Access::read_write);
    REQUIRE(opened);
    REQUIRE(opened->database->execute(
        "INSERT INTO vector SELECT file.id * 8, source_sha256, 0, 0, -1, 0,"
        " (SELECT value FROM vector LIMIT 1) FROM learning JOIN file ON file.id = learning.file;"
        "PRAGMA user_version = 12;"));
  }
  vault.reindex();
  CHECK(vault.counts().embedded == 2);
}

TEST_CASE("a note that the endpoint refuses keeps no other out, and is not sent again") {
  const std::string status = GENERATE("400 Bad Request", "500 Internal Server Error");
  EmbeddedVault vault;
  add_sessions(vault, 8);
  vault.endpoint.refuse_texts_with("Widget 3", status);
  const EmbedReport report = vault.embed();
  CHECK(report.embedded == 7);
  CHECK(report.left_out == 1);
  CHECK(vault.counts().refused == 1);
  CHECK(vault.counts().pending == 0);
  CHECK_THAT(vault.last_error(), Catch::Contains("status " + status.substr(0, 3)));
  CHECK(vault.endpoint.requests().size() < 20);

  const std::size_t asked = vault.endpoint.texts().size();
  vault.add_session("more", "Bought a new lamp for the desk in the corner room.", "Lamp.");
  vault.reindex();
  CHECK(vault.embed().embedded == 1);
  CHECK(vault.endpoint.texts().size() == asked + 2);
  CHECK(vault.last_error().empty());
  CHECK(vault.counts().refused == 1);

  vault.endpoint.refuse_texts_with("");
  CHECK(vault.embed().embedded == 0);
  CHECK(vault.embed(Reembed::everything).embedded == 9);
  CHECK(vault.counts().refused == 0);
}

TEST_CASE("what was refused goes with the text, and a new index asks once more") {
  EmbeddedVault vault;
  add_sessions(vault, 2);
  vault.endpoint.refuse_texts_with("Widget 1");
  vault.embed();
  REQUIRE(vault.counts().refused == 1);
  SECTION("a new index") {
    vault.endpoint.refuse_texts_with("");
    vault.reindex(daybook::service::Extent::everything);
    CHECK(vault.embed().embedded == 1);
  }
  SECTION("another model") {
    vault.config.embeddings.model = "other";
    vault.endpoint.refuse_texts_with("");
    CHECK(vault.embed(Reembed::everything).embedded == 2);
  }
  SECTION("a session that is removed") {
    vault.remove_session("key-1");
    CHECK(vault.counts().refused == 0);
  }
}

TEST_CASE("many notes that are refused in a row keep no other out") {
  EmbeddedVault vault;
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    vault.add_session("key-" + number,
                      "Made the widget number " + number + " turn around its own axis again.",
                      i < 7 ? "Unspeakable." : "Plain.");
  }
  vault.reindex();
  vault.config.embeddings.batch = 4;
  vault.endpoint.refuse_texts_with("Unspeakable");
  const EmbedReport report = vault.embed();
  CHECK(report.embedded == 5);
  CHECK(report.left_out == 7);
}

TEST_CASE("an endpoint that refuses everything is not asked about everything") {
  EmbeddedVault vault;
  add_sessions(vault, 9);
  vault.endpoint.set_status("400 Bad Request");
  CHECK_FALSE(vault.try_embed());
  CHECK(vault.endpoint.requests().size() == 2);  // the notes, and something harmless
  CHECK(vault.counts().refused == 0);
  CHECK(vault.counts().pending == 9);
}

TEST_CASE("where the model takes no long texts, the beginnings of long passages are embedded") {
  EmbeddedVault vault;
  std::string body;
  while (body.size() < 9000) {
    body += "A line of the body that goes on and on.\n";
  }
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    vault.add_session("key-" + number, "Wrote the long report " + number + " down.", body);
  }
  vault.reindex();
  vault.config.embeddings.batch = 4;
  vault.endpoint.refuse_texts_above(2000);
  const EmbedReport report = vault.embed();
  CHECK(report.embedded == 8);
  CHECK(report.left_out == 0);
  // After a few the pass knows.
  const auto sent = vault.endpoint.texts();
  CHECK(std::all_of(sent.end() - 16, sent.end(), [](const std::string& text) {
    return text.size() <= daybook::service::kShortPassageBytes;
  }));
}

TEST_CASE("a question of any length is sent, cut to what models read") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.embed();
  std::string question = "widget ";
  for (int i = 0; i < 100'000; ++i) {
    question += "\xC3\xA9";
  }
  CHECK(vault.recall(vault.question(question)).mode_reason == daybook::recall::ModeReason::none);
  CHECK(vault.endpoint.texts().back().size() <= 4096);
}

TEST_CASE("a secret far behind in a question is redacted as a whole before the question is cut") {
  EmbeddedVault vault;
  add_sessions(vault, 1);
  vault.embed();
  for (const std::size_t behind : {32'740U, 65'500U}) {
    std::string question = "widget ";
    while (question.size() < behind) {  // long secrets, of which short words are left
      const std::size_t length = std::min<std::size_t>(2000, behind - question.size());
      question += "ghp_" + std::string(length, 'A') + " ";
    }
    question += "ghp_" + std::string(36, 'B');
    vault.recall(vault.question(question));
    INFO(vault.endpoint.texts().back());
    CHECK(vault.endpoint.texts().back().find("ghp_") == std::string::npos);
  }
}

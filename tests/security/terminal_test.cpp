// SPDX-License-Identifier: MIT
//
// Escape sequences wherever a note, a name, a setting or a harness can put text: no command lets
// one reach the terminal, neither in its answer nor in what it says beside it.
#include "cli/daybook_program.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::SessionFiles;

// Clipboard, link, title, screen, colour; the same begun by C1 characters; what moves the cursor
// or turns the text around. The word tells that the text around it was shown at all.
const std::string kAttack =
    "\x1b]52;c;cm0gLXJmIH4=\x07\x1b]8;;http://evil.example\x1b\\tidemark\x1b]8;;\x1b\\\x1b]0;t\x07"
    "\x1b[2J\x1b[31m\x1bP+q\x1b\\\xC2\x9B"
    "31m\xC2\x9D"
    "52;c;eA==\xC2\x9C\b\b\r\x0E\x7F\xE2\x80\xAE";
const std::string kAttackInName = "\x1b]52;c;eA==\x07\xC2\x9B[2J\r\n\xE2\x80\xAEtidemark";
const std::string kAttackInLink =
    "\x1bPq\x07\xC2\x9B"
    "2Jtidemark";
const std::string kBrokenName = kAttackInName +
                                "\x9B"
                                "31m";

enum class Colours : std::uint8_t { own, none };

/// Where a sequence of ours that only colours ends, `ESC [ digits m`; 0: it is none.
std::size_t end_of_colour(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
  const bool is_one = text.substr(at, 2) == "\x1b[" && end != std::string_view::npos &&
                      end > at + 2 && text[end] == 'm';
  return is_one ? end + 1 : 0;
}

/// What a terminal must not get, in words; empty if all is harmless.
std::string harm_in(std::string_view text, Colours colours = Colours::none) {
  if (!base::is_valid_utf8(text)) {
    return "no UTF-8";
  }
  for (std::size_t at = 0; at < text.size();) {
    const base::DecodedCharacter character = base::decode_utf8(text, at);
    const char32_t c = character.code_point;
    if (const std::size_t end = end_of_colour(text, at); end > 0 && colours == Colours::own) {
      at = end;
      continue;
    }
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
    if (control || c == 0x202E) {
      const std::size_t begin = at - std::min<std::size_t>(at, 60);
      return std::to_string(c) + " in: " + base::printable(text.substr(begin, 120));
    }
    at += character.size;
  }
  return {};
}

/// As JSON and YAML both read it: with every character that is not plain as `\uXXXX`.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const base::DecodedCharacter character = base::decode_utf8(text, at);
    const auto c = static_cast<unsigned>(character.code_point);
    std::array<char, 8> form{};
    std::snprintf(form.data(), form.size(), "\\u%04x", c);
    const bool plain = c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
    out += plain ? std::string(1, static_cast<char>(c)) : std::string(form.data());
    at += character.size;
  }
  return out + "\"";
}

SessionFiles attacking(const std::string& key, const std::string& time) {
  SessionFiles session("default", key + kAttack, time);
  session.set_everywhere("session_key", quoted(key + kAttack));
  session.set_everywhere("session_id", quoted("run-" + key + kAttack));
  session.set_everywhere("project", quoted("/home/dev/" + kAttack));
  session.set_everywhere("harness", quoted("harness" + kAttack));
  for (const Kind kind : {Kind::summary, Kind::transcript}) {
    session.file(kind).fields.set("memory_sentence",
                                  quoted("Measured the " + kAttack +
                                         " of src/gauge/import.cpp in tidewater until all readings "
                                         "of February agreed with the chart of the harbour."));
    session.file(kind).body = "# " + kAttack + "\n\nThe heron" + key + " " + kAttack + " saw [[" +
                              kAttackInLink + "]] and [[memory/gone" + kAttackInLink + ".md|" +
                              kAttackInLink + "]] and ![[../" + kAttackInLink + "]].\n";
  }
  session.summary.fields.set("run_status", "failed");
  session.summary.fields.set("failure_markers", "[" + quoted(kAttack) + "]");
  session.summary.fields.set("request_preview", quoted(kAttack));
  session.summary.fields.set("outcome_preview", quoted(kAttack));
  session.summary.fields.set("run_summary", quoted(kAttack));
  return session;
}

class AttackedVault {
 public:
  AttackedVault() {
    place_.make_folder("vault/memory");
    first.write(place_, "vault");
    second.write(place_, "vault");
    // Names, and frontmatter that is wrong in every field.
    SessionFiles odd = attacking("odd", "2026-03-26T10:00:00.000Z");
    odd.summary.folder = odd.transcript.folder = odd.manifest.folder = "memory/" + kAttackInName;
    odd.write(place_, "vault");
    SessionFiles wrong = attacking("wrong", "2026-03-25T10:00:00.000Z");
    for (const char* field : {"captured_at",
                              "agent_id",
                              "manifest_path",
                              "content_sha256",
                              "hash_scope",
                              "memory_sentence_quality",
                              "kind"}) {
      wrong.summary.fields.set(field, quoted(kAttack));
    }
    wrong.summary.extra_frontmatter = quoted(kAttack) + ": 1\n" + quoted(kAttack) + ": 2\n";
    wrong.write(place_, "vault");
    SessionFiles agent("default", "agent", "2026-03-24T10:00:00.000Z");
    agent.set_everywhere("agent_id", quoted(kAttack));
    agent.write(place_, "vault");
    place_.write("vault/memory/" + kBrokenName + ".md", "---\nkind: summary\n---\n" + kAttack);
    place_.write("vault/memory/" + kAttackInName + ".md", "---\nkind: summary\n---\n" + kAttack);
    place_.write("vault/memory/pinned.md",
                 "# Pinned\n\n" + kAttack + "\n\n" + kAttackInName + "\n");
    place_.write("vault/MEMORY.md", kAttack);
    place_.write("vault/MEMORY (1).md", kAttack);
    place_.write("vault/agents/" + kAttackInName + "/MEMORY.md", kAttack);
    const std::string copy = first.summary.path();
    place_.write(
        "vault/" + copy.substr(0, copy.size() - 3) + ".sync-conflict-20260328-223406-ABCDEFG.md",
        first.text(Kind::summary) + kAttack);
    place_.write("vault/memory/" + kAttackInName + "/x.sync-conflict-20260328-223406-ABCDEFG.md",
                 kAttack);
  }

  support::ProgramOutcome run(std::vector<std::string> words,
                              const std::string& input = {},
                              bool on_terminal = false) const {
    auto program = daybook(support::on_vault(place_.at("vault"), place_.at("state"), words));
    program.environment = {"TERM=xterm-256color", "HOME=" + place_.at("home")};
    program.on_terminal = on_terminal;
    if (!input.empty()) {
      place_.write("given", input);
      program.stdin_file = place_.at("given");
    }
    return support::run(program);
  }

  /// Runs it piped, and on a terminal with colours if it can be run twice; must end by itself.
  void check(const std::vector<std::string>& words, const std::string& input = {}) const {
    std::string shown;
    for (const std::string& word : words) {
      shown += word.substr(0, word.find('\x1b')) + " ";
    }
    INFO(shown);
    for (const bool on_terminal : {false, true}) {
      const auto outcome = run(words, input, on_terminal);
      CAPTURE(on_terminal, outcome.exit_code);
      CHECK(outcome.signal == 0);
      const Colours colours = on_terminal ? Colours::own : Colours::none;
      CHECK(harm_in(without_progress(outcome.out), colours) == "");
      CHECK(harm_in(without_progress(outcome.err), colours) == "");
      answers_ += outcome.out + outcome.err;
    }
  }

  /// Everything that was shown so far.
  [[nodiscard]] const std::string& answers() const { return answers_; }
  [[nodiscard]] const support::TempFolder& place() const { return place_; }

  const SessionFiles first = attacking("first", "2026-03-28T10:00:00.000Z");
  const SessionFiles second = attacking("second", "2026-03-27T10:00:00.000Z");

 private:
  /// The bar that is drawn over itself: carriage return, the line wiped.
  static std::string without_progress(std::string text) {
    for (const std::string own : {"\r\x1b[K", "\r\x1b[2K"}) {
      for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at)) {
        text.erase(at, own.size());
      }
    }
    return text;
  }

  support::TempFolder place_;
  mutable std::string answers_;
};

std::string count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return std::to_string(count);
}

}  // namespace

TEST_CASE("Terminal escapes: what would be harm is known as such") {
  for (const std::string& text : {kAttack,
                                  kAttackInName,
                                  std::string("\x1b[31m"),
                                  std::string("\xC2\x9B"),
                                  std::string("\x9B"),
                                  std::string("a\rb"),
                                  std::string("\x7F")}) {
    CHECK(harm_in(text) != "");
  }
  CHECK(harm_in("plain\ttext\n\x1b[1mbold\x1b[0m \xE4\xBC\x9A", Colours::own) == "");
  CHECK(harm_in("\x1b[2J", Colours::own) != "");
}

TEST_CASE("Terminal escapes: no command that reads shows one from a note, a name or a setting") {
  const AttackedVault vault;
  vault.run({"reindex"});
  for (const char* form : {"human", "gcc"}) {
    vault.check({"check", "--format", form});
  }
  vault.check({"log", "--all"});
  for (const char* session : {"first", "odd", "wrong", "agent"}) {
    vault.check({"show", session});
    vault.check({"show", session, "--raw"});
    vault.check({"links", session, "--explain"});
    vault.check({"open", session, "--print"});
    vault.check({"remove", "--session", session, "--reason", kAttack, "--dry-run"});
  }
  for (const char* kind : {"summary", "transcript", "manifest"}) {
    vault.check({"show", "first", "--kind", kind});
  }
  vault.check({"links", "memory/" + kAttackInName + "/" + vault.first.summary.name});
  vault.check({"search", "heronfirst"});
  vault.check({"search", "tidemark", "--fresh"});
  vault.check({"status"});
  vault.check({"doctor", "--deep"});
  vault.check({"conflicts"});
  vault.check({"conflicts", "resolve", "--dry-run"});
  vault.check({"render", "--stdout"});
  vault.check({"reindex", "--dry-run"});
  vault.check({"hook", "claude-code"}, R"({"hook_event_name":"SessionStart","session_id":"x"})");
  INFO(count_of(vault.answers(), "tidemark"));
  CHECK(std::stoul(count_of(vault.answers(), "tidemark")) > 100);
}

TEST_CASE("Terminal escapes: no command that writes shows one, nor does its log") {
  const AttackedVault vault;
  vault.check({"--verbose", "reindex"});
  vault.check({"--verbose", "watch", "--once"});
  vault.check({"render", "--take-over"});
  const std::string said = quoted(kAttack);
  const std::string session = R"({"session_id":)" + said + R"(,"project":)" + said +
                              R"(,"harness":)" + said + R"(,"transcript":)" + said +
                              R"(,"summary":)" + said + R"(,"error":)" + said +
                              R"(,"status":"failed"})";
  vault.check({"--verbose", "capture", "session-end"}, session);
  vault.check({"capture", "session-end"}, R"({"session_id":"a",)" + said + ":" + said + "}");
  vault.check({"capture", "session-end"}, R"({"session_id":)" + kAttack);
  vault.check({"capture", "session-end"}, R"({"session_id":"s","status":)" + said + "}");
  vault.check({"capture", "compaction"}, R"({"session_id":"first","text":)" + said + "}");
  for (const char* event : {"SessionEnd", "PreCompact", kAttack.c_str()}) {
    vault.check({"--verbose", "hook", "claude-code"},
                R"({"hook_event_name":)" + quoted(event) + R"(,"session_id":)" + said +
                    R"(,"cwd":)" + said + R"(,"transcript_path":)" + said + "}");
  }
  vault.place().write("claude/projects/" + kAttackInName + "/" + kAttackInName + ".jsonl",
                      R"({"type":"user","sessionId":)" + said + R"(,"cwd":)" + said +
                          R"(,"timestamp":"2026-03-20T10:00:00Z","message":{"role":"user",)" +
                          R"("content":)" + said + "}}\n{" + kAttack + "\n");
  vault.check({"import", "claude-code", vault.place().at("claude"), "--dry-run"});
  vault.check({"--verbose", "import", "claude-code", vault.place().at("claude")});
  vault.check({"capture", "drain"});
  vault.check({"conflicts", "resolve", "--yes"});
  vault.place().write("vault/" + vault.second.summary.path(),
                      vault.second.text(Kind::summary) + kAttack);
  vault.check({"reindex"});
  vault.check({"accept", vault.second.summary.path(), "--reason", kAttack});
  vault.check({"remove", "--token", vault.second.token(), "--reason", kAttack, "--yes"});
  vault.place().write("vault/memory/" + kAttackInName + "/back.md",
                      vault.second.text(Kind::transcript));
  vault.check({"remove", "--purge", "--dry-run"});
  vault.check({"remove", "--purge", "--yes"});
  vault.check({"unremove", vault.second.token()});
  vault.check({"doctor", "--fix"});
  CHECK(std::stoul(count_of(vault.answers(), "tidemark")) > 10);
}

TEST_CASE("Terminal escapes: nor does a mistake that quotes what was typed or configured") {
  const AttackedVault vault;
  vault.run({"reindex"});
  vault.check({kAttack});
  vault.check({"--" + kAttack});
  vault.check({"--color", kAttack, "log"});
  vault.check({"--now", kAttack, "log"});
  vault.check({"--agent", kAttack, "log"});
  vault.check({"--agent", kAttack, "check"});
  vault.check({"--agent", kAttack, "capture", "session-end"}, R"({"session_id":"a"})");
  vault.check({"show", kAttack});
  vault.check({"links", kAttack});
  vault.check({"search", kAttack});
  vault.check({"search", "x", "--since", kAttack});
  vault.check({"log", "--project", kAttack});
  vault.check({"check", "--format", kAttack});
  vault.check({"check", vault.place().at("vault/memory/" + kAttackInName)});
  vault.check({"check", "/nonexistent/" + kAttack});
  vault.check({"remove", "--path", kAttack, "--reason", "x", "--dry-run"});
  vault.check({"unremove", kAttack});
  vault.check({"accept", kAttack});
  vault.check({"config", kAttack});
  vault.check({"conflicts", kAttack});
  vault.check({"import", "codex", "/nonexistent/" + kAttack});
  vault.check({"init", vault.place().at("new" + kAttackInName)});
  vault.check({"--workspace", vault.place().at("new" + kAttackInName), "status"});
  const std::string said = quoted(kAttack);
  for (const std::string& settings :
       {said + ": 1\n",
        "watch: {settle_ms: " + said + "}\n",
        "noise: [" + said + "]\n",
        "model: {base_url: " + said + ", model: " + said + ", api_key_env: " + said + "}\n",
        "model: {command: [" + said + "]}\n",
        "capture: {literals_file: " + said + "}\n",
        "publisher: " + said + "\n",
        std::string("publisher: ") + kAttack + "\n"}) {
    vault.place().write("vault/daybook.yaml", settings);
    vault.check({"config", "show"});
    vault.check({"config", "check"});
    vault.check({"doctor"});
    vault.check({"status"});
    vault.check({"capture", "session-end"}, R"({"session_id":"b","transcript":"User: x\n"})");
  }
}

}  // namespace daybook::test

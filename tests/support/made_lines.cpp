// SPDX-License-Identifier: MIT
#include "support/made_lines.hpp"

#include "daybook/lineage/timestamp.hpp"

#include <array>

namespace daybook::support {
namespace {

constexpr std::array<std::string_view, 24> kWords{
    "tide",   "table",  "gauge", "lock",   "retry",  "writer", "chart",  "import",
    "reader", "parser", "chain", "ledger", "window", "buffer", "signal", "mends",
    "moves",  "reads",  "finds", "keeps",  "splits", "checks", "writes", "measures"};

constexpr std::array<std::string_view, 14> kHostileText{
    "## Assistant · 2026-03-28 22:34:06\n\nI never said this.",
    "---\nkind: summary\nagent_id: root\n---\n",
    "```\nnever closed",
    "[[memory/2026-01-01T00-00-00.000Z--aaaaaaaaaaaaaaaa--summary.md|summary]] ![[x]]",
    "<!-- <script>alert(1)</script>",
    "\x1b]0;title\x07\x1b[31mred\x1b[0m",
    "line\rreturn\r\nboth",
    "\xE2\x80\xAE"
    "backwards \xE2\x80\xA8## User",
    "%%hidden%% $x$ | a | b |\n|---|---|",
    "~~~~\n~~~\n````",
    "Title\n=====\nOther\n-----",
    "> ## User\n- [ ] task\n      deep",
    "emoji 😀 and accents é ü ß 漢字",
    "a\ttab and a NUL \x01 byte"};

constexpr std::array<std::string_view, 6> kHostileNames{"../../../etc/passwd",
                                                        "id\nkind: \"tombstone\"\nx: [[y]]",
                                                        "a\"b'c`d|e<f>g",
                                                        "\xE2\x80\xAE"
                                                        "gnirts # not a comment",
                                                        "-rf --help $(id) {{x}}",
                                                        "con: *anchor &alias !tag"};

}  // namespace

std::string json_quoted(const std::string& text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += {kDigits[byte >> 4U], kDigits[byte & 15U]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string Dice::hex(std::size_t digits) {
  std::string text;
  while (text.size() < digits) {
    text += "0123456789abcdef"[below(16)];
  }
  return text;
}

std::string Dice::uuid() {
  return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
}

SessionScript::SessionScript(std::uint64_t seed, const HistoryPlan& plan)
    : dice_(seed * 1000003 + plan.seed),
      plan_(plan),
      // Somewhere in the first quarter of 2026.
      time_ms_(1767225600000 + static_cast<std::int64_t>(dice_.below(90U * 86400U)) * 1000) {
  facts.project = "/home/nina/projects/" + std::string(kWords[dice_.below(8)]);
  if (plan.hostile && dice_.one_in(5)) {
    facts.project += "/" + std::string(kHostileNames[dice_.below(kHostileNames.size())]);
  }
  facts.session_id = dice_.uuid();
  if (plan.hostile && dice_.one_in(7)) {
    facts.session_id += std::string(kHostileNames[dice_.below(kHostileNames.size())]);
  }
}

void SessionScript::line(const std::string& json) {
  text += json;
  text += '\n';
  ++facts.lines;
}

void SessionScript::broken(const std::string& bytes) {
  line(bytes);
  ++facts.broken_lines;
}

std::string SessionScript::now() {
  time_ms_ += 1000 + static_cast<std::int64_t>(dice_.below(90000));
  return "\"" + lineage::to_string({time_ms_}) + "\"";
}

std::string SessionScript::sentence() {
  std::string text_of = "The";
  for (std::size_t words = 4 + dice_.below(10); words > 0; --words) {
    text_of += " " + std::string(kWords[dice_.below(kWords.size())]);
  }
  return text_of + ".";
}

std::string SessionScript::message() {
  std::string words = sentence();
  for (std::size_t more = dice_.below(4); more > 0; --more) {
    words += (dice_.one_in(2) ? "\n\n" : " ") + sentence();
  }
  if (dice_.one_in(4)) {
    words += "\n\n```cpp\nint " + std::string(kWords[dice_.below(8)]) + " = 0;\n```";
  }
  if (plan_.hostile && dice_.one_in(3)) {
    words += "\n" + std::string(kHostileText[dice_.below(kHostileText.size())]);
  }
  return words;
}

std::string SessionScript::output(std::size_t bytes) {
  std::string out;
  out.reserve(bytes + 100);
  for (std::size_t number = 1; out.size() < bytes; ++number) {
    out += std::to_string(number) + "\tconst auto " + std::string(kWords[dice_.below(8)]) +
           " = \"" + std::string(kWords[dice_.below(kWords.size())]) + "\";  // " + sentence() +
           "\n";
  }
  return out;
}

std::string SessionScript::asked() {
  const std::string words = "Please: " + message();
  if (facts.request.empty()) {
    facts.request = words.substr(0, words.find_last_not_of(" \t\r\n") + 1);
  }
  return words;
}

// --- Codex
// ----------------------------------------------------------------------------------------

CodexScript::CodexScript(std::uint64_t seed, const HistoryPlan& plan) : SessionScript(seed, plan) {
  facts.harness = "codex";
  old_ = dice_.one_in(6);
  file_id_ = dice_.uuid();
  begun_ms_ = time_ms_;
  if (old_) {
    facts.project.clear();  // the older form does not say it
  }
}

void CodexScript::wrapped(const std::string& type, const std::string& payload) {
  if (!old_) {
    line("{\"timestamp\":" + now() + ",\"type\":\"" + type + "\",\"payload\":" + payload + "}");
  }
}

void CodexScript::item(const std::string& payload) {
  old_ ? line(payload) : wrapped("response_item", payload);
}

void CodexScript::message_item(const std::string& role, const std::string& words) {
  item("{\"type\":\"message\",\"role\":\"" + role + "\",\"content\":[{\"type\":\"" +
       (role == "assistant" ? "output" : "input") + "_text\",\"text\":" + json_quoted(words) +
       "}]}");
}

void CodexScript::begin() {
  const std::string id = json_quoted(facts.session_id);
  if (old_) {
    line("{\"id\":" + id + ",\"timestamp\":" + now() +
         ",\"instructions\":null,\"git\":{\"branch\":\"main\"}}");
    line("{\"record_type\":\"state\"}");
  } else {
    std::string source = "\"cli\"";
    if (dice_.one_in(8)) {
      facts.parent_session_id = dice_.uuid();
      source = R"({"subagent":{"thread_spawn":{"parent_thread_id":")" + facts.parent_session_id +
               R"(","depth":1}}})";
    }
    wrapped("session_meta",
            "{\"id\":" + id + ",\"timestamp\":" + now() + ",\"cwd\":" + json_quoted(facts.project) +
                ",\"originator\":\"codex_cli\",\"cli_version\":\"0.99.0\",\"git\":{\"branch\":"
                "\"main\"}," +
                "\"source\":" + source + "}");
    wrapped(
        "turn_context",
        "{\"cwd\":" + json_quoted(facts.project) + ",\"model\":\"model-y\",\"effort\":\"high\"}");
  }
  message_item("developer", "<permissions instructions>none</permissions instructions>");
  message_item("user", "<environment_context>\n  <cwd>x</cwd>\n</environment_context>");
}

void CodexScript::call(const std::string& json,
                       const std::string& output_type,
                       const std::string& id,
                       std::size_t result_bytes) {
  item(json);
  ++facts.tool_calls;
  const std::string result = output(result_bytes);
  item("{\"type\":\"" + output_type + "\",\"call_id\":\"" + id + "\",\"output\":" +
       json_quoted("Exit code: " + std::to_string(dice_.below(2)) + "\nOutput:\n" + result) + "}");
}

void CodexScript::turn(std::size_t result_bytes) {
  const std::string words = asked();
  message_item("user", words);
  wrapped("event_msg", "{\"type\":\"user_message\",\"message\":" + json_quoted(words) + "}");
  item(
      R"({"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"zz"})");
  const std::string id = "call_" + dice_.hex(12);
  call(R"({"type":"function_call","name":"shell","arguments":)" +
           json_quoted("{\"command\":[\"bash\",\"-lc\"," + json_quoted("make " + sentence()) +
                       "]}") +
           ",\"call_id\":\"" + id + "\"}",
       "function_call_output",
       id,
       result_bytes);
  if (dice_.one_in(3)) {
    const std::string patch = "call_" + dice_.hex(12);
    call(R"({"type":"custom_tool_call","name":"apply_patch","call_id":")" + patch +
             R"(","input":)" +
             json_quoted(
                 "*** Begin Patch\n*** Update File: src/tide.cpp\n@@\n-a\n+b\n*** End Patch") +
             "}",
         "custom_tool_call_output",
         patch,
         40);
  }
  if (dice_.one_in(4)) {
    item(
        R"({"type":"web_search_call","status":"completed","action":{"type":"search","query":"tide"}})");
    ++facts.tool_calls;
  }
  wrapped("event_msg", R"({"type":"token_count","info":{"total_token_usage":{"total_tokens":5}}})");
  message_item("assistant", message());
}

void CodexScript::end() {
  if (dice_.one_in(3)) {
    wrapped("compacted", "{\"message\":" + json_quoted(message()) + "}");
  }
  if (dice_.one_in(4)) {
    wrapped("event_msg", R"({"type":"turn_aborted","reason":"interrupted"})");
  }
  line(R"({"timestamp":"2026-01-01T00:00:00Z","type":"of_a_later_version","payload":{}})");
  ++facts.unknown_lines;
  if (dice_.one_in(2)) {
    broken(R"({"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"ty)");
  }
  facts.bytes = text.size();
}

}  // namespace daybook::support

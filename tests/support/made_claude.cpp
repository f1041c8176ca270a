// SPDX-License-Identifier: MIT
#include "support/made_lines.hpp"

#include <utility>

namespace daybook::support {

ClaudeScript::ClaudeScript(std::uint64_t seed, const HistoryPlan& plan, std::string parent_id)
    : SessionScript(seed, plan) {
  facts.harness = "claude-code";
  session_ = facts.session_id;
  if (!parent_id.empty()) {
    agent_ = "a" + dice_.hex(8);
    session_ = std::move(parent_id);
    facts.parent_session_id = session_;
    facts.session_id = session_ + ":agent-" + agent_;
  }
}

std::string ClaudeScript::envelope(const std::string& type) {
  std::string json = "{\"parentUuid\":\"" + dice_.uuid() + "\",\"isSidechain\":";
  json += agent_.empty() ? "false" : "true,\"agentId\":\"" + agent_ + "\"";
  return json + ",\"userType\":\"external\",\"cwd\":" + json_quoted(facts.project) +
         ",\"sessionId\":" + json_quoted(session_) +
         ",\"version\":\"2.1.0\",\"gitBranch\":\"main\",\"type\":\"" + type + "\",\"uuid\":\"" +
         dice_.uuid() + "\",\"timestamp\":" + now();
}

void ClaudeScript::user(const std::string& content, const std::string& more) {
  line(envelope("user") + more + ",\"message\":{\"role\":\"user\",\"content\":" + content + "}}");
}

void ClaudeScript::assistant(const std::string& block, const std::string& more) {
  line(envelope("assistant") + more + ",\"requestId\":\"req_" + dice_.hex(8) +
       "\",\"message\":{\"model\":\"model-x\",\"id\":\"msg_" + dice_.hex(8) +
       "\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[" + block +
       "],\"stop_reason\":null,\"usage\":{\"input_tokens\":3,\"cache_read_input_tokens\":12345,"
       "\"output_tokens\":67,\"service_tier\":\"standard\"}}}");
}

void ClaudeScript::call(const std::string& name,
                        const std::string& input,
                        std::size_t result_bytes) {
  const std::string id = "toolu_" + dice_.hex(16);
  assistant("{\"type\":\"tool_use\",\"id\":\"" + id + "\",\"name\":\"" + name +
            "\",\"input\":" + input + "}");
  ++facts.tool_calls;
  const std::string result = json_quoted(output(result_bytes));
  const std::string failed = dice_.one_in(9) ? ",\"is_error\":true" : "";
  // The harness writes a result twice: for the model, and for itself.
  user("[{\"tool_use_id\":\"" + id + "\",\"type\":\"tool_result\",\"content\":" + result + failed +
           "}]",
       ",\"toolUseResult\":{\"stdout\":" + result + ",\"stderr\":\"\",\"interrupted\":false}");
}

void ClaudeScript::begin() {
  if (agent_.empty()) {
    line(R"({"type":"summary","summary":)" + json_quoted(sentence()) + ",\"leafUuid\":\"" +
         dice_.uuid() + "\"}");
    line(R"({"type":"file-history-snapshot","messageId":")" + dice_.uuid() +
         R"(","snapshot":{"trackedFileBackups":{},"timestamp":)" + now() +
         R"(},"isSnapshotUpdate":false})");
    user(json_quoted("Caveat: the messages below were made by local commands."),
         ",\"isMeta\":true");
    user(json_quoted("<command-name>/init</command-name>\n<command-args></command-args>"));
    user(json_quoted("<local-command-stdout>\x1b[1mok\x1b[0m</local-command-stdout>"));
  }
}

void ClaudeScript::turn(std::size_t result_bytes) {
  user(json_quoted(asked()));
  assistant("{\"type\":\"thinking\",\"thinking\":" + json_quoted(message()) + ",\"signature\":\"" +
            dice_.hex(200) + "\"}");
  assistant("{\"type\":\"text\",\"text\":" + json_quoted(message()) + "}");
  call("Bash", "{\"command\":" + json_quoted("cd src && make " + sentence()) + "}", result_bytes);
  if (dice_.one_in(2)) {
    call("Edit",
         "{\"file_path\":\"/home/nina/src/" + dice_.hex(3) + ".cpp\",\"old_string\":" +
             json_quoted(output(80)) + ",\"new_string\":" + json_quoted(output(80)) + "}",
         60);
  }
  oddities();
  assistant("{\"type\":\"text\",\"text\":" + json_quoted(message()) + "}");
}

void ClaudeScript::oddities() {
  if (dice_.one_in(2)) {
    line(envelope("progress") + R"(,"data":{"type":"hook_progress","hookEvent":"PostToolUse"}})");
    line(R"({"type":"queue-operation","operation":"enqueue","content":"x","sessionId":)" +
         json_quoted(session_) + "}");
  }
  if (dice_.one_in(3)) {
    line(envelope("attachment") + R"(,"attachment":{"type":"queued_command","prompt":)" +
         json_quoted(message()) + "}}");
    line(envelope("system") + R"(,"subtype":"turn_duration","durationMs":5,"isMeta":false})");
  }
  if (dice_.one_in(3)) {
    user(
        R"([{"type":"text","text":"See this."},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
        dice_.hex(4000) + "\"}}]");
  }
  if (dice_.one_in(4)) {
    broken("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"cut of");
    broken("\xff\xfe not JSON at all");
    line(R"({"type":"of-a-later-version","data":[1,2,{"a":null}]})");
    ++facts.unknown_lines;
  }
  if (dice_.one_in(5)) {
    line(envelope("system") +
         R"(,"subtype":"compact_boundary","content":"Conversation compacted"})");
    user(json_quoted("This session goes on from: " + message()), ",\"isCompactSummary\":true");
  }
}

void ClaudeScript::end() {
  if (dice_.one_in(6)) {
    assistant(R"({"type":"text","text":"API Error: 529 Overloaded"})",
              R"(,"isApiErrorMessage":true,"error":"overloaded")");
  } else if (dice_.one_in(6)) {
    user(R"([{"type":"text","text":"[Request interrupted by user]"}])");
  }
  if (agent_.empty()) {
    for (const char* type :
         {"custom-title", "ai-title", "last-prompt", "permission-mode", "mode"}) {
      line("{\"type\":\"" + std::string(type) + "\",\"customTitle\":" + json_quoted(sentence()) +
           ",\"sessionId\":" + json_quoted(session_) + "}");
    }
  }
  facts.bytes = text.size();
}

}  // namespace daybook::support

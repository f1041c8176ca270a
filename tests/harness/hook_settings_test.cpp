// SPDX-License-Identifier: MIT
#include "daybook/harness/hook_settings.hpp"

#include <catch2/catch.hpp>

using namespace daybook::harness;

namespace {

const std::string kCommand = "'/opt/my tools/daybook' hook claude-code";

std::string installed(const std::string& text) { return with_hooks(text, kCommand).value(); }

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++number;
  }
  return number;
}

}  // namespace

TEST_CASE("A hook is ours by its program and its words") {
  CHECK(is_our_hook("daybook hook claude-code"));
  CHECK(is_our_hook("/usr/bin/daybook hook claude-code"));
  CHECK(is_our_hook("\"/a b/daybook\" --workspace '/c d' hook claude-code"));
  CHECK(is_our_hook("/x/journal hook claude-code", "journal"));
  CHECK(is_our_hook("'/it'\\''s/daybook' --workspace=/w --state-dir '/s t' hook claude-code"));
  CHECK(is_our_hook("~/my\\ tools/daybook --quiet --agent scout hook claude-code"));
  CHECK_FALSE(is_our_hook("~/bin/notify.sh done; daybook hook claude-code"));
  CHECK_FALSE(is_our_hook("daybook hook claude-code && say done"));
  CHECK_FALSE(is_our_hook("daybook hook claude-code | tee log"));
  CHECK_FALSE(is_our_hook("daybook hook claude-code > log"));
  CHECK_FALSE(is_our_hook("nice daybook hook claude-code"));
  CHECK_FALSE(is_our_hook("daybook --workspace \"$(cat w)\" hook claude-code"));
  CHECK_FALSE(is_our_hook("daybook say hook claude-code"));
  CHECK_FALSE(is_our_hook("daybook 'hook claude-code'"));
  CHECK_FALSE(is_our_hook("daybook hook 'claude-code"));
  CHECK_FALSE(is_our_hook("daybook hook claude-codes"));
  CHECK_FALSE(is_our_hook("mydaybook hook claude-code"));
  CHECK_FALSE(is_our_hook("/usr/bin/daybook2 hook claude-code"));
  CHECK_FALSE(is_our_hook("echo hook claude-code"));
  CHECK_FALSE(is_our_hook("daybook webhook claude-code"));
  CHECK_FALSE(is_our_hook("hook claude-code"));
  CHECK_FALSE(is_our_hook(""));
}

TEST_CASE("No settings become a new file with four hooks") {
  const std::string text = installed("");
  CHECK(
      text.starts_with("{\n"
                       "  \"hooks\": {\n"
                       "    \"SessionStart\": [\n"
                       "      {\n"
                       "        \"hooks\": [\n"
                       "          {\n"
                       "            \"type\": \"command\",\n"
                       "            \"command\": \"'/opt/my tools/daybook' hook claude-code\"\n"
                       "          }\n"
                       "        ]\n"
                       "      }\n"
                       "    ],\n"
                       "    \"PreCompact\": [\n"));
  CHECK(
      text.ends_with("            \"command\": \"'/opt/my tools/daybook' hook claude-code\",\n"
                     "            \"timeout\": 60\n"
                     "          }\n"
                     "        ]\n"
                     "      }\n"
                     "    ]\n"
                     "  }\n"
                     "}\n"));
  CHECK(count(text, "hook claude-code") == 4);
  CHECK(installed(" \n") == text);
  CHECK(without_hooks(text).value().empty());
}

TEST_CASE("Installing keeps everything else, twice changes nothing, uninstalling gives it back") {
  const std::string texts[] = {
      "{}",
      "{}\n",
      "{ }",
      "{\n}\n",
      "{\"a\":1}",
      "{\"a\":1.50e+3,\"b\":[1,2,{}],\"hooks\":{}}",
      "{\n  \"hooks\": {},\n  \"z\": 1\n}\n",
      "{\n  \"hooks\": { }\n}",
      "{\n  \"model\": \"x\",\n  \"permissions\": {\"allow\": [ \"Bash(*)\" ]},\n  \"a\\u0062\": "
      "0.10\n}\n",
      "{\n\t\"b\": null,\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"type\": "
      "\"command\", "
      "\"command\": \"say done\"}]}\n\t\t]\n\t}\n}",
      "{\r\n    \"hooks\": {\r\n        \"SessionEnd\": []\r\n    }\r\n}\r\n",
      "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\n        \"matcher\": \"*\",\n        "
      "\"hooks\": [\n          { \"type\": \"command\", \"command\": \"other\", \"timeout\": 5 }\n "
      "    "
      "   ]\n      }\n    ],\n    \"SessionStart\": [ ]\n  },\n  \"last\": true\n}\n",
      "\xEF\xBB\xBF{ \"a\" : 1 , \"b\" : 2 }",
      "{\"a\":\"\\\"hooks\\\": {\"}",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    const std::string with = installed(text);
    CAPTURE(with);
    CHECK(count(with, "hook claude-code") == 4);
    CHECK(count(with, "\"timeout\": 60") == 1);
    CHECK(installed(with) == with);
    CHECK(without_hooks(with).value() == text);
    CHECK(without_hooks(text).value() == text);
  }
}

TEST_CASE("Other people's hooks stay beside ours, also when they come later") {
  const std::string with = installed(
      "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      {\"hooks\": "
      "[{\"command\": \"first\"}]}\n    ]\n  }\n}\n");
  std::string changed = with;
  const std::size_t ours = changed.rfind("{", changed.find("\"timeout\": 60"));
  changed.insert(ours, "{\"type\": \"command\", \"command\": \"second\"}, ");
  const std::string without = without_hooks(changed).value();
  CHECK(count(without, "hook claude-code") == 0);
  CHECK(count(without, "\"first\"") == 1);
  CHECK(count(without, "\"second\"") == 1);
  CHECK(without.find("PreCompact") == std::string::npos);
}

TEST_CASE("A person's own line that also calls us is theirs") {
  const std::string own =
      "{\"hooks\": {\"SessionEnd\": [{\"hooks\": [{\"type\": \"command\", \"command\": "
      "\"~/bin/notify.sh done; daybook hook claude-code\"}]}]}}";
  const std::string with = installed(own);
  CHECK(count(with, "~/bin/notify.sh done; daybook hook claude-code") == 1);
  CHECK(count(with, "/opt/my tools/daybook") == 4);
  CHECK(our_hooks(with) == std::vector<std::string>{kCommand});
  CHECK(without_hooks(with).value() == own);
  CHECK(without_hooks(own).value() == own);
}

TEST_CASE("A program that was moved gets its new path in the same places") {
  const std::string old = installed("{\n  \"a\": 1\n}\n");
  const std::string moved = with_hooks(old, "/new/daybook hook claude-code").value();
  CHECK(count(moved, "/new/daybook hook claude-code") == 4);
  CHECK(count(moved, "/opt/my tools") == 0);
  CHECK(with_hooks(moved, kCommand).value() == old);
}

TEST_CASE("A command with quotes and backslashes is written as JSON") {
  const std::string command = "\"C:\\tools\\daybook\" hook claude-code";
  const std::string text = with_hooks("{}", command).value();
  CHECK(text.find(R"("\"C:\\tools\\daybook\" hook claude-code")") != std::string::npos);
  CHECK(with_hooks(text, command).value() == text);
  CHECK(without_hooks(text).value() == "{}");
}

TEST_CASE("Settings that are no strict JSON or of another shape are refused, with the place") {
  const auto message = [](const std::string& text) {
    const auto result = with_hooks(text, kCommand);
    return result.ok() ? "ok" : result.error().message;
  };
  CHECK(
      message("{\n  // mine\n  \"a\": 1\n}") ==
      "reading the settings: no JSON at line 2, column 3 (comments and trailing commas are none)");
  CHECK(message("{\"a\": 1,}").find("line 1, column 9") != std::string::npos);
  CHECK(message("{\"a\": 1} x").find("line 1, column 10") != std::string::npos);
  CHECK(message("[]") == "reading the settings: the file is JSON, but no object");
  CHECK(message("{\n \"hooks\": []}") ==
        "reading the settings: `hooks` is no object at line 2, column 2");
  CHECK(message("{\"hooks\": {}, \"hooks\": {}}") ==
        "reading the settings: a second `hooks` at line 1, column 15");
  CHECK(message("{\"hooks\": {\"Stop\": {}}}") ==
        "reading the settings: an event in `hooks` is no list at line 1, column 12");
  CHECK(message("{\"hooks\": {\"Stop\": [], \"Stop\": []}}") ==
        "reading the settings: an event twice in `hooks` at line 1, column 12");
  CHECK(message("{\"a\":" + std::string(100'000, '[')).find("no JSON at") != std::string::npos);
  CHECK_FALSE(without_hooks("{").ok());
  CHECK_FALSE(with_hooks("{}", "rm -rf /").ok());
}

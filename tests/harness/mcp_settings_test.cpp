// SPDX-License-Identifier: MIT
#include "daybook/harness/mcp_settings.hpp"

#include "harness/settings_text.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::harness {
namespace {

McpServer server(std::string list = "mcpServers", std::string command = "/usr/bin/daybook") {
  return {
      std::move(list), "daybook", std::move(command), {"--workspace", "/home/me/v \"q\"", "mcp"}};
}

std::string added(const std::string& text, const McpServer& one = server()) {
  const auto after = with_server(text, one);
  REQUIRE(after);
  return *after;
}

std::string removed(const std::string& text, const McpServer& one = server()) {
  const auto after = without_server(text, one);
  REQUIRE(after);
  return *after;
}

}  // namespace

TEST_CASE("A new file holds the server, laid out for people") {
  CHECK(added("") == R"({
  "mcpServers": {
    "daybook": {
      "type": "stdio",
      "command": "/usr/bin/daybook",
      "args": ["--workspace", "/home/me/v \"q\"", "mcp"]
    }
  }
}
)");
  CHECK(removed(added("")).empty());
  CHECK(added("", server("servers")).find("\"servers\": {") != std::string::npos);
}

TEST_CASE("Adding twice changes nothing, and taking out gives back every byte") {
  for (const std::string before :
       {"{}",
        "{\n}\n",
        "{\"a\":1}",
        "{ \"a\": [1, 2.50, 1e3], \"b\": {} }",
        "{\n\t\"a\": 1,\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\": \"y\"}\n\t}\n}\n",
        "{\n    \"mcpServers\": {},\n    \"z\": \"\\u00e4\"\n}",
        "{\"mcpServers\": {\"x\":{}}, \"b\":2}",
        "\xEF\xBB\xBF{\r\n  \"a\": null\r\n}\r\n",
        "{\"mcpServers\":{\"other\":{\"command\":\"daybook\",\"args\":[\"mcp\"]}}}"}) {
    INFO(before);
    const std::string once = added(before);
    CHECK(once != before);
    CHECK(added(once) == once);
    CHECK(removed(once) == before);
    CHECK(removed(before) == before);
  }
}

TEST_CASE(
    "A server that is there under that name is brought to this command, whatever its layout") {
  const std::string old =
      "{\n  \"mcpServers\": {\n    \"daybook\": {\"command\": \"/old/daybook\", \"args\": []},\n"
      "    \"x\": {}\n  }\n}\n";
  const std::string after = added(old);
  CHECK(after.find("/old/daybook") == std::string::npos);
  CHECK(after.find("\"x\": {}") != std::string::npos);
  const std::string laid_out_otherwise =
      R"({"mcpServers":{"daybook":{"args":["--workspace","/home/me/v \"q\"","mcp"],)"
      R"("command":"/usr/bin/daybook","env":{"A":"b"}}}})";
  CHECK(added(laid_out_otherwise) == laid_out_otherwise);
}

TEST_CASE("Of an entry that is there only what starts the server changes") {
  const std::string env = R"("env": {"A": "b"}, "timeout": 5)";
  const std::string old =
      R"({"mcpServers": {"daybook": {"command": "/old/daybook", )" + env + R"(, "args": []}}})";
  CHECK(added(old) == R"({"mcpServers": {"daybook": {"command": "/usr/bin/daybook", )" + env +
                          R"(, "args": ["--workspace", "/home/me/v \"q\"", "mcp"]}}})");
  // What goes by another way than a command is brought to one, and members that are missing come.
  const std::string remote = added(
      "{\n  \"mcpServers\": {\n    \"daybook\": {\n      \"type\": \"http\"\n    }\n  }\n}\n");
  CHECK(remote == added(""));
  CHECK(added(R"({"mcpServers":{"daybook":null}})").find("/usr/bin/daybook") != std::string::npos);
}

TEST_CASE("It is told what an entry starts, and whether an earlier install made it") {
  const auto told = [](const std::string& text) {
    const auto entry = entry_in(text, server());
    REQUIRE(entry);
    return *entry;
  };
  CHECK_FALSE(told("").has_value());
  CHECK_FALSE(told(R"({"mcpServers":{"x":{}}})").has_value());
  const auto ours =
      told(R"({"mcpServers":{"daybook":{"command":"/old/daybook","args":["mcp","--read-only"]}}})");
  REQUIRE(ours);
  CHECK(ours->is_ours);
  CHECK(ours->words == std::vector<std::string>{"/old/daybook", "mcp", "--read-only"});
  for (const std::string foreign : {R"({"command":"other","args":["mcp"]})",
                                    R"({"type":"http","command":"daybook"})",
                                    R"({"url":"https://x"})",
                                    "null",
                                    "\"daybook\"",
                                    "{}"}) {
    INFO(foreign);
    const auto entry = told(R"({"mcpServers":{"daybook":)" + foreign + "}}");
    REQUIRE(entry);
    CHECK_FALSE(entry->is_ours);
  }
}

TEST_CASE(
    "Settings of servers and of hooks have a most, each its own, and say what to do instead") {
  const auto of_mebibytes = [](std::size_t count) {
    return "{}" + std::string(count * 1024 * 1024, ' ');
  };
  CHECK(with_server(of_mebibytes(5), server()));
  const auto servers = with_server(of_mebibytes(64), server());
  REQUIRE_FALSE(servers);
  CHECK(servers.error().message == "reading the settings: the file has more than 64 MiB");
  CHECK(servers.error().hint ==
        "Nothing was changed; mend the file by hand, or add the server yourself.");
  const auto hooks = SettingsText::read(of_mebibytes(4));
  REQUIRE_FALSE(hooks);
  CHECK(hooks.error().message == "reading the settings: the file has more than 4 MiB");
  CHECK(hooks.error().hint ==
        "Nothing was changed; mend the file by hand, or add the hooks yourself.");
}

TEST_CASE("What is no strict JSON, or of another shape, is refused and told where") {
  for (const std::string text : {"{ // comment\n}",
                                 "{\"a\":1,}",
                                 "[]",
                                 "5",
                                 "{\"mcpServers\":[]}",
                                 "{\"mcpServers\":{},\"mcpServers\":{}}",
                                 "{\"mcpServers\":{\"daybook\":{},\"daybook\":{}}}"}) {
    INFO(text);
    const auto with = with_server(text, server());
    REQUIRE_FALSE(with);
    CHECK(with.error().kind == ErrorKind::usage);
    CHECK_FALSE(without_server(text, server()));
  }
  CHECK(with_server("{\n  \"a\": ?\n}", server()).error().message.find("line 2") !=
        std::string::npos);
}

}  // namespace daybook::harness

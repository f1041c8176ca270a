// SPDX-License-Identifier: MIT
//
// `daybook mcp install` and `uninstall` in a home of the test.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;

class Home {
 public:
  Home() {
    vault.place().make_folder("home");
    vault.place().make_folder("project");
  }
  support::ProgramOutcome run(std::vector<std::string> words,
                              std::vector<std::string> environment = {}) const {
    words.insert(words.begin(), "mcp");
    auto program = vault.program(std::move(words));
    program.folder = vault.place().at("project");
    program.environment = std::move(environment);
    program.environment.push_back("HOME=" + vault.place().at("home"));
    return support::run(program);
  }
  bool has(const std::string& path) const { return fs::exists(vault.place().at(path)); }
  nlohmann::json read(const std::string& path) const {
    return nlohmann::json::parse(vault.place().read(path));
  }

  MemoryVault vault;
};

}  // namespace

TEST_CASE("mcp install writes where each client looks, once, and uninstall takes it back") {
  const Home home;
  struct Place {
    std::string client;
    std::vector<std::string> options;
    std::string file;
    std::string list;
  };
  for (const Place& place :
       std::vector<Place>{{"claude-code", {}, "home/.claude.json", "mcpServers"},
                          {"claude-code", {"--project"}, "project/.mcp.json", "mcpServers"},
                          {"cursor", {}, "home/.cursor/mcp.json", "mcpServers"},
                          {"cursor", {"--project"}, "project/.cursor/mcp.json", "mcpServers"},
                          {"vscode", {}, "home/.config/Code/User/mcp.json", "servers"},
                          {"vscode", {"--project"}, "project/.vscode/mcp.json", "servers"}}) {
    INFO(place.file);
    std::vector<std::string> words{"install", place.client};
    words.insert(words.end(), place.options.begin(), place.options.end());
    std::vector<std::string> dry = words;
    dry.emplace_back("--dry-run");
    const auto shown = home.run(dry);
    CHECK(shown.exit_code == 0);
    CHECK(contains(shown.err, "would write"));
    CHECK_FALSE(home.has(place.file));

    const auto done = home.run(words);
    CHECK(done.exit_code == 0);
    CHECK(contains(done.out, place.file));
    CHECK(home.vault.place().read(place.file) == shown.out);
    const auto entry = home.read(place.file)[place.list]["daybook"];
    CHECK(entry["command"].get<std::string>().ends_with("/daybook"));
    CHECK(entry["args"].back() == "mcp");
    CHECK(contains(entry["args"].dump(), home.vault.place().at("vault")));
    CHECK(contains(home.run(words).out, "was there already"));

    words.front() = "uninstall";
    CHECK(contains(home.run(words).out, "is gone from"));
    CHECK_FALSE(home.has(place.file));
    CHECK(contains(home.run(words).out, "was not in"));
  }
}

TEST_CASE(
    "mcp install keeps what is there, follows links, and gives each agent a name of its own") {
  const Home home;
  const std::string before = "{\n  \"projects\": {\"/x\": {\"n\": 1.50}}\n}\n";
  home.vault.place().write("dotfiles/claude.json", before);
  fs::permissions(home.vault.place().at("dotfiles/claude.json"),
                  fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(home.vault.place().at("dotfiles/claude.json"),
                     home.vault.place().at("home/.claude.json"));
  CHECK(home.run({"install", "claude-code"}).exit_code == 0);
  CHECK(home.run({"--agent", "scribe", "install", "claude-code", "--read-only"}).exit_code == 0);
  const auto servers = home.read("dotfiles/claude.json")["mcpServers"];
  CHECK(servers.size() == 2);
  CHECK(contains(servers["daybook-scribe"]["args"].dump(),
                 R"("--agent","scribe","mcp","--read-only")"));
  CHECK(fs::is_symlink(home.vault.place().at("home/.claude.json")));
  CHECK(home.run({"--agent", "scribe", "uninstall", "claude-code"}).exit_code == 0);
  CHECK(home.run({"uninstall", "claude-code"}).exit_code == 0);
  CHECK(home.vault.place().read("dotfiles/claude.json") == before);
}

TEST_CASE("mcp install says what it replaces, and takes no entry of somebody else") {
  const Home home;
  const std::string file = "project/.mcp.json";
  const std::string foreign =
      R"({"mcpServers":{"daybook":{"command":"other","env":{"A":"b"},"timeout":9}}})";
  home.vault.place().write(file, foreign);
  for (const char* deed : {"install", "uninstall"}) {
    const auto refused = home.run({deed, "claude-code", "--project"});
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "starts something else: 'other'"));
    CHECK(contains(refused.err, "--force"));
    CHECK(home.vault.place().read(file) == foreign);
  }
  const auto forced = home.run({"install", "claude-code", "--project", "--force", "--read-only"});
  CHECK(forced.exit_code == 0);
  CHECK(contains(forced.err, "it was started as: other"));
  const auto entry = home.read(file)["mcpServers"]["daybook"];
  CHECK(entry["env"]["A"] == "b");
  CHECK(entry["timeout"] == 9);
  CHECK(entry["args"].back() == "--read-only");
  // Ours from now on; that it may write again is told.
  const auto writing = home.run({"install", "claude-code", "--project"});
  CHECK(writing.exit_code == 0);
  CHECK(contains(writing.err, "it was read-only, and may write from now on"));
  CHECK(home.run({"install", "claude-code", "--project"}).err.empty());
  CHECK(home.run({"uninstall", "claude-code", "--project"}).exit_code == 0);
  CHECK(home.read(file)["mcpServers"].empty());
}

TEST_CASE("A settings file that was there stays there, also an empty one") {
  const Home home;
  for (const std::string before : {"", " \n\n"}) {
    home.vault.place().write("project/.mcp.json", before);
    CHECK(home.run({"install", "claude-code", "--project"}).exit_code == 0);
    CHECK(home.read("project/.mcp.json")["mcpServers"].contains("daybook"));
    CHECK(home.run({"uninstall", "claude-code", "--project"}).exit_code == 0);
    CHECK(home.has("project/.mcp.json"));
  }
}

TEST_CASE("mcp install refuses a client that it does not know and a file that is no strict JSON") {
  const Home home;
  CHECK(home.run({"install", "emacs"}).exit_code == 2);
  home.vault.place().write("project/.vscode/mcp.json", "{\n  // mine\n  \"servers\": {}\n}\n");
  const auto refused = home.run({"install", "vscode", "--project"});
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err, "line 2"));
  CHECK(home.vault.place().read("project/.vscode/mcp.json") ==
        "{\n  // mine\n  \"servers\": {}\n}\n");
  CHECK(home.run({"install", "claude-code"}, {"CLAUDE_CONFIG_DIR=" + home.vault.place().at("cc")})
            .exit_code == 0);
  CHECK(home.has("cc/.claude.json"));
}

}  // namespace daybook::test

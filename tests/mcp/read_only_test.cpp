// SPDX-License-Identifier: MIT
//
// What `--read-only` promises, after a writer that was killed in the middle of its work: not a byte
// of the vault or of a database changes, whatever is asked.
#include "cli/memory_vault.hpp"
#include "mcp/memory_client.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <sys/stat.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kNow = "2026-03-30T00:00:00Z";

/// Every file with its bytes and its time. Not -shm, in which SQLite says who reads what, nor the
/// empty -wal that it makes beside a database that it reads.
std::map<std::string, std::string> snapshot_of(const support::TempFolder& place) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(place.path())) {
    const std::string path = entry.path().string();
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || path.ends_with("-shm") ||
        path.ends_with("mcp-errors.txt") || (path.ends_with("-wal") && status.st_size == 0)) {
      continue;
    }
    files[path] = std::to_string(status.st_ino) + " " + std::to_string(status.st_mtim.tv_sec) +
                  "." + std::to_string(status.st_mtim.tv_nsec) + " " +
                  place.read(fs::relative(entry.path(), place.path()).string());
  }
  return files;
}

}  // namespace

TEST_CASE("A read-only server changes not a byte, also not of what a killed writer left behind") {
  MemoryVault vault;
  vault.index();
  const std::string place = vault.place().path().string();
  {
    MemoryClient writer(place, {}, kNow);
    writer.open();
    const json stored = writer.call("remember", {{"content", "The pumps are greased on Mondays."}});
    writer.call("memory_get", {{"id", "key-1"}});
    writer.call("memory_forget",
                {{"id", stored["structuredContent"]["memory"]["id"]}, {"reason", "a look"}});
    writer.call("remember", {{"content", "The gate is painted green in spring."}});
    ::kill(writer.program().id(), SIGKILL);
    CHECK(writer.program().wait() == -1);
  }
  const bool left_log = fs::exists(vault.place().at("state/state.db-wal")) &&
                        fs::file_size(vault.place().at("state/state.db-wal")) > 0;
  CHECK(left_log);  // or this would prove little
  const auto before = snapshot_of(vault.place());
  MemoryClient client(place, {"--read-only"}, kNow);
  client.open();
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, json>>{
           {"recall", {{"query", "heron pumps"}, {"check_fresh", true}, {"all", true}}},
           {"memory_search", {{"query", "river"}, {"check_fresh", true}}},
           {"memory_context", {{"query", "heron"}, {"session", "key-1"}, {"preview", false}}},
           {"memory_get", {{"id", "key-1"}}},
           {"memory_get", {{"id", "nobody"}}},
           {"list_memories", json::object()},
           {"memory_status", json::object()}}) {
    INFO(tool);
    const json result = client.call(tool, arguments);
    CHECK(result["isError"] == (arguments.value("id", "") == "nobody"));
  }
  CHECK(client.call("list_memories")["structuredContent"]["total"] == 2);
  CHECK(client.call("memory_status")["structuredContent"]["degraded"].empty());
  const json resources = client.ask("resources/list");
  for (const json& one : resources.at("result").at("resources")) {
    CHECK(client.ask("resources/read", {{"uri", one["uri"]}}).contains("result"));
  }
  CHECK(client.end() == 0);
  const auto after = snapshot_of(vault.place());
  for (const auto& [path, facts] : after) {
    INFO(path);
    const auto found = before.find(path);
    REQUIRE(found != before.end());
    CHECK((found->second == facts));
  }
  CHECK(after.size() == before.size());
}

}  // namespace daybook::test

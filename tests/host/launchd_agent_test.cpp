// SPDX-License-Identifier: MIT
#include "daybook/host/launchd_agent.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace daybook::host {
namespace {

ServiceSpec spec_of(const std::string& workspace) {
  return {"0123456789abcdef",
          "/usr/local/bin/daybook",
          workspace,
          "/Users/dev/.local/state/daybook/0123456789abcdef",
          "/Users/dev/.local/state/daybook/0123456789abcdef/watch.log"};
}

}  // namespace

TEST_CASE("the agent of a workspace with odd letters is the one in the golden file") {
  const auto agent = launchd_agent(spec_of("/Users/dev/<My> \"Vault\" & 'more' 50% $HOME \\n é"));
  std::ifstream stream(
      std::filesystem::path(DAYBOOK_SOURCE_DIR) / "tests/host/golden/local.daybook.plist",
      std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(stream), {}};
  REQUIRE(agent.ok());
  CHECK(*agent == golden);
  CHECK(is_service_file(*agent));
  CHECK(launchd_label(spec_of("/")) == "local.daybook.0123456789abcdef");
}

TEST_CASE("a path that no property list can express is refused") {
  for (const char* path : {"/a\nb", "/a\x01", "/a\xff"}) {
    CHECK(launchd_agent(spec_of(path)).error().kind == ErrorKind::usage);
  }
}

}  // namespace daybook::host

// SPDX-License-Identifier: MIT
#include "daybook/service/workspace_config.hpp"

#include "daybook/base/disk.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

using daybook::ErrorKind;
using daybook::service::load_config;
using daybook::support::TempFolder;

namespace {

daybook::Result<daybook::parse::Config> load(const TempFolder& folder) {
  return load_config(daybook::base::real_disk(), folder.path().string());
}

}  // namespace

TEST_CASE("Without daybook.yaml the defaults hold") {
  const TempFolder folder;
  const auto config = load(folder);
  REQUIRE(config.ok());
  CHECK(config->max_lines == 200);
}

TEST_CASE("daybook.yaml is read") {
  const TempFolder folder;
  folder.write("daybook.yaml", "memory_md:\n  max_lines: 50\n");
  CHECK(load(folder)->max_lines == 50);
}

TEST_CASE("A daybook.yaml that cannot be read is an error and not the defaults") {
  const TempFolder folder;
  folder.write("elsewhere", "publisher: any\n");
  folder.make_link("daybook.yaml", folder.at("elsewhere"));
  CHECK(load(folder).error().path == "daybook.yaml");
  const TempFolder other;
  other.make_pipe("daybook.yaml");
  CHECK(load(other).error().path == "daybook.yaml");
  const TempFolder large;
  large.write("daybook.yaml", std::string(65 * 1024, '#'));
  CHECK(load(large).error().kind == ErrorKind::usage);
}

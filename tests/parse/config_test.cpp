// SPDX-License-Identifier: MIT
#include "daybook/parse/config.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace {

using daybook::parse::read_config;

void require_refused(std::string_view yaml, const std::string& place, const std::string& words) {
  INFO(yaml);
  const auto config = read_config(yaml);
  REQUIRE_FALSE(config.ok());
  CHECK(config.error().kind == daybook::ErrorKind::usage);
  CHECK(config.error().path == place);
  CHECK_THAT(config.error().message + " " + config.error().hint, Catch::Contains(words));
}

std::string template_text() {
  std::ifstream file(std::string(DAYBOOK_SOURCE_DIR) + "/vault-template/daybook.yaml");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("No settings are the defaults") {
  for (const char* yaml : {"", "# nothing\n", "noise:\nmemory_md:\n"}) {
    const auto config = read_config(yaml);
    REQUIRE(config.ok());
    CHECK(config->noise.empty());
    CHECK(config->max_bytes == 25'000);
    CHECK(config->max_lines == 200);
    CHECK_FALSE(config->max_tokens.has_value());
    CHECK(config->publisher == "any");
  }
}

TEST_CASE("Every setting is read") {
  const auto config = read_config(
      "noise:\n  - '*/scratch/*'\n  - /home/me/play\n"
      "memory_md:\n  max_bytes: 9000\n  max_lines: 80\n  max_tokens: 3000\n"
      "publisher: laptop\n");
  REQUIRE(config.ok());
  CHECK(config->noise == std::vector<std::string>{"*/scratch/*", "/home/me/play"});
  CHECK(config->max_bytes == 9000);
  CHECK(config->max_lines == 80);
  CHECK(config->max_tokens == 3000);
  CHECK(config->publisher == "laptop");
}

TEST_CASE("An unknown setting is refused with its line and the nearest one") {
  require_refused("publisher: any\nnoize: []\n", "daybook.yaml:2", "Did you mean 'noise'?");
  require_refused(
      "memory_md:\n  max_byte: 1\n", "daybook.yaml:2", "Did you mean 'memory_md.max_bytes'?");
  require_refused("completely_different: 1\n", "daybook.yaml:1", "docs/CONFIGURATION.md");
}

TEST_CASE("A wrong value is refused with its line and what it should be") {
  require_refused("noise: one\n", "daybook.yaml:1", "takes a list");
  require_refused("noise:\n  - [a]\n", "daybook.yaml:2", "takes one value");
  require_refused("memory_md:\n  max_bytes: many\n", "daybook.yaml:2", "a whole number above 0");
  require_refused("memory_md:\n  max_lines: 0\n", "daybook.yaml:2", "a whole number above 0");
  require_refused("memory_md:\n  max_lines: -3\n", "daybook.yaml:2", "a whole number above 0");
  require_refused("memory_md: 5\n", "daybook.yaml:1", "'memory_md' takes 'key: value' lines");
  require_refused("noise: []\n---\nx: y\n", "daybook.yaml:2", "second YAML document");
  require_refused("- a\n", "daybook.yaml:1", "'key: value' lines");
  require_refused("publisher: [a]\n", "daybook.yaml:1", "takes one value");
  require_refused("publisher: a\npublisher: b\n", "daybook.yaml:2", "set twice");
  require_refused(",.", "daybook.yaml:1", "");  // yaml-cpp's LoadAll never came back from this
  require_refused("noise: [\n", "daybook.yaml:2", "not valid YAML");
  require_refused("noise: \xff\n", "daybook.yaml", "UTF-8");
}

TEST_CASE("The template's settings are valid, commented out and uncommented") {
  const std::string text = template_text();
  REQUIRE(read_config(text).ok());
  const std::string active = std::regex_replace(
      text,
      std::regex("^# ((noise|memory_md|watch|publisher|  (max|settle|longest|sweep)_)[^\\n]*)",
                 std::regex::multiline),
      "$1");
  INFO(active);
  REQUIRE(active != text);
  const auto config = read_config(active);
  REQUIRE(config.ok());
  CHECK(config->max_bytes == 25'000);
  CHECK(config->max_lines == 200);
  CHECK(config->given.contains("watch.settle_ms"));
  CHECK(config->settle_ms == 200);
  CHECK(config->longest_ms == 2000);
  CHECK(config->sweep_seconds == 60);
}

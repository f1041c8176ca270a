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
  for (const char* yaml : {"", "# nothing\n", "noise:\nmemory_md:\nmodel:\ncapture:\n"}) {
    const auto config = read_config(yaml);
    REQUIRE(config.ok());
    CHECK(config->noise.empty());
    CHECK(config->max_bytes == 25'000);
    CHECK(config->max_lines == 200);
    CHECK_FALSE(config->max_tokens.has_value());
    CHECK(config->publisher == "any");
    CHECK_FALSE(config->model.is_set());
    CHECK(config->model.timeout_seconds == 30);
    CHECK(config->model.retries == 2);
    CHECK(config->capture.redact_pii);
    CHECK(config->capture.literals_file.empty());
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

TEST_CASE("A model is an endpoint or a command") {
  const auto endpoint = read_config(
      "model:\n  base_url: https://host:8443/v1\n  model: small\n  api_key_env: MY_KEY\n"
      "  timeout_seconds: 5\n  retries: 0\n");
  REQUIRE(endpoint.ok());
  CHECK(endpoint->model.is_set());
  CHECK(endpoint->model.base_url == "https://host:8443/v1");
  CHECK(endpoint->model.model == "small");
  CHECK(endpoint->model.api_key_env == "MY_KEY");
  CHECK(endpoint->model.timeout_seconds == 5);
  CHECK(endpoint->model.retries == 0);
  CHECK(endpoint->given.contains("model.retries"));

  const auto words = read_config("model:\n  command: [llm, --model, 'a b']\n");
  REQUIRE(words.ok());
  CHECK(words->model.is_set());
  CHECK(words->model.command == std::vector<std::string>{"llm", "--model", "a b"});
  CHECK(words->model.timeout_seconds == 60);
  const auto one = read_config("model:\n  timeout_seconds: 9\n  command: ~/bin/say\n");
  REQUIRE(one.ok());
  CHECK(one->model.command == std::vector<std::string>{"~/bin/say"});
  CHECK(one->model.timeout_seconds == 9);
}

TEST_CASE("A model that cannot be asked is refused with its line") {
  const auto refused = [](const std::string& lines, int line, const std::string& words) {
    require_refused("model:\n" + lines, "daybook.yaml:" + std::to_string(line), words);
  };
  refused("  base_url: host/v1\n  model: m\n", 2, "must begin with http:// or https://");
  refused("  base_url: http://\n  model: m\n", 2, "name a host");
  refused("  model: m\n  base_url: ftp://host\n", 3, "must begin with http:// or https://");
  refused("  model: m\n  base_url: http://me:pw@host/v1\n", 3, "model.api_key_env");
  refused("  model: m\n  base_url: http://host/v1?key=x\n", 3, "without user, key");
  refused("  base_url: http://host\n", 2, "'model.base_url' needs 'model.model'");
  refused("  base_url: http://h\n  model: m\n  command: llm\n", 4, "exclude each other");
  refused("  command: llm -m small\n", 2, "Write a list");
  refused("  command: []\n", 2, "names no program");
  refused("  command: ['']\n", 2, "names no program");
  refused("  command: bin/llm\n", 2, "full path");
  refused("  command: {a: b}\n", 2, "takes a list");
  refused("  model: m\n", 2, "no use without 'model.base_url'");
  refused("  command: llm\n  retries: 2\n", 3, "no use without 'model.base_url'");
  refused("  command: llm\n  timeout_seconds: 601\n", 3, "must not be above 600");
  refused("  command: llm\n  timeout_seconds: 0\n", 3, "a whole number above 0");
  refused("  base_url: http://h\n  model: m\n  retries: 11\n", 4, "must not be above 10");
  refused("  base_url: http://h\n  model: m\n  retries: -1\n", 4, "takes a whole number");
  refused("  base_ur: http://h\n", 2, "Did you mean 'model.base_url'?");
  require_refused("model: small\n", "daybook.yaml:1", "'model' takes 'key: value' lines");
}

TEST_CASE("A key in place of its variable's name is refused and not shown") {
  const std::string key = "sk-made-up-0000";
  const auto config = read_config("model:\n  api_key_env: " + key + "\n");
  REQUIRE_FALSE(config.ok());
  CHECK(config.error().path == "daybook.yaml:2");
  CHECK_THAT(config.error().message, Catch::Contains("the name of an environment variable"));
  CHECK_THAT(config.error().message + config.error().hint, !Catch::Contains(key));
}

TEST_CASE("An embedding model can be set, and one that cannot be asked is refused with its line") {
  const auto config = read_config(
      "embeddings:\n  base_url: http://127.0.0.1:8080/v1\n  model: small\n  api_key_env: A_KEY\n"
      "  timeout_seconds: 5\n  batch: 8\n  requests_per_minute: 60\n  sqlite_vec: ~/vec0.so\n");
  REQUIRE(config.ok());
  const auto& embeddings = config->embeddings;
  CHECK(embeddings.is_set());
  CHECK(embeddings.base_url == "http://127.0.0.1:8080/v1");
  CHECK(embeddings.model == "small");
  CHECK(embeddings.api_key_env == "A_KEY");
  CHECK(embeddings.timeout_seconds == 5);
  CHECK(embeddings.batch == 8);
  CHECK(embeddings.requests_per_minute == 60);
  CHECK(embeddings.sqlite_vec == "~/vec0.so");
  CHECK_FALSE(read_config("embeddings:\n")->embeddings.is_set());
  const auto refused = [](const std::string& lines, int line, const std::string& words) {
    require_refused("embeddings:\n" + lines, "daybook.yaml:" + std::to_string(line), words);
  };
  const std::string whole = "  base_url: http://h/v1\n  model: m\n";
  refused("  base_url: h\n  model: m\n", 2, "must begin with http:// or https://");
  refused("  base_url: http://me@h\n  model: m\n", 2, "embeddings.api_key_env");
  refused("  base_url: http://h/v1\n", 2, "'embeddings.base_url' needs 'embeddings.model'");
  refused("  model: m\n", 2, "no use without 'embeddings.base_url'");
  refused("  sqlite_vec: /a.so\n", 2, "no use without 'embeddings.base_url'");
  refused(whole + "  batch: 0\n", 4, "a whole number above 0");
  refused(whole + "  batch: 257\n", 4, "must not be above 256");
  refused(whole + "  timeout_seconds: 601\n", 4, "must not be above 600");
  refused(whole + "  requests_per_minute: 60001\n", 4, "must not be above 60000");
  refused(whole + "  sqlite_vec: lib/vec0.so\n", 4, "begins with / or ~/");
  refused(whole + "  api_key_env: sk-made-up-0000\n", 4, "the name of an environment variable");
  refused(whole + "  btach: 1\n", 4, "Did you mean 'embeddings.batch'?");
}

TEST_CASE("What capture redacts can be set") {
  const auto config = read_config("capture:\n  redact_pii: false\n  literals_file: ~/words\n");
  REQUIRE(config.ok());
  CHECK_FALSE(config->capture.redact_pii);
  CHECK(config->capture.literals_file == "~/words");
  CHECK(read_config("capture:\n  redact_pii: true\n")->capture.redact_pii);
  require_refused("capture:\n  redact_pii: no\n", "daybook.yaml:2", "takes true or false");
  require_refused("capture:\n  redact_pii: ~\n", "daybook.yaml:2", "takes true or false");
  require_refused("capture:\n  literals_file: ''\n", "daybook.yaml:2", "the path of a file");
  require_refused("capture:\n  literal_file: a\n", "daybook.yaml:2", "capture.literals_file");
}

TEST_CASE("How much is learned, and what agents may teach, can be set") {
  const auto usual = read_config("learnings:\n");
  REQUIRE(usual.ok());
  CHECK_FALSE(usual->learnings.agent_procedures_active);
  CHECK(usual->learnings.semantic.most == 1000);
  CHECK(usual->learnings.episodic.most == 500);
  CHECK(usual->learnings.procedural.most == 100);
  CHECK(usual->learnings.episodic.enabled);
  const auto config = read_config(
      "learnings:\n  agent_procedures: active\n  semantic:\n    max_memories: 12\n"
      "  episodic: {enabled: false, max_episodes: 3}\n  procedural: {max_procedures: 4}\n");
  REQUIRE(config.ok());
  CHECK(config->learnings.agent_procedures_active);
  CHECK(config->learnings.semantic.most == 12);
  CHECK_FALSE(config->learnings.episodic.enabled);
  CHECK(config->learnings.episodic.most == 3);
  CHECK(config->learnings.procedural.most == 4);
  CHECK(config->given.contains("learnings.semantic.max_memories"));
  require_refused(
      "learnings:\n  agent_procedures: maybe\n", "daybook.yaml:2", "provisional or active");
  require_refused(
      "learnings:\n  semantic:\n    max_memorie: 3\n", "daybook.yaml:3", "max_memories");
  require_refused("learnings:\n  episodic: {max_memories: 3}\n", "daybook.yaml:2", "max_memories");
  require_refused("learnings:\n  semantic: 5\n", "daybook.yaml:2", "learnings.semantic");
  require_refused("learnings:\n  semantic: {max_memories: 0}\n", "daybook.yaml:2", "max_memories");
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
      std::regex("^# ((noise|memory_md|watch|publisher|model:|embeddings:|capture:|  "
                 "((max|settle|longest|sweep)_|(base_url|model|timeout_seconds|retries|batch): |"
                 "redact_pii|requests_per_minute))[^\\n]*)",
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
  CHECK(config->model.is_set());
  CHECK(config->model.timeout_seconds == 30);
  CHECK(config->model.retries == 2);
  CHECK(config->embeddings.is_set());
  CHECK(config->embeddings.batch == 32);
  CHECK(config->embeddings.requests_per_minute == 0);
  CHECK(config->given.contains("capture.redact_pii"));
  CHECK(config->capture.redact_pii);
}

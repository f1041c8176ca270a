// SPDX-License-Identifier: MIT
#include "daybook/service/config_doubts.hpp"

#include <catch2/catch.hpp>

namespace daybook::service {

TEST_CASE("a key that goes to another machine in plain text is doubted, and no other") {
  const auto doubted = [](const std::string& base_url, const std::string& variable = "A_KEY") {
    parse::Config config;
    config.embeddings.base_url = base_url;
    config.embeddings.api_key_env = variable;
    return !doubts_about(config).empty();
  };
  for (const std::string far : {"http://10.0.0.2:8080/v1",
                                "http://embed.example.com/v1",
                                "http://127.0.0.1.example.com/v1",
                                "http://localhost.example.com/v1",
                                "http://[fe80::1]/v1"}) {
    INFO(far);
    CHECK(doubted(far));
    CHECK_FALSE(doubted(far, ""));
  }
  for (const std::string near : {"http://127.0.0.1:8080/v1",
                                 "http://127.9.9.9/v1",
                                 "http://localhost/v1",
                                 "http://[::1]:8080/v1",
                                 "https://api.example.com/v1"}) {
    INFO(near);
    CHECK_FALSE(doubted(near));
  }
}

TEST_CASE("the doubt about a key names the variable, the address and the setting") {
  parse::Config config;
  config.model.base_url = "http://model.example.com/v1";
  config.model.api_key_env = "A_KEY";
  const auto doubts = doubts_about(config);
  REQUIRE(doubts.size() == 1);
  CHECK_THAT(doubts.front().message,
             Catch::Contains("A_KEY") && Catch::Contains("http://model.example.com/v1"));
  CHECK_THAT(doubts.front().hint, Catch::Contains("model.base_url"));
}

}  // namespace daybook::service

// SPDX-License-Identifier: MIT
#include "cli/service_health.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::cli {
namespace {

std::string answer_with(const std::string& field, const std::string& value) {
  daemon::Health health;
  health.pid = 12;
  health.queue = 7;
  std::string text = health_text(health);
  const std::size_t at = text.find("\"" + field + "\":");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + field.size() + 3;
  return text.replace(begin, text.find(',', begin) - begin, value);
}

}  // namespace

TEST_CASE("What a service answers is read as it was written") {
  const auto health = health_from_text(answer_with("queue", "8"));
  REQUIRE(health);
  CHECK(health->queue == 8);
  CHECK(health->pid == 12);
}

TEST_CASE("An answer with a number that cannot be is none") {
  for (const char* wrong : {"77777777777777777777777777777777", "1e300", "-1", "1.5", "true"}) {
    CAPTURE(wrong);
    CHECK_FALSE(health_from_text(answer_with("queue", wrong)));
  }
  CHECK_FALSE(health_from_text(answer_with("pid", "1e300")));
}

}  // namespace daybook::cli

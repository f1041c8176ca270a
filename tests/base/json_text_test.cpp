// SPDX-License-Identifier: MIT
// JSON that comes from outside: what is read of it, and what is not.
#include "daybook/base/json.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::base {

TEST_CASE("What is read is written again as it was, on one line of ASCII") {
  const std::string text =
      R"({"a":[1,-2,18446744073709551615,0.5,true,false,null],"b":{"c":"\u00e4\n\u001b"},"d":{},"e":[]})";
  const auto json = Json::parse(text);
  REQUIRE(json);
  CHECK(json->compact() == text);
  CHECK(json->find("b")->text_at("c") == "\xC3\xA4\n\x1B");
}

TEST_CASE("Only strict JSON within bounds is read") {
  for (const std::string text : {"",
                                 "{",
                                 "{}{}",
                                 "{'a':1}",
                                 "[1,]",
                                 "// x\n1",
                                 "NaN",
                                 "1e999",
                                 "\"\xFF\"",
                                 "\"\x01\"",
                                 R"({"a":1,"b":2,"a":3})",
                                 R"("\ud800")"}) {
    INFO(text);
    CHECK_FALSE(Json::parse(text));
  }
  CHECK(Json::parse(std::string(Json::kDeepest, '[') + std::string(Json::kDeepest, ']')));
  CHECK_FALSE(
      Json::parse(std::string(Json::kDeepest + 1, '[') + std::string(Json::kDeepest + 1, ']')));
  CHECK_FALSE(Json::parse(std::string(1 << 20, '[')));
  std::string many = "[0";
  for (std::size_t i = 1; i < Json::kMostValues; ++i) {
    many.append(",0");
  }
  CHECK_FALSE(Json::parse(many + "]"));  // with the array itself one too many
}

TEST_CASE("What is wrong with a message is told without any of it") {
  const auto json = Json::parse(R"({"secret-word": )");
  REQUIRE_FALSE(json);
  CHECK(json.error().message.find("secret") == std::string::npos);
}

TEST_CASE("Numbers are integers by their value") {
  CHECK(Json::parse("5.0")->integer() == 5);
  CHECK(Json::parse("-7")->integer() == -7);
  CHECK_FALSE(Json::parse("5.5")->integer());
  CHECK_FALSE(Json::parse("18446744073709551615")->integer());
  CHECK_FALSE(Json::parse("1e300")->integer());
  CHECK_FALSE(Json::parse("\"5\"")->integer());
  CHECK(*Json::parse("5.0") == Json(5));
}

}  // namespace daybook::base

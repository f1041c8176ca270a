// SPDX-License-Identifier: MIT
#include "mcp/schema.hpp"

#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/schema_words.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <set>
#include <string>

namespace daybook::mcp {
namespace {

constexpr std::array<std::string_view, 2> kColors{"red", "blue"};

std::string faults(const std::string& arguments) {
  static const Json schema =
      object_schema(Json::object({{"query", text_schema("", 5, 1)},
                                  {"count", integer_schema("", 1, 10)},
                                  {"sure", flag_schema("")},
                                  {"color", choice_schema("", kColors)},
                                  {"list", list_schema("", choice_schema("", kColors), 2)}}),
                    {"query"});
  return faults_of(*Json::parse(arguments), schema);
}

}  // namespace

TEST_CASE("Arguments that fit have no fault") {
  CHECK(faults(R"({"query":"abc"})").empty());
  CHECK(
      faults(R"({"query":"äöüßé","count":10,"sure":false,"color":"red","list":["blue"]})").empty());
  CHECK(faults(R"({"query":"a","count":3.0})").empty());
}

TEST_CASE("A fault names the argument, what it was and what is allowed") {
  CHECK(faults("[]") == "`arguments` is an array, but must be an object.");
  CHECK(faults("{}") == "The arguments must have `query`.");
  CHECK(faults(R"({"query":""})") == "`query` is empty.");
  CHECK(faults(R"({"query":"abcdef"})") == "`query` has 6 characters, but may have at most 5.");
  CHECK(faults(R"({"query":5})") == "`query` is 5, but must be a text.");
  CHECK(faults(R"({"query":"a","count":0})") ==
        "`count` is 0, but must be an integer from 1 to 10.");
  CHECK(faults(R"({"query":"a","count":"3"})") ==
        "`count` is '3', but must be an integer from 1 to 10.");
  CHECK(faults(R"({"query":"a","sure":"yes"})") == "`sure` is 'yes', but must be true or false.");
  CHECK(faults(R"({"query":"a","color":"green"})") ==
        "`color` is 'green', but must be one of red, blue.");
  CHECK(faults(R"({"query":"a","list":["red","x"]})") ==
        "`list[1]` is 'x', but must be one of red, blue.");
  CHECK(faults(R"({"query":"a","list":["red","red","red"]})") ==
        "`list` has 3 elements, but may have at most 2.");
  CHECK(faults(R"({"query":"a","cuont":3})") ==
        "The arguments have no 'cuont' (did you mean `count`?); allowed are query, count, sure, "
        "color, list.");
}

TEST_CASE("What has the wrong type is told what the argument means") {
  const Json schema = object_schema(Json::object({{"id", text_schema("Which one", 5)}}));
  CHECK(faults_of(*Json::parse(R"({"id":true})"), schema) ==
        "`id` is true, but must be a text: Which one.");
}

TEST_CASE("What a client fills in for what was left out is left out") {
  const Json schema = object_schema(
      Json::object({{"id", text_schema("", 5)}, {"count", integer_schema("", 1, 9)}}), {"id"});
  const auto meant = [&schema](const char* given) {
    return meant_arguments(*Json::parse(given), schema);
  };
  CHECK(meant(R"({"id":"a","count":null})") == *Json::parse(R"({"id":"a"})"));
  CHECK(meant(R"({"id":807056179202863})") == *Json::parse(R"({"id":"807056179202863"})"));
  CHECK(faults_of(meant(R"({"id":null})"), schema) == "The arguments must have `id`.");
  CHECK(faults_of(meant(R"({"id":"a","other":null})"), schema) ==
        "The arguments have no 'other'; allowed are id, count.");
  CHECK(meant("[1]") == *Json::parse("[1]"));
}

TEST_CASE("Faults of a hostile call are few, short and without control characters") {
  std::string many = R"({"query":"a")";
  for (int i = 0; i < 1000; ++i) {
    many += ",\"\\u001b[31m" + std::to_string(i) + std::string(200, 'x') + "\":1";
  }
  const std::string told = faults(many + "}");
  CHECK(told.size() < 3000);
  CHECK(told.find('\x1B') == std::string::npos);
  CHECK(faults(R"({"query":")" + std::string(10'000'000, 'x') + "\"}") ==
        "`query` has 10000000 characters, but may have at most 5.");
}

TEST_CASE("Every tool has a name of its own, words for people, and strict schemas") {
  std::set<std::string> names;
  for (const Tool& tool : all_tools()) {
    INFO(tool.name);
    CHECK(names.insert(tool.name).second);
    CHECK(tool.description.size() > 40);
    for (const Json* schema : {&tool.input, &tool.output}) {
      CHECK(schema->text_at("type") == "object");
      CHECK(*schema->find("additionalProperties")->truth() == false);
    }
    for (const Json::Member& property : *tool.input.find("properties")->members()) {
      INFO(property.name);
      CHECK_FALSE(property.value.text_at("description").empty());
      CHECK_FALSE(property.value.text_at("type").empty());
    }
  }
}

}  // namespace daybook::mcp

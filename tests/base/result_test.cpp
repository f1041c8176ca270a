// SPDX-License-Identifier: MIT
#include "daybook/base/result.hpp"

#include "support/child.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace daybook::base {
namespace {

Error no_number(std::string_view text) {
  return {ErrorKind::usage, "not a number", std::string(text), "write digits"};
}

Result<int> number(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') {
      return no_number(text);
    }
    value = value * 10 + (c - '0');
  }
  return value;
}

Result<int> sum(std::string_view left, std::string_view right) {
  TRY_ASSIGN(const int a, number(left));
  TRY_ASSIGN(auto b, number(right));
  b += a;
  return b;
}

Result<void> step(std::vector<std::string>& taken, const std::string& name) {
  taken.push_back(name);
  if (name == "bad") {
    return no_number(name);
  }
  return {};
}

Result<void> steps(std::vector<std::string>& taken, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    TRY(step(taken, name));
  }
  return {};
}

/// TRY must hand on the error of a Result of any other type.
Result<std::string> checked_text(std::string_view text) {
  TRY(number(text));
  return std::string(text);
}

Result<std::unique_ptr<int>> boxed(std::string_view text) {
  TRY_ASSIGN(const int value, number(text));
  return std::make_unique<int>(value);
}

Result<int> unboxed(std::string_view text) {
  TRY_ASSIGN(const std::unique_ptr<int> box, boxed(text));
  return *box;
}

}  // namespace

TEST_CASE("a result holds a value or an error and says which") {
  const Result<int> good = number("42");
  REQUIRE(good.ok());
  CHECK(static_cast<bool>(good));
  CHECK(good.value() == 42);
  CHECK(*good == 42);

  const Result<int> bad = number("4x");
  REQUIRE_FALSE(bad.ok());
  CHECK_FALSE(static_cast<bool>(bad));
  CHECK(bad.error().kind == ErrorKind::usage);
  CHECK(bad.error().message == "not a number");
  CHECK(bad.error().path == "4x");
  CHECK(bad.error().hint == "write digits");

  const Result<std::string> text(std::string("abc"));
  CHECK(text->size() == 3);
  CHECK(Result<void>().ok());
  CHECK_FALSE(Result<void>(no_number("x")).ok());
}

TEST_CASE("the value of a result can be changed in place and moved out") {
  Result<std::string> text(std::string("a"));
  text.value() += "b";
  *text += "c";
  text->push_back('d');
  CHECK(text.value() == "abcd");
  const std::string moved = std::move(text).value();
  CHECK(moved == "abcd");
}

TEST_CASE("TRY_ASSIGN binds the value") {
  CHECK(sum("19", "23").value() == 42);
  CHECK(sum("", "").value() == 0);
}

TEST_CASE("TRY_ASSIGN hands the first error to the caller as it is") {
  const Result<int> left = sum("a1", "b2");
  REQUIRE_FALSE(left.ok());
  CHECK(left.error().path == "a1");
  CHECK(left.error().hint == "write digits");

  const Result<int> right = sum("1", "b2");
  REQUIRE_FALSE(right.ok());
  CHECK(right.error().path == "b2");
}

TEST_CASE("TRY_ASSIGN carries values that can only be moved") {
  CHECK(unboxed("7").value() == 7);
  REQUIRE_FALSE(unboxed("seven").ok());
  CHECK(unboxed("seven").error().path == "seven");
}

TEST_CASE("TRY goes on after success and stops at the first error") {
  std::vector<std::string> taken;
  CHECK(steps(taken, {"a", "b", "c"}).ok());
  CHECK(taken == std::vector<std::string>{"a", "b", "c"});

  taken.clear();
  const Result<void> stopped = steps(taken, {"a", "bad", "c"});
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().path == "bad");
  CHECK(taken == std::vector<std::string>{"a", "bad"});  // each ran once, the third never
}

TEST_CASE("TRY hands an error on from a result of another type") {
  CHECK(checked_text("12").value() == "12");
  REQUIRE_FALSE(checked_text("1 2").ok());
  CHECK(checked_text("1 2").error().message == "not a number");
}

TEST_CASE("each level of context adds one clause in front and changes nothing else") {
  const Result<int> failed =
      number("x").in_context("adding the counts").in_context("rendering MEMORY.md");
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().message == "rendering MEMORY.md: adding the counts: not a number");
  CHECK(failed.error().kind == ErrorKind::usage);
  CHECK(failed.error().path == "x");
  CHECK(failed.error().hint == "write digits");

  const Result<void> nothing = Result<void>(no_number("y")).in_context("looking");
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().message == "looking: not a number");
  CHECK(nothing.error().path == "y");
}

TEST_CASE("context leaves a success as it is") {
  CHECK(number("5").in_context("reading").value() == 5);
  CHECK(Result<void>().in_context("reading").ok());
  CHECK(*boxed("6").in_context("reading").value() == 6);
}

TEST_CASE("an error from errno has the right kind and the system's words") {
  struct Case {
    int number;
    ErrorKind kind;
    std::string words;
  };
  const std::vector<Case> cases{
      {ENOENT, ErrorKind::not_found, "No such file or directory"},
      {ENOTDIR, ErrorKind::not_found, "Not a directory"},
      {EACCES, ErrorKind::not_permitted, "Permission denied"},
      {EPERM, ErrorKind::not_permitted, "Operation not permitted"},
      {ELOOP, ErrorKind::not_regular, "Too many levels of symbolic links"},
      {ENXIO, ErrorKind::not_regular, "No such device or address"},
      {EEXIST, ErrorKind::already_exists, "File exists"},
      {ENOSPC, ErrorKind::io, "No space left on device"},
      {EIO, ErrorKind::io, "Input/output error"},
  };
  for (const Case& expected : cases) {
    const Error error = system_error("cannot do it", "a/b.md", expected.number);
    CAPTURE(expected.words);
    CHECK(error.kind == expected.kind);
    CHECK(error.message == "cannot do it: " + expected.words);
    CHECK(error.path == "a/b.md");
  }
}

TEST_CASE("an error of the machine's says what to do about it") {
  for (const int number : {ENOSPC, EDQUOT, EROFS, EMFILE, ENFILE, EIO, EINTR}) {
    CAPTURE(number);
    CHECK(system_error("cannot do it", "a/b.md", number).hint.ends_with("then try again."));
  }
  CHECK(system_error("cannot do it", "a/b.md", ENOENT).hint.empty());
}

TEST_CASE("asking a result for what it does not hold aborts") {
  using support::run_in_child;
  const auto value_of_failure = run_in_child([] { return std::to_string(number("x").value()); });
  CHECK(value_of_failure.signal == SIGABRT);
  const auto error_of_success = run_in_child([] { return number("1").error().message; });
  CHECK(error_of_success.signal == SIGABRT);
  const auto error_of_nothing = run_in_child([] { return Result<void>().error().message; });
  CHECK(error_of_nothing.signal == SIGABRT);
}

TEST_CASE("results and errors are spelt without their stage") {
  CHECK(std::is_same_v<daybook::Result<int>, Result<int>>);
  CHECK(std::is_same_v<daybook::Error, Error>);
  CHECK(std::is_same_v<daybook::ErrorKind, ErrorKind>);
  CHECK(std::is_same_v<Result<int>::Value, int>);
}

}  // namespace daybook::base

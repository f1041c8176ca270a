// SPDX-License-Identifier: MIT
#include "daybook/recall/model_window.hpp"

#include <catch2/catch.hpp>

using daybook::recall::window_of_model;

TEST_CASE("The window of a model is known by the beginning of its name, in any case") {
  CHECK(window_of_model("claude-opus-4") == 200'000);
  CHECK(window_of_model("Anthropic/Claude-Opus-4") == 200'000);
  CHECK(window_of_model("llama-3-8b") == 8'192);
  CHECK(window_of_model("meta-llama/Llama-3.1-8B-Instruct") == 128'000);
  CHECK_FALSE(window_of_model("of-nobody"));
  CHECK_FALSE(window_of_model(""));
}

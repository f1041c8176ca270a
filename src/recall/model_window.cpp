// SPDX-License-Identifier: MIT
#include "daybook/recall/model_window.hpp"

#include "daybook/base/unicode.hpp"

#include <array>
#include <string>

namespace daybook::recall {
namespace {

struct KnownWindow {
  std::string_view prefix;
  std::uint64_t tokens;
};

/// The first that fits counts.
constexpr std::array<KnownWindow, 15> kWindows{{{"claude", 200'000},
                                                {"gpt-4.1", 1'047'576},
                                                {"gpt-4o", 128'000},
                                                {"gpt-4-turbo", 128'000},
                                                {"gpt-4", 8'192},
                                                {"gpt-5", 400'000},
                                                {"o1", 200'000},
                                                {"o3", 200'000},
                                                {"o4", 200'000},
                                                {"gemini", 1'048'576},
                                                {"llama-3.1", 128'000},
                                                {"llama-3.2", 128'000},
                                                {"llama-3.3", 128'000},
                                                {"llama-3", 8'192},
                                                {"mistral-large", 128'000}}};

}  // namespace

std::optional<std::uint64_t> window_of_model(std::string_view model) {
  // `anthropic/claude-…`: the vendor's name says nothing of the window.
  model.remove_prefix(model.rfind('/') + 1);
  const std::string name = base::fold_case(model);
  for (const KnownWindow& known : kWindows) {
    if (name.starts_with(known.prefix)) {
      return known.tokens;
    }
  }
  return std::nullopt;
}

}  // namespace daybook::recall

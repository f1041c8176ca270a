// SPDX-License-Identifier: MIT
//
// No daybook.yaml crashes the reader, and every refusal says something.
#include "daybook/parse/config.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto config = daybook::parse::read_config({reinterpret_cast<const char*>(data), size});
  if (!config && config.error().message.empty()) {
    std::abort();
  }
  return 0;
}

// SPDX-License-Identifier: MIT
#include "daybook/service/config_doubts.hpp"

#include <string_view>

namespace daybook::service {
namespace {

constexpr std::string_view kPlain = "http://";

bool is_this_machine(std::string_view host) {
  const bool is_number = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || host.ends_with(".localhost") || host == "::1" ||
         (is_number && host.starts_with("127."));
}

/// Of an address behind its scheme.
std::string_view host_of(std::string_view rest) {
  return rest.starts_with('[') ? rest.substr(1, rest.find(']') - 1)
                               : rest.substr(0, rest.find_first_of(":/"));
}

void doubt_key(std::vector<ConfigDoubt>& doubts,
               const std::string& section,
               const std::string& base_url,
               const std::string& variable) {
  if (variable.empty() || !base_url.starts_with(kPlain) ||
      is_this_machine(host_of(std::string_view(base_url).substr(kPlain.size())))) {
    return;
  }
  doubts.push_back(
      {"the key in " + variable + " is sent to " + base_url +
           " without encryption, for anybody on the way to read",
       "Write https:// in " + section + ".base_url, or take " + section + ".api_key_env out."});
}

}  // namespace

std::vector<ConfigDoubt> doubts_about(const parse::Config& config) {
  std::vector<ConfigDoubt> doubts;
  doubt_key(doubts, "model", config.model.base_url, config.model.api_key_env);
  doubt_key(doubts, "embeddings", config.embeddings.base_url, config.embeddings.api_key_env);
  return doubts;
}

}  // namespace daybook::service

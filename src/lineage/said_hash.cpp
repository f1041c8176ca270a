// SPDX-License-Identifier: MIT
#include "daybook/lineage/said_hash.hpp"

#include "daybook/lineage/body_hash.hpp"

#include <algorithm>
#include <string>

namespace daybook::lineage {

base::Digest said_hash(const base::Digest& body_hash) {
  return base::sha256(std::string("daybook learning\n").append(base::to_hex(body_hash)));
}

std::string_view without_blanks_before(std::string_view body) {
  return body.substr(std::min(body.find_first_not_of(" \t\r\n"), body.size()));
}

std::vector<base::Digest> said_hashes(std::string_view body) {
  const std::string with_line = std::string("\n").append(without_blanks_before(body));
  std::vector<base::Digest> hashes;
  for (const std::string_view form :
       {body, std::string_view(with_line), std::string_view(with_line).substr(1)}) {
    hashes.push_back(said_hash(body_hash(form)));
  }
  return hashes;
}

}  // namespace daybook::lineage

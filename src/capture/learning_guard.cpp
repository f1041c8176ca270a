// SPDX-License-Identifier: MIT
#include "daybook/capture/learning_guard.hpp"

#include "daybook/base/keyed_hash.hpp"
#include "daybook/capture/configured_model.hpp"
#include "daybook/redact/literals.hpp"
#include "daybook/redact/secret_guard.hpp"

#include <utility>

namespace daybook::capture {

std::string LearningGuard::mark(std::uint64_t key) const {
  std::uint64_t hash = base::keyed_hash(problem.empty() ? "" : "?", key);
  for (const std::string& literal : literals) {
    hash = base::mix(hash, base::keyed_hash(literal, key));
  }
  return std::to_string(redact::kGuardVersion) + " " + std::to_string(hash);
}

LearningGuard read_learning_guard(base::Disk& disk,
                                  const std::string& workspace,
                                  const parse::Config& config) {
  LearningGuard guard;
  const std::string path = literals_path(config.capture, workspace);
  if (path.empty()) {
    return guard;
  }
  auto literals = redact::read_literals(disk, path);
  if (literals) {
    guard.literals = std::move(literals).value();
  } else {
    guard.problem = literals.error().message;
  }
  return guard;
}

}  // namespace daybook::capture

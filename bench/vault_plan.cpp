// SPDX-License-Identifier: MIT
#include "vault_plan.hpp"

#include <utility>

namespace daybook::bench {

Result<void> validate(const VaultPlan& plan) {
  const auto wrong = [](std::string message) -> Result<void> {
    return Error{ErrorKind::usage, std::move(message), {}, "See make_vault --help."};
  };
  if (plan.sessions == 0 || plan.sessions > 10'000'000) {
    return wrong("sessions must be 1 to 10,000,000");
  }
  if (plan.days == 0 || plan.days > 10'000 || plan.agents == 0 || plan.agents > 1'000) {
    return wrong("days must be 1 to 10,000 and agents 1 to 1,000");
  }
  if (plan.transcript_bytes > 64'000'000) {
    return wrong("transcripts must be at most 64,000,000 bytes on average");
  }
  for (const double share :
       {plan.compactions, plan.resumed, plan.noise, plan.linked, plan.sealed}) {
    if (!(share >= 0 && share <= 1)) {
      return wrong("shares must be 0 to 1");
    }
  }
  return {};
}

std::string agent_name(std::uint32_t index) {
  return index == 0 ? "default" : "agent-" + std::to_string(index + 1);
}

}  // namespace daybook::bench

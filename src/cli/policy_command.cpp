// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/state/run_policy.hpp"

#include <memory>

namespace daybook::cli {
namespace {

using state::RunMemoryPolicy;

Json to_json(const RunMemoryPolicy& policy) {
  return Json::object({{"enabled", policy.enabled},
                       {"retention_ms", policy.retention_ms},
                       {"max_tracked_per_session", policy.max_tracked_per_session},
                       {"max_prompt_entries", policy.max_prompt_entries},
                       {"redact_pii", policy.redact_pii},
                       {"search_visibility", state::to_string(policy.search_visibility)}});
}

void print_policy(const RunMemoryPolicy& policy, const Settings& settings) {
  if (settings.json) {
    print_json(Json::object({{"run_memory", to_json(policy)}}));
    return;
  }
  print(stdout, state::to_lines(policy));
}

/// All fields together, so that two that only fit together can be set in one go.
Result<RunMemoryPolicy> changed(const std::vector<std::string>& fields, state::StateDb& state) {
  TRY_ASSIGN(RunMemoryPolicy policy, state::run_memory_policy(state));
  for (const std::string& field : fields) {
    const std::size_t equals = field.find('=');
    if (equals == std::string::npos) {
      return Error{ErrorKind::usage,
                   "'" + field + "' is not of the form FIELD=VALUE",
                   {},
                   "Such as max_prompt_entries=5."};
    }
    TRY(state::set_field(policy, field.substr(0, equals), field.substr(equals + 1)));
  }
  TRY(state::put_run_memory_policy(state, policy));
  return policy;
}

int run_policy(const std::vector<std::string>& fields, const Settings& settings) {
  const auto answer = [&]() -> Result<RunMemoryPolicy> {
    TRY_ASSIGN(const Vault vault, open_vault(settings, state::Create::never));
    TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
    return fields.empty() ? state::run_memory_policy(state) : changed(fields, state);
  }();
  if (!answer) {
    return fail(answer.error(), settings);
  }
  print_policy(*answer, settings);
  return kDone;
}

}  // namespace

void add_policy(const Command& program, Run& run) {
  const Command command =
      program.add("policy", "What a session is reminded of from its earlier runs: show, set");
  const auto add = [&](const Command& one, const std::shared_ptr<std::vector<std::string>>& list) {
    one.when_given([&run, list] {
      run = [list](const Settings& settings) { return run_policy(*list, settings); };
    });
  };
  add(command.add("show", "Print the policy of this device"),
      std::make_shared<std::vector<std::string>>());
  auto fields = std::make_shared<std::vector<std::string>>();
  const Command set =
      command.add("set", "Change fields of it, such as max_prompt_entries=5 enabled=true");
  set.arguments("FIELD=VALUE", *fields, "What to change", Need::required);
  add(set, fields);
}

}  // namespace daybook::cli

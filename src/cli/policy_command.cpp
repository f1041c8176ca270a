// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "cli/run_memory_json.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/service/run_maintenance.hpp"
#include "daybook/state/run_policy.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daybook::cli {
namespace {

using state::RunMemoryPolicy;

struct Answer {
  RunMemoryPolicy policy;
  std::optional<state::RunMaintenance> maintenance;
};

void print_answer(const Answer& answer, const Settings& settings) {
  if (settings.json) {
    print_json(Json::object(
        {{"run_memory", to_json(answer.policy)}, {"maintenance", to_json(answer.maintenance)}}));
    return;
  }
  print(stdout, state::to_lines(answer.policy));
}

Result<Answer> show(const Vault& vault) {
  Answer answer;
  TRY_ASSIGN(answer.policy, state::run_memory_policy(vault.state));
  TRY_ASSIGN(answer.maintenance, state::last_run_maintenance(vault.state));
  return answer;
}

Result<void> set_all(const std::vector<std::string>& fields, RunMemoryPolicy& policy) {
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
  return {};
}

/// All fields together, so that two that only fit together can be set in one go.
Result<Answer> change(const std::vector<std::string>& fields, const Vault& vault) {
  TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
  Answer answer;
  TRY_ASSIGN(answer.maintenance,
             service::set_run_policy(
                 vault.state,
                 state,
                 [&](RunMemoryPolicy& policy) -> Result<void> {
                   TRY(set_all(fields, policy));
                   answer.policy = policy;
                   return {};
                 },
                 vault.now()));
  return answer;
}

int run_policy(const std::vector<std::string>& fields, const Settings& settings) {
  const auto answer = [&]() -> Result<Answer> {
    TRY_ASSIGN(const Vault vault, open_vault(settings, state::Create::never));
    return fields.empty() ? show(vault) : change(fields, vault);
  }();
  if (!answer) {
    return fail(answer.error(), settings);
  }
  print_answer(*answer, settings);
  if (!fields.empty() && answer->maintenance && answer->maintenance->pruned() > 0) {
    say(settings,
        counted(answer->maintenance->pruned(), "run") +
            " will not be told any more; the notes stay as they are");
  }
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

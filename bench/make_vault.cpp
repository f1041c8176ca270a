// SPDX-License-Identifier: MIT
// make_vault DIR: fills DIR/memory with generated sessions; the flags are the fields of VaultPlan.
#include "daybook/lineage/timestamp.hpp"
#include "vault_generator.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace {

using daybook::bench::VaultForm;
using daybook::bench::VaultPlan;

constexpr int kExitUsage = 2;
constexpr int kExitIo = 5;

/// Options whose text is not yet a value of the plan.
struct Spelled {
  std::string now;
  std::string form{"daybook"};
};

void add_plan_options(CLI::App& app, VaultPlan& plan, Spelled& spelled) {
  app.option_defaults()->always_capture_default();
  app.add_option("--sessions", plan.sessions, "how many");
  app.add_option("--days", plan.days, "days before `now` over which they are spread");
  app.add_option("--agents", plan.agents, "`default`, then `agent-2` and so on");
  app.add_option("--compactions", plan.compactions, "share of sessions with a compaction");
  app.add_option("--resumed", plan.resumed, "share that ended a second time");
  app.add_option("--noise", plan.noise, "share of projects in a temp folder");
  app.add_option("--linked", plan.linked, "share whose summary links to earlier ones");
  app.add_option("--sealed", plan.sealed, "share whose manifest holds seals");
  app.add_option(
      "--transcript-bytes", plan.transcript_bytes, "average size of a transcript's body");
  app.add_option("--now", spelled.now, "the end of the time span, RFC 3339");
  app.add_option("--seed", plan.seed, "another seed, another vault");
  app.add_option("--form", spelled.form, "whose spelling")
      ->check(CLI::IsMember({"daybook", "signet"}));
}

int fail(const daybook::Error& error) {
  std::fprintf(stderr,
               "make_vault: %s%s%s\n%s\n",
               error.message.c_str(),
               error.path.empty() ? "" : ": ",
               error.path.c_str(),
               error.hint.c_str());
  return error.kind == daybook::ErrorKind::usage ? kExitUsage : kExitIo;
}

}  // namespace

int main(int argc, char** argv) {
  VaultPlan plan;
  std::string folder;
  Spelled spelled{daybook::lineage::to_string(plan.now)};
  CLI::App app{"Fills DIR/memory with generated sessions, the same bytes for the same options."};
  app.add_option("DIR", folder, "the workspace; its memory/ must be empty or missing")->required();
  add_plan_options(app, plan, spelled);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }

  const auto parsed_now = daybook::lineage::parse_timestamp(spelled.now);
  if (!parsed_now) {
    return fail({daybook::ErrorKind::usage, "--now is not an RFC 3339 time", spelled.now, {}});
  }
  plan.now = *parsed_now;
  plan.form = spelled.form == "signet" ? VaultForm::signet : VaultForm::daybook;
  const auto report = daybook::bench::generate_vault(plan, folder);
  if (!report) {
    return fail(report.error());
  }
  std::printf("%llu files, %.1f MB: %u sessions (%u compacted, %u resumed, %u noise), %zu agents\n",
              static_cast<unsigned long long>(report->files),
              static_cast<double>(report->bytes) / 1e6,
              report->sessions,
              report->compactions,
              report->resumed,
              report->noise,
              report->agents.size());
  return 0;
}

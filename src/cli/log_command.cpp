// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "cli/screen.hpp"
#include "cli/session_json.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/session_remains.hpp"
#include "daybook/service/workspace_config.hpp"

#include <algorithm>
#include <memory>

namespace daybook::cli {
namespace {

/// More is rarely wanted on a screen; a pipe gets everything.
constexpr std::size_t kScreenLimit = 100;
constexpr std::size_t kMostListed = 1'000'000;

struct Options {
  bool all = false;
  bool fresh = false;
  std::string since;
  std::string until;
  std::string project;
  std::optional<std::size_t> limit;
};

struct Listing {
  std::vector<index::SessionRow> sessions;
  std::size_t left_out = 0;  ///< by the limit
  std::size_t noise = 0;     ///< left out for being noise
  bool several_agents = false;
  std::optional<bool> fresh;
};

Result<index::SessionFilter> filter_of(const Options& options, const Reading& reading) {
  const lineage::Timestamp now = reading.vault.now();
  index::SessionFilter filter;
  filter.agent = reading.agent;
  filter.project = options.project;
  filter.paths = index::Paths::not_wanted;
  TRY_ASSIGN(filter.since, read_time("--since", options.since, DayEdge::begin, now));
  TRY_ASSIGN(filter.until, read_time("--until", options.until, DayEdge::end, now));
  if (!options.all) {
    const projection::Window window = projection::window_at(now);
    filter.since = filter.since.value_or(window.first);
    filter.until = std::min(filter.until.value_or(window.last), window.last);
  }
  return filter;
}

std::size_t most_shown(const Options& options, const Settings& settings) {
  const bool on_screen = !settings.json && is_terminal(stdout);
  const std::size_t limit = options.limit.value_or(on_screen ? kScreenLimit : 0);
  return limit == 0 ? static_cast<std::size_t>(-1) : limit;
}

Result<Listing> list_sessions(const Options& options, const Settings& settings, Reading& reading) {
  TRY_ASSIGN(const auto config, service::load_config(base::real_disk(), reading.vault.workspace));
  TRY_ASSIGN(const auto filter, filter_of(options, reading));
  const lineage::NoiseRules noise(config.noise);
  const std::size_t most = most_shown(options, settings);
  auto removals = reading.removals();
  Listing listing;
  const auto list = [&](const index::SessionRow& session) {
    if (!options.all && noise.is_noise(session.project)) {
      ++listing.noise;
    } else if (listing.sessions.size() == most) {
      ++listing.left_out;
    } else {
      listing.sessions.push_back(session);
    }
    return store::Visit::next;
  };
  TRY(service::sessions_that_remain(reading.reader, removals, filter, list));
  if (settings.json) {
    TRY(reading.reader.fill_paths(listing.sessions));
  }
  TRY_ASSIGN(const auto agents, reading.reader.agents());
  listing.several_agents = agents.size() > 1 && reading.agent.empty();
  if (options.fresh) {
    TRY_ASSIGN(listing.fresh, checked_fresh(reading.vault, settings));
  }
  return listing;
}

void print_as_json(const Listing& listing, const Reading& reading) {
  Json sessions = Json::array();
  for (const index::SessionRow& session : listing.sessions) {
    sessions.push_back(session_json(session));
  }
  print_json(Json::object({{"fresh", listing.fresh ? Json(*listing.fresh) : Json(nullptr)},
                           {"last_sweep", lineage::to_string(reading.last_sweep())},
                           {"generation", reading.reader.meta().generation},
                           {"left_out", listing.left_out},
                           {"sessions", std::move(sessions)}}));
}

void print_human(const Listing& listing, const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  const auto screen = screen_of(stdout);
  std::string text;
  for (const index::SessionRow& session : listing.sessions) {
    const std::string time = to_minute(session.membership);
    std::string rest;
    if (listing.several_agents) {
      rest.append(session.agent_id).append("  ");
    }
    rest.append(short_project(session.project)).append("  ");
    if (session.changed_since_sealed) {
      rest.append("[changed since sealed] ");
    }
    rest.append(base::printable(session.sentence));
    if (screen) {
      const std::size_t used = time.size() + 2;
      rest = cut_to_columns(rest, screen->columns > used ? screen->columns - used : 0);
    }
    text.append(colors.dim).append(time).append(colors.reset).append("  ");
    text.append(rest).append("\n");
  }
  print(stdout, text);
}

void tell_rest(const Listing& listing, const Options& options, const Settings& settings) {
  if (listing.sessions.empty()) {
    std::string text = options.all || !options.since.empty() || !options.until.empty()
                           ? "no session is within these bounds"
                           : "no session in the last 30 days";
    if (listing.noise > 0) {
      text += " but " + counted(listing.noise, "temporary or test session");
    }
    say(settings, text + (options.all ? "" : "; --all shows everything"));
  } else if (listing.left_out > 0) {
    say(settings, counted(listing.left_out, "older session") + " not shown; --limit 0 shows all");
  }
}

int run_log(const Options& options, const Settings& settings) {
  auto reading = open_for_reading(settings);
  if (!reading) {
    return fail(reading.error(), settings);
  }
  const auto listing = list_sessions(options, settings, *reading);
  if (!listing) {
    return fail(listing.error(), settings);
  }
  settings.json ? print_as_json(*listing, *reading) : print_human(*listing, settings);
  tell_rest(*listing, options, settings);
  return kDone;
}

}  // namespace

void add_log(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add(
      "log",
      "List the sessions of the last 30 days",
      ".\nNewest first, one line a session, times in UTC; without temporary and test sessions.");
  command.flag("--all", options->all, "All of them, also temporary, test and future ones");
  command.option("--since", "TIME", options->since, "From then on: a date, a time, 7d or 24h");
  command.option("--until", "TIME", options->until, "Up to then");
  command.option(
      "--project", "PROJECT", options->project, "Only of this project: its path or last part");
  add_limit_option(
      command, options->limit, 0, kMostListed, "At most so many; 0: all (on a terminal 100)");
  command.flag("--fresh", options->fresh, "Also look whether the index is up to date");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_log(*options, settings); };
  });
}

}  // namespace daybook::cli

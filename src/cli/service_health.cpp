// SPDX-License-Identifier: MIT
#include "cli/service_health.hpp"

#include "cli/session_json.hpp"
#include "daybook/host/answer_socket.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <type_traits>

namespace daybook::cli {
namespace {

using daemon::Health;
using daemon::State;
using nlohmann::ordered_json;

constexpr std::array kStates{State::starting,
                             State::watching,
                             State::working,
                             State::retrying,
                             State::away,
                             State::stopping};

/// Calls `visit(name, member)` for every field that is a plain number or text, in both directions.
template <typename HealthType, typename Visit>
void visit_plain_fields(HealthType& health, const Visit& visit) {
  visit("pid", health.pid);
  visit("backend", health.backend);
  visit("trouble", health.trouble);
  visit("folders", health.folders);
  visit("folders_watched", health.folders_watched);
  visit("queue", health.queue);
  visit("generation", health.generation);
  visit("last_sweep_seconds", health.last_sweep_seconds);
  visit("sweep_interval_seconds", health.sweep_interval_seconds);
  visit("events", health.events);
  visit("narrow_passes", health.narrow_passes);
  visit("sweeps", health.sweeps);
  visit("rescans", health.rescans);
  visit("overflows", health.overflows);
  visit("deaf", health.deaf);
  visit("rewatches", health.rewatches);
  visit("publications", health.publications);
  visit("failures", health.failures);
  visit("files_done", health.files_done);
  visit("files_total", health.files_total);
  visit("last_error", health.last_error);
  visit("degraded", health.degraded);
}

template <typename HealthType, typename Visit>
void visit_times(HealthType& health, const Visit& visit) {
  visit("started", health.started);
  visit("last_event", health.last_event);
  visit("last_sweep", health.last_sweep);
  visit("last_publication", health.last_publication);
}

/// Only as what it is: a number that is too large for an integer is read as one with a fraction,
/// and to make an integer of that is undefined.
template <typename Value>
bool read_into(const ordered_json& json, Value& value) {
  if constexpr (std::is_unsigned_v<Value>) {
    if (!json.is_number_unsigned()) {
      return false;
    }
  } else if constexpr (std::is_integral_v<Value>) {
    if (!json.is_number_integer()) {
      return false;
    }
  }
  json.get_to(value);
  return true;
}

}  // namespace

std::string socket_path(const state::StateFolder& folder) { return folder.file("service.sock"); }

Json health_json(const Health& health) {
  Json json = Json::object({{"state", daemon::to_string(health.state)}});
  visit_plain_fields(health, [&json](const char* name, const auto& value) { json[name] = value; });
  visit_times(health,
              [&json](const char* name, const auto& time) { json[name] = time_or_null(time); });
  return json;
}

std::string health_text(const Health& health) { return health_json(health).compact(); }

std::optional<Health> health_from_text(const std::string& text) {
  const auto json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) {
    return std::nullopt;
  }
  Health health;
  bool understood = true;
  try {
    const std::string state = json.at("state").get<std::string>();
    for (const State candidate : kStates) {
      health.state = daemon::to_string(candidate) == state ? candidate : health.state;
    }
    visit_plain_fields(health, [&](const char* name, auto& value) {
      understood = read_into(json.at(name), value) && understood;
    });
    visit_times(health, [&json](const char* name, std::optional<lineage::Timestamp>& time) {
      if (json.at(name).is_string()) {
        time = lineage::parse_timestamp(json.at(name).get<std::string>());
      }
    });
  } catch (const ordered_json::exception&) {
    return std::nullopt;  // another version answers
  }
  return understood ? std::optional(health) : std::nullopt;
}

std::optional<Health> ask_health(const state::StateFolder& folder) {
  const auto answer = host::ask_socket(socket_path(folder), std::chrono::seconds(2));
  return answer ? health_from_text(*answer) : std::nullopt;
}

}  // namespace daybook::cli

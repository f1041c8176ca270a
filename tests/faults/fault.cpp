// SPDX-License-Identifier: MIT
#include "faults/fault.hpp"

#include "daybook/base/atomic_file.hpp"

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace daybook::faults {
namespace {

const char* name_of(FaultMode mode) {
  switch (mode) {
    case FaultMode::count:
      return "count";
    case FaultMode::kill_before:
      return "kill-before";
    case FaultMode::kill_after:
      return "kill-after";
    case FaultMode::fail_once:
      return "fail-once";
    case FaultMode::fail_ever:
      return "fail-ever";
    case FaultMode::short_write:
      return "short-write";
    case FaultMode::none:
      break;
  }
  return "none";
}

/// Random names count as one.
std::string site_of(const Call& call) {
  const std::size_t slash = call.path.rfind('/');
  const std::string name = call.path.substr(slash + 1);
  const bool random = base::is_temporary_name(name) || name.find("etilqs") != std::string::npos;
  return call.kind + " " + (random ? call.path.substr(0, slash) + "/temporary" : call.path);
}

}  // namespace

std::string Fault::to_text() const {
  std::string text = std::string(name_of(mode)) + " " + std::to_string(at);
  if (error != 0) {
    text.append(", ").append(::strerrorname_np(error));
  }
  return text;
}

std::vector<std::string> fault_environment(const Fault& fault,
                                           const std::vector<std::string>& roots,
                                           const std::string& log) {
  if (fault.mode == FaultMode::none) {
    return {};
  }
  std::string joined;
  for (const std::string& root : roots) {
    joined.append(joined.empty() ? "" : ":").append(root);
  }
  return {std::string("LD_PRELOAD=") + DAYBOOK_FAULT_SHIM,
          // The shim stands before the sanitizer's library, which is no matter: it is plain code.
          "ASAN_OPTIONS=verify_asan_link_order=0:exitcode=99",
          "FAULT_ROOTS=" + joined,
          "FAULT_PATH=" + fault.path,
          "FAULT_LOG=" + log,
          "FAULT_MIRROR=" + fault.mirror,
          std::string("FAULT_MODE=") + name_of(fault.mode),
          "FAULT_AT=" + std::to_string(fault.at),
          "FAULT_ERRNO=" + std::to_string(fault.error),
          std::string("FAULT_CALLS=") + (fault.calls == FaultCalls::opens ? "opens" : "changes")};
}

std::vector<Call> read_calls(const std::string& log) {
  std::vector<Call> calls;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Call call;
    words >> call.number >> call.kind;
    std::getline(words >> std::ws, call.path);
    calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<Call> sites(const std::vector<Call>& calls) {
  std::vector<Call> found;
  std::set<std::string> seen;
  for (const Call& call : calls) {
    if (seen.insert(site_of(call)).second) {
      found.push_back(call);
    }
  }
  return found;
}

std::vector<Call> evenly(const std::vector<Call>& calls, std::size_t most) {
  if (calls.size() <= most) {
    return calls;
  }
  std::vector<Call> chosen;
  for (std::size_t i = 0; i < most; ++i) {
    chosen.push_back(calls[i * calls.size() / most]);
  }
  return chosen;
}

}  // namespace daybook::faults

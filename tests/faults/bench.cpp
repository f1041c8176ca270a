// SPDX-License-Identifier: MIT
#include "faults/bench.hpp"

#include "daybook/base/sha256.hpp"
#include "faults/vault_end.hpp"
#include "support/text_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

namespace daybook::faults {
namespace {

namespace fs = std::filesystem;

/// Of one file among many: which, and why.
const std::regex kTellingFailure(R"(daybook: not imported: \S+: \S)");

constexpr const char* kNow = "2026-03-30T12:00:00.000Z";
/// One of these is in every text that an operation writes.
constexpr const char* kAnyWord = "the OR session OR mend OR tide";

/// With the files' times, by which an import knows what it has read.
void copy_folder(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  for (const fs::path& file : files_below(from.string())) {
    fs::last_write_time(to / file.lexically_relative(from), fs::last_write_time(file));
  }
}

/// A manifest's revision tells how many publications there were, and who stops on the way has more.
std::string without_revision(const std::string& note) {
  static const std::regex kLine(R"((^|\n)revision: \d+\n)");
  return std::regex_replace(note, kLine, "$1");
}

/// Session token, or id of what was learned -> its lines in the list of files that an end begins
/// with.
std::map<std::string, std::set<std::string>> sessions_of(const std::string& end) {
  static const std::regex kName(R"(^memory/[^ ]+--([a-z2-7]{16})--[a-z]+\.md [0-9a-f]+$)");
  static const std::regex kLearned(R"(^memory/learnings/(\d+)-[^ ]+\.md [0-9a-f]+$)");
  std::map<std::string, std::set<std::string>> sessions;
  for (const std::string& line : support::lines_of(end)) {
    if (std::smatch match;
        std::regex_match(line, match, kName) || std::regex_match(line, match, kLearned)) {
      sessions[match[1]].insert(line);
    }
  }
  return sessions;
}

}  // namespace

Bench::Bench(const Operation& operation) : operation_(operation) {
  fs::create_directories(vault() + "/memory");
  place_.write("input", operation_.input);
  operation_.prepare(*this);
  copy_folder(place_.at("live"), place_.at("image"));
  before_ = undisturbed_end();
  restore();
  const auto done = operate({});
  if (done.exit_code != 0) {
    throw std::runtime_error(operation_.name + " fails without a fault: " + ending(done));
  }
  after_ = undisturbed_end();
}

std::string Bench::undisturbed_end() const {
  const auto recovered = recover();
  if (recovered.exit_code != 0) {
    throw std::runtime_error(operation_.name + ": a pass fails: " + ending(recovered));
  }
  return end(state());
}

void Bench::restore() const {
  copy_folder(place_.at("image"), place_.at("live"));
  if (operation_.begin) {
    operation_.begin(*this);
  }
}

support::Program Bench::daybook(const std::string& state,
                                const std::vector<std::string>& arguments) const {
  support::Program program;
  program.folder = place_.at("live");
  program.command = {DAYBOOK_BINARY, "--workspace", vault(), "--state-dir", state, "--now", kNow};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  return program;
}

support::ProgramOutcome Bench::run(const std::vector<std::string>& arguments,
                                   const Fault& fault,
                                   const std::string& input) const {
  support::Program program = daybook(state(), arguments);
  program.environment = fault_environment(
      fault, {place_.at("live")}, fault.mode == FaultMode::count ? place_.at("calls") : "");
  if (!input.empty()) {
    program.stdin_file = input;
  }
  return support::run(program);
}

support::ProgramOutcome Bench::operate(const Fault& fault) const {
  return run(operation_.arguments, fault, place_.at("input"));
}

support::ProgramOutcome Bench::recover(const Fault& fault) const { return run({"reindex"}, fault); }

std::string Bench::end(const std::string& state) const {
  std::string text;
  for (const fs::path& file : files_below(vault())) {
    const std::string bytes =
        operation_.parts == Parts::none ? bytes_of(file) : without_revision(bytes_of(file));
    text += file.lexically_relative(vault()).string() + " " +
            base::to_hex(base::sha256(bytes)).substr(0, 16) + "\n";
  }
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"--json", "log", "--all"},
        {"--json", "check"},
        {"--json", "search", kAnyWord}}) {
    text += without_counters(support::run(daybook(state, question)).out);
  }
  return text;
}

std::vector<Call> Bench::calls(FaultCalls which) const {
  restore();
  fs::remove(place_.at("calls"));
  operate({FaultMode::count, 0, 0, which});
  return read_calls(place_.at("calls"));
}

std::vector<Call> Bench::calls_of_recovery(const Fault& fault) const {
  restore();
  operate(fault);
  fs::remove(place_.at("calls"));
  recover({FaultMode::count});
  return read_calls(place_.at("calls"));
}

support::ProgramOutcome Bench::answer_to(const Fault& fault) const {
  restore();
  return operate(fault);
}

void Bench::judge(bool must_be_done, Complaints& complaints) const {
  const auto recovered = recover();
  if (recovered.exit_code != 0) {
    complaints.push_back("C: the pass afterwards fails, " + ending(recovered));
  }
  const auto treated = run({"doctor", "--fix"});
  if (treated.exit_code != 0 && treated.exit_code != 1) {  // 1: it has found something else
    complaints.push_back("C: the doctor fails, " + ending(treated));
  }
  const std::string seen = end(state());
  const bool done = seen == after_;
  if (must_be_done && !done) {
    complaints.push_back("L: acknowledged, but not there:" + difference(seen, after_));
  } else if (operation_.parts == Parts::sessions) {
    judge_parts(seen, complaints);
  } else if (!done && seen != before_) {
    complaints.push_back(
        "A: neither as before nor as after.\n  against before:" + difference(seen, before_) +
        "\n  against after:" + difference(seen, after_));
  }
  judge_bytes(done, complaints);
  judge_kept(complaints);
  judge_rebuild(seen, complaints);
}

void Bench::judge_parts(const std::string& seen, Complaints& complaints) const {
  const auto there = sessions_of(seen);
  const auto before = sessions_of(before_);
  const auto after = sessions_of(after_);
  for (const auto& [token, files] : before) {
    if (!there.contains(token)) {
      complaints.push_back("A: a session is gone: " + token);
    }
  }
  for (const auto& [token, files] : there) {
    const auto as_after = after.find(token);
    if (as_after == after.end() || files != as_after->second) {
      std::string text = "A: a session is not as it is at the end:";
      for (const std::string& line : files) {
        text += "\n    + " + line;
      }
      complaints.push_back(text);
    }
  }
}

void Bench::judge_rerun(Complaints& complaints) const {
  const auto again = operate({});
  if (again.exit_code != 0) {
    complaints.push_back("L: carried out once more it fails, " + ending(again));
  }
  judge(true, complaints);
}

void Bench::judge_bytes(bool done, Complaints& complaints) const {
  for (const fs::path& file : files_below(place_.at("live"))) {
    if (is_leftover(file.filename().string()) || file.extension() == ".capture") {
      complaints.push_back("A: left over: " + file.string());
    }
    if (!done || operation_.forbidden.empty()) {
      continue;
    }
    const std::string bytes = bytes_of(file);
    for (const std::string& text : operation_.forbidden) {
      if (bytes.find(text) != std::string::npos) {
        complaints.push_back("T: '" + text + "' is still in " + file.string());
      }
    }
  }
}

void Bench::judge_kept(Complaints& complaints) const {
  const std::vector<fs::path> files = files_below(place_.at("live"));
  for (const std::string& text : operation_.kept) {
    if (std::none_of(files.begin(), files.end(), [&text](const fs::path& file) {
          return bytes_of(file).find(text) != std::string::npos;
        })) {
      complaints.push_back("L: '" + text + "' is nowhere any more");
    }
  }
}

void Bench::judge_rebuild(const std::string& seen, Complaints& complaints) const {
  // What files cannot model stays; everything that is derived is made from nothing.
  const std::string fresh = place_.at("live/rebuilt");
  fs::remove_all(fresh);
  fs::create_directory(fresh);
  for (const fs::path& file : files_below(state())) {
    const std::string name = file.filename().string();
    if (name.starts_with("state.db") || name == "workspace.json") {
      fs::copy_file(file, fs::path(fresh) / name);
    }
  }
  const auto rebuilt = support::run(daybook(fresh, {"reindex", "--full"}));
  if (rebuilt.exit_code != 0) {
    complaints.push_back("C: the rebuild fails, " + ending(rebuilt));
  } else if (const std::string expected = end(fresh); expected != seen) {
    complaints.push_back("C: a rebuild gives something else:" + difference(seen, expected));
  }
}

Complaints Bench::killed(const Fault& fault) const {
  Complaints complaints;
  restore();
  const auto outcome = operate(fault);
  if (outcome.exit_code != kKilled && outcome.exit_code != 0) {
    complaints.push_back("it ended otherwise, " + ending(outcome));
  }
  judge(outcome.exit_code == 0, complaints);
  if (operation_.parts == Parts::sessions) {
    judge_rerun(complaints);
  }
  return complaints;
}

Complaints Bench::halfway(const Fault& fault, const std::string& state) const {
  Complaints complaints;
  restore();
  if (const auto outcome = operate(fault); outcome.exit_code != kKilled) {
    return {"it was not cut off, " + ending(outcome)};
  }
  const std::string status = run({"--json", "status"}).out;
  if (status.find("\"" + state + "\"") == std::string::npos) {
    complaints.push_back("E: status does not call it " + state + ": " + status);
  }
  judge(true, complaints);
  judge_restart(complaints);
  return complaints;
}

void Bench::judge_restart(Complaints& complaints) const {
  const auto snapshot = [this] {
    std::string text = end(state());
    for (const fs::path& file : files_below(vault())) {
      text += file.string() + " " +
              std::to_string(fs::last_write_time(file).time_since_epoch().count()) + "\n";
    }
    return text;
  };
  const std::string first = snapshot();
  if (const auto again = recover(); again.exit_code != 0) {
    complaints.push_back("C: a second restart fails, " + ending(again));
  }
  if (const std::string second = snapshot(); second != first) {
    complaints.push_back("C: a second restart changes something:" + difference(second, first));
  }
}

Complaints Bench::killed_twice(const Fault& fault, const Fault& in_recovery) const {
  Complaints complaints;
  restore();
  const auto outcome = operate(fault);
  const auto recovered = recover(in_recovery);
  if (recovered.exit_code != kKilled && recovered.exit_code != 0) {
    complaints.push_back("the pass ended otherwise, " + ending(recovered));
  }
  judge(outcome.exit_code == 0, complaints);
  if (operation_.parts == Parts::sessions) {
    judge_rerun(complaints);
  }
  return complaints;
}

Complaints Bench::powerless(Fault fault, Survivors survivors) const {
  Complaints complaints;
  restore();
  const DurableDisk disk(place_.at("live"), place_.at("mirror"));
  fault.mirror = disk.mirror();
  const auto outcome = operate(fault);
  if (outcome.exit_code != kKilled && outcome.exit_code != 0) {
    complaints.push_back("it ended otherwise, " + ending(outcome));
  }
  const bool answered = outcome.exit_code == 0;
  const std::string found =
      answered ? search_called_whole(disk.mirror(), complaints) : std::string();
  if (answered && operation_.makes_text && found.empty()) {
    complaints.push_back("E: the full text was not made, and the trial says nothing about it");
  }
  disk.lose_power(survivors);
  if (answered) {
    judge_first_search(found, complaints);
  }
  judge(answered, complaints);
  for (const fs::path& file : files_below(state())) {
    if (file.filename().string().find(".set-aside-") != std::string::npos) {
      complaints.push_back("L: a database did not survive: " + file.filename().string());
    }
  }
  if (operation_.parts == Parts::sessions) {
    judge_rerun(complaints);
  }
  return complaints;
}

std::string Bench::search_called_whole(const std::string& mirror, Complaints& complaints) const {
  Fault fault{FaultMode::count};
  fault.mirror = mirror;
  const auto outcome = run({"--json", "search", "--limit", "100", kAnyWord}, fault);
  if (outcome.signal != 0 || outcome.exit_code == 99) {
    complaints.push_back("E: a search crashed, " + ending(outcome));
  }
  // Without an index it says that, and what to do; with one it may say that it is behind.
  const bool answers =
      outcome.exit_code == 0 && outcome.out.find("\"fresh\": false") == std::string::npos;
  return answers ? without_counters(outcome.out) : std::string();
}

void Bench::judge_first_search(const std::string& found, Complaints& complaints) const {
  const std::string now = search_called_whole("", complaints);
  if (!found.empty() && !now.empty() && now != found) {
    complaints.push_back("L: a search no longer finds what it found, and does not say so:" +
                         difference(now, found));
  }
}

Complaints Bench::refused(const Fault& fault) const {
  Complaints complaints;
  restore();
  const auto outcome = operate(fault);
  if (outcome.signal != 0 || outcome.exit_code == 99) {
    complaints.push_back("E: it crashed, " + ending(outcome));
  } else if (outcome.exit_code != 0) {
    if (!is_telling(outcome.err) &&
        !(operation_.parts == Parts::sessions && std::regex_search(outcome.err, kTellingFailure))) {
      complaints.push_back("E: the error does not say where, or what to do, " + ending(outcome));
    }
    const auto again = operate({});
    if (again.exit_code != 0 && again.exit_code != operation_.code_when_done) {
      complaints.push_back("E: it fails although the trouble is over, " + ending(again));
    }
  }
  judge(true, complaints);
  return complaints;
}

}  // namespace daybook::faults

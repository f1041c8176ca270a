// SPDX-License-Identifier: MIT
//
// A session is removed, its text is brought back in one of nineteen ways, and then the vault is
// indexed again: plainly, after a pass that crashed, with an older state folder, or without
// databases. The text must not come back into rows, searches, MEMORY.md or any byte of the state
// folder. A number holds way and circumstance; those from 76 on are the same in other vaults.
#include "faults/fault.hpp"
#include "gauntlet/random_vault.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/recapture.hpp"
#include "support/program.hpp"

#include <filesystem>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;
using service::Extent;
using support::SessionFiles;

// FTS5 stores a word without what it shares with the one before: this one shares nothing.
constexpr const char* kSecret = "xenolithword";

constexpr const char* kSaid = "Where is the xenolithword of the harbour gate, and who has told it?";

enum class Circumstance : std::uint8_t { reindex, crash, restore, no_databases };
constexpr std::uint64_t kWays = 19;
constexpr std::uint64_t kCircumstances = 4;

SessionFiles secret_session() {
  SessionFiles session("default", "secret", "2026-03-20T10:00:00.000Z");
  for (const Kind kind : {Kind::summary, Kind::transcript}) {
    session.file(kind).fields.set_text(
        "memory_sentence",
        "Stored the xenolithword of the harbour gate in src/gate/secret.cpp of tidewater, and then "
        "rotated it at once.");
    session.file(kind).body = "# The gate\n\nThe xenolithword of the " +
                              std::string(to_string(kind)) +
                              " is told here, in a body that is long enough to be named.\n";
  }
  session.set_everywhere("project", "\"/home/dev/xenolithword-project\"");
  session.set_everywhere("harness", "\"xenolithword-harness\"");
  return session;
}

std::string with_crlf(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result.append(c == '\n' ? "\r\n" : std::string(1, c));
  }
  return result;
}

std::string in_capitals(std::string text) {
  for (char& c : text) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return text;
}

/// Its fields are those of a session that there never was.
std::string of_nobody(std::string text) {
  for (const char* key : {"\nsession_key: ", "\nsession_id: "}) {
    const std::size_t begin = text.find(key) + std::string_view(key).size();
    text.replace(begin, text.find('\n', begin) - begin, "\"nobody\"");
  }
  return text;
}

/// Empty: there is none.
std::string tombstone_of(const support::IndexedVault& vault) {
  for (const auto& entry : fs::directory_iterator(vault.at("memory"))) {
    if (entry.path().string().ends_with(secret_session().token() + "--tombstone.md")) {
      return "memory/" + entry.path().filename().string();
    }
  }
  return {};
}

class Bypass {
 public:
  explicit Bypass(std::uint64_t number)
      : way_(number % kWays),
        circumstance_(static_cast<Circumstance>(number / kWays % kCircumstances)),
        vault_(number) {}

  Complaints run() {
    vault_.add(session_);
    vault_.add_sessions(static_cast<int>(1 + vault_.below(6)));
    vault_.add_notes();
    vault_.reindex();
    if (vault_.search(kSecret).empty()) {
      throw std::runtime_error("nothing is to be found before the removal");
    }
    fs::copy(vault_.folder().path(), older(), fs::copy_options::recursive);
    vault_.remove_session("secret");
    judge("after the removal");
    hints_ = bring_back();
    judge_captures();
    meet_circumstance();
    if (circumstance_ == Circumstance::reindex && vault_.one_in(2)) {
      vault_.follow(hints_);
    }
    vault_.reindex();
    judge("after a pass");
    vault_.reindex(Extent::everything);
    judge("after a rebuild");
    vault_.use_state("another-device");  // which has nothing but the vault
    vault_.reindex();
    judge("on another device");
    return complaints_;
  }

 private:
  [[nodiscard]] std::string older() const { return vault_.place().at("older"); }
  [[nodiscard]] bool takes_the_tombstone() const { return way_ == 9; }
  [[nodiscard]] bool captures() const { return way_ >= 15 && way_ <= 17; }

  std::vector<std::string> write(const std::string& path, const std::string& bytes) {
    vault_.write(path, bytes);
    return {path};
  }

  /// The paths at which something of it stands now.
  std::vector<std::string> bring_back() {
    const std::string summary = session_.text(Kind::summary);
    std::string text = session_.text(Kind::transcript);
    switch (way_) {
      case 0:  // as it was, from git
        vault_.add(session_);
        return {session_.summary.path(), session_.transcript.path(), session_.manifest.path()};
      case 1:
        return write("memory/My own note.md", summary);
      case 2:
        return write("memory/" + session_.summary.name + " copy.md", summary);
      case 3:
        return write("memory/2026-03-22T10-00-00.000Z--abcdefghijklmnop--summary.md", summary);
      case 4: {
        SessionFiles forged("default", "forged", "2026-03-22T10:00:00.000Z");
        forged.summary.body = session_.summary.body;
        forged.transcript.body = session_.transcript.body;
        vault_.add(forged);
        return {forged.summary.path(), forged.transcript.path(), forged.manifest.path()};
      }
      case 5: {
        std::string edited = summary;
        edited.replace(edited.find("harness: "), 9, "harness: another-one #");
        return write(vault_.one_in(2) ? session_.summary.path() : "memory/edited.md", edited);
      }
      case 6:
        return write("memory/edited.md", summary + "\nAnd more.\n");
      case 7:
        return write("memory/archive/2026/" + session_.summary.name, summary);
      case 8: {
        const std::string& name = session_.summary.name;
        return write("memory/" + in_capitals(name.substr(0, name.size() - 3)) + ".md", summary);
      }
      case 9:
        vault_.add(session_);
        vault_.unlink(tombstone_of(vault_));
        return {session_.summary.path()};
      case 10:
        return write("memory/windows.md", with_crlf(vault_.one_in(2) ? summary : text));
      case 11:
        return under_another_key();
      case 12:  // neither name nor body are known: only the fields say whose it is
        return write("memory/2026-03-22T10-00-00.000Z--abcdefghijklmnop--summary.md",
                     summary + "\nAnd more.\n");
      case 13:  // the name alone
        return write(session_.summary.path(), of_nobody(summary) + "\nAnd more.\n");
      case 14:
        return at_a_removed_path();
      case 15:
        capture_again(vault_, "secret", "run-secret", kSaid);
        return {};
      case 16:
        hook_again(vault_, "run-secret", kSaid);
        return {};
      case 17:
        remove_what_is_spooled(vault_, kSaid);
        return {};
      default:
        text.insert(text.rfind('\n'), "  \t");
        return write("memory/blanks.md", text + "\n\n\n");
    }
  }

  /// The same run with words added, under a key of its own: a session that is right in every
  /// respect, but for the id in its fields.
  std::vector<std::string> under_another_key() {
    SessionFiles resumed("default", "resumed", "2026-03-22T10:00:00.000Z", "run-secret");
    for (const Kind kind : {Kind::summary, Kind::transcript}) {
      resumed.file(kind).fields.set("memory_sentence",
                                    session_.file(kind).fields.get("memory_sentence"));
      resumed.file(kind).body = session_.file(kind).body + "\nAnd more.\n";
    }
    vault_.add(resumed);
    return {resumed.summary.path(), resumed.transcript.path(), resumed.manifest.path()};
  }

  /// One file of another session was removed, and other words with the same secret stand there now.
  std::vector<std::string> at_a_removed_path() {
    SessionFiles other("default", "other", "2026-03-23T10:00:00.000Z");
    other.summary.body = session_.summary.body;
    vault_.add(other);
    vault_.reindex();
    service::Decisions deciding = vault_.decisions();
    const auto plan = deciding.plan_removal(
        {capture::RemovalTarget::By::path, other.summary.path(), "default"}, "a test");
    if (!plan || !deciding.remove(*plan)) {
      throw std::runtime_error("a file cannot be removed");
    }
    vault_.reindex();
    other.summary.body += "\nAnd more.\n";
    vault_.add(other);
    return {other.summary.path()};
  }

  /// Whoever captures must not write it to the vault, or keep it for later.
  void judge_captures() {
    Complaints found;
    judge_gone(vault_, kSecret, found);
    for (const auto& [name, bytes] : bytes_below(vault_.at("memory"))) {
      if (captures() && bytes.find(kSecret) != std::string::npos) {
        found.push_back("T: '" + std::string(kSecret) + "' is in " + name + " of the vault");
      }
    }
    for (const std::string& complaint : found) {
      complaints_.push_back(complaint + ", when it was brought back");
    }
  }

  void meet_circumstance() {
    switch (circumstance_) {
      case Circumstance::reindex:
        return;
      case Circumstance::crash:
        crash();
        return;
      case Circumstance::restore:
        restore();
        return;
      case Circumstance::no_databases:
        delete_databases();
        return;
    }
  }

  /// The program itself, ended at one of the first calls by which files change.
  void crash() {
    support::Program program;
    program.command = {DAYBOOK_BINARY,
                       "--workspace",
                       vault_.workspace(),
                       "--state-dir",
                       vault_.folder().path(),
                       "--now",
                       lineage::to_string({support::kTestNow}),
                       "reindex"};
    const faults::Fault fault{faults::FaultMode::kill_before,
                              static_cast<int>(1 + vault_.below(60))};
    program.environment = faults::fault_environment(fault, {vault_.place().path().string()}, "");
    support::run(program);
  }

  /// As a backup brings it back, with everything that it knew. Where nothing in the vault tells of
  /// the removal any more, what does tell of it is left.
  void restore() {
    const std::string kept = vault_.place().at("kept.db");
    if (takes_the_tombstone()) {
      fs::copy_file(vault_.folder().file("state.db"), kept);
    }
    const std::string state = vault_.folder().path();
    fs::remove_all(state);
    fs::copy(older(), state, fs::copy_options::recursive);
    if (takes_the_tombstone()) {
      vault_.delete_state_file("state.db");
      fs::rename(kept, vault_.folder().file("state.db"));
    }
    vault_.use_state("state");
  }

  void delete_databases() {
    vault_.delete_state_file("index.db");
    vault_.delete_state_file("lease.db");
    if (!takes_the_tombstone()) {
      vault_.delete_state_file("state.db");
    }
    if (vault_.one_in(2)) {
      fs::remove_all(vault_.folder().file("text"));
    }
  }

  void judge(const std::string& when) {
    Complaints found;
    judge_gone(vault_, kSecret, found);
    if (vault_.memory_md().find("session=secret") != std::string::npos) {
      found.emplace_back("T: MEMORY.md names the session");
    }
    const std::string tombstone = tombstone_of(vault_);
    if (tombstone.empty()) {
      found.emplace_back("T: the vault tells nobody of the removal any more");
    } else if (vault_.read(tombstone).find(kSecret) != std::string::npos) {
      found.emplace_back("T: the tombstone quotes the text");
    }
    for (const std::string& complaint : found) {
      complaints_.push_back(complaint + ", " + when);
    }
  }

  std::uint64_t way_;
  Circumstance circumstance_;
  RandomVault vault_;
  SessionFiles session_ = secret_session();
  std::vector<std::string> hints_;
  Complaints complaints_;
};

}  // namespace

Row bypass() {
  return {"bypass",
          "removed text is brought back",
          "T",
          kWays * kCircumstances,
          100 * kWays * kCircumstances,
          each([](std::uint64_t number) { return Bypass(number).run(); }),
          Place::memory};
}

}  // namespace daybook::gauntlet

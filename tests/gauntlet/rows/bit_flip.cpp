// SPDX-License-Identifier: MIT
//
// One bit or one edit in a file of a captured session: in the body or the frontmatter of an
// artifact, or in what its manifest says of whose session it is, which files it has and their
// seals. (The rest of a manifest is for people and tools to change.) It is found, with the index,
// with the state or with neither at hand, and stays found whatever is done afterwards, until the
// old bytes are back.
#include "daybook/base/disk.hpp"
#include "daybook/capture/capture.hpp"
#include "gauntlet/random_vault.hpp"
#include "gauntlet/rows.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace daybook::gauntlet {
namespace {

constexpr std::array kTellingFields{"\nkind: ",
                                    "\nagent_id: ",
                                    "\nsession_id: ",
                                    "\ncaptured_at: ",
                                    "\nsummary_path: ",
                                    "\ntranscript_path: ",
                                    "\nsummary_sha256: ",
                                    "\ntranscript_sha256: "};

/// What a seal does not see: line ends and a byte order mark.
std::string sealed_form(std::string bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.erase(0, 3);
  }
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r' || i + 1 == bytes.size() || bytes[i + 1] != '\n') {
      text += bytes[i];
    }
  }
  return text;
}

class BitFlip {
 public:
  explicit BitFlip(std::uint64_t number) : vault_(number) {}

  Complaints run() {
    prepare();
    change();
    lose_databases();
    pass();
    expect_found("by the next pass");
    vault_.reindex(service::Extent::everything);
    expect_found("by a rebuild");
    capture(said_ + "\nUser: and then?\n", 2'333);
    vault_.reindex();
    expect_found("after the session went on");
    vault_.treat();
    expect_found("after doctor --fix");
    vault_.delete_state_file("index.db");
    vault_.reindex();
    expect_found("after the index was deleted");
    vault_.write(path_, original_);
    vault_.reindex();
    // A session that goes on rewrites its manifest, which the old bytes then undo.
    if (!is_manifest_ && !vault_.codes(path_).empty()) {
      complaints_.push_back("C: the old bytes are back, and it is still complained of: " +
                            vault_.messages(path_));
    }
    return complaints_;
  }

 private:
  capture::CaptureResult capture(const std::string& said, std::int64_t later) {
    state::StateDb state = vault_.open_state();
    capture::SessionEnd end;
    end.session.session_id = "run-1";
    end.session.project = "/home/dev/tidewater";
    end.session.harness = "codex";
    end.transcript = [said](const canon::TakePiece& take) { return take(said); };
    const redact::Policy policy;
    auto result = capture::end_session(
        {base::real_disk(), vault_.folder(), state, policy, nullptr, {support::kTestNow + later}},
        end);
    if (!result) {
      // One whose manifest is broken stays in the spool, which is right.
      return {};
    }
    return std::move(result).value();
  }

  void prepare() {
    vault_.add_sessions(static_cast<int>(vault_.below(4)));
    said_ = "User: Please mend src/tide.cpp.\n\nAssistant: " + vault_.prose(20 + vault_.below(300));
    const capture::CaptureResult made = capture(said_, 0);
    vault_.set_now(support::kTestNow + 10'000);
    vault_.reindex();
    vault_.reindex();
    const std::vector<std::string> paths = made.paths();
    path_ = vault_.one_of(paths);
    is_manifest_ = path_ == made.manifest_path;
    original_ = vault_.read(path_);
    family_ = {paths.begin(), paths.end()};
    if (!vault_.codes(path_).empty()) {
      throw std::runtime_error("there is a finding before the change");
    }
  }

  /// Where a change must be found.
  std::size_t place() {
    if (is_manifest_) {
      std::size_t at = std::string::npos;
      while (at == std::string::npos) {
        at = original_.find(kTellingFields.at(vault_.below(kTellingFields.size())));
      }
      const std::size_t begin = at + 1;
      return begin + vault_.below(original_.find('\n', begin) - begin);
    }
    const std::size_t body = original_.find("\n---\n") + 5;
    return vault_.one_in(2) ? body + vault_.below(original_.size() - body) : vault_.below(body);
  }

  void change() {
    std::string bytes = original_;
    do {
      bytes = original_;
      const std::size_t at = place();
      switch (vault_.below(5)) {
        case 0:
          bytes.insert(at, "x");
          break;
        case 1:
          bytes.erase(at, 1);
          break;
        case 2:
          bytes.resize(is_manifest_ ? at : bytes.size() - 1);
          break;
        default:
          bytes[at] =
              static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << vault_.below(8)));
          break;
      }
    } while (sealed_form(bytes) == sealed_form(original_));
    vault_.write(path_, bytes);
  }

  void lose_databases() {
    const std::uint64_t which = vault_.below(4);
    if ((which & 1U) != 0) {
      vault_.delete_state_file("index.db");
    }
    if ((which & 2U) != 0) {
      vault_.delete_state_file("state.db");
    }
  }

  void pass() {
    if (vault_.one_in(2)) {
      vault_.follow({path_});
    } else {
      vault_.reindex();
    }
  }

  /// A finding that invalidates, at the file itself; of a manifest, also at a file that it names.
  void expect_found(const std::string& when) {
    for (const std::string& path : is_manifest_ ? family_ : std::vector<std::string>{path_}) {
      if (!vault_.codes(path).empty()) {
        return;
      }
    }
    std::string differs;
    const std::string bytes = vault_.read(path_);
    for (std::size_t i = 0; i < std::max(bytes.size(), original_.size()) && differs.empty(); ++i) {
      if (i >= bytes.size() || i >= original_.size() || bytes[i] != original_[i]) {
        differs = "'" + original_.substr(i < 20 ? 0 : i - 20, 40) + "' -> '" +
                  bytes.substr(i < 20 ? 0 : i - 20, 40) + "'";
      }
    }
    complaints_.push_back("L: a change is not found " + when + ": " + path_ + ": " + differs);
  }

  RandomVault vault_;
  std::string said_;
  std::string path_;
  bool is_manifest_ = false;
  std::string original_;
  std::vector<std::string> family_;
  Complaints complaints_;
};

}  // namespace

Row bit_flip() {
  return {"bit-flip",
          "one bit or edit in a file after its commit",
          "L C",
          50,
          2000,
          each([](std::uint64_t number) { return BitFlip(number).run(); }),
          Place::memory};
}

}  // namespace daybook::gauntlet

// SPDX-License-Identifier: MIT
// A generated vault is the same on every machine and breaks no rule of the contract.
#include "vault_generator.hpp"

#include "daybook/base/sha256.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/noise.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "daybook/lineage/session_token.hpp"
#include "vocabulary.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::bench {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "daybook-vault-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

using Vault = std::map<std::string, std::string>;  // workspace-relative path -> bytes

Vault read_vault(const std::string& workspace) {
  Vault vault;
  for (const auto& entry : fs::recursive_directory_iterator{workspace}) {
    if (entry.is_regular_file()) {
      std::ifstream stream{entry.path(), std::ios::binary};
      vault[entry.path().lexically_relative(workspace).generic_string()] =
          std::string{std::istreambuf_iterator<char>{stream}, {}};
    }
  }
  return vault;
}

std::pair<Vault, VaultReport> make(const VaultPlan& plan) {
  const TemporaryFolder folder;
  auto report = generate_vault(plan, folder.path());
  REQUIRE(report.ok());
  return {read_vault(folder.path()), std::move(report).value()};
}

std::string fingerprint(const Vault& vault) {
  base::Sha256 sha;
  for (const auto& [path, bytes] : vault) {
    sha.update(path + '\n');
    sha.update(base::to_hex(base::sha256(bytes)) + '\n');
  }
  return base::to_hex(sha.finish());
}

/// Small, but with everything in it.
VaultPlan small_plan() {
  VaultPlan plan;
  plan.sessions = 120;
  plan.agents = 3;
  plan.resumed = 0.2;
  plan.compactions = 0.3;
  plan.noise = 0.1;
  plan.linked = 0.5;
  plan.transcript_bytes = 800;
  return plan;
}

// --- a file, read with as little as will do, independently of the parse stage
// ---------------------

struct Note {
  std::map<std::string, std::string> fields;  // null is absent
  std::map<std::string, std::vector<std::string>> lists;
  std::string body;
};

std::string unquoted(std::string_view value) {
  if (!value.starts_with('"')) {
    return std::string{value};
  }
  std::string text;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    i += value[i] == '\\' ? 1U : 0U;
    text += value[i];
  }
  return text;
}

Note read_note(std::string_view bytes) {
  Note note;
  REQUIRE(bytes.starts_with("---\n"));
  const std::size_t end = bytes.find("\n---\n");
  REQUIRE(end != std::string_view::npos);
  note.body = bytes.substr(end + 5);
  std::string_view front = bytes.substr(4, end - 3);
  std::string key;
  while (!front.empty()) {
    const std::string_view line = front.substr(0, front.find('\n'));
    front.remove_prefix(line.size() + 1);
    if (line.starts_with("  - ")) {
      note.lists[key].push_back(unquoted(line.substr(4)));
      continue;
    }
    const std::size_t colon = line.find(':');
    key = line.substr(0, colon);
    const std::string_view value = line.substr(std::min(colon + 2, line.size()));
    if (value.empty() || value == "[]") {
      note.lists[key];
    } else if (value != "null") {
      CHECK(note.fields.emplace(key, unquoted(value)).second);
    }
  }
  return note;
}

/// Targets of the links in a text; a shell's `[[ -f x ]]` is none.
std::vector<std::string> memory_links(std::string_view body) {
  constexpr std::string_view kBegin = "[[memory/";
  std::vector<std::string> targets;
  for (std::size_t at = body.find(kBegin); at != std::string_view::npos;
       at = body.find(kBegin, at + 1)) {
    const std::string_view inside = body.substr(at + 2, body.find("]]", at) - at - 2);
    targets.emplace_back(inside.substr(0, inside.find('|')));
  }
  return targets;
}

void check_artifact(const std::string& path, const Note& note, const Vault& vault) {
  CHECK(note.fields.at("content_sha256") == base::to_hex(lineage::body_hash(note.body)));
  CHECK(note.fields.at("hash_scope") == lineage::kHashScope);
  CHECK(note.fields.contains("sanitizer_version") == (note.fields.at("kind") == "transcript"));
  CHECK(note.fields.at("memory_sentence_version") == "memory_sentence_v1");
  const std::string& sentence = note.fields.at("memory_sentence");
  CAPTURE(sentence);
  CHECK(lineage::sentence_flaws(sentence, {note.fields.at("project"), {}}).empty());
  const Note manifest = read_note(vault.at(note.fields.at("manifest_path")));
  CHECK(manifest.fields.at("session_id") == note.fields.at("session_id"));
  // The manifest names the newest of a kind, and lists the others.
  const std::string& newest = manifest.fields.at(note.fields.at("kind") + "_path");
  CHECK(path <= newest);
  CHECK((path == newest || std::ranges::count(manifest.lists.at("earlier_paths"), path) == 1));
}

void check_manifest(const Note& note, const VaultPlan& plan, const Vault& vault) {
  for (const std::string kind : {"summary", "transcript", "compaction"}) {
    const auto path = note.fields.find(kind + "_path");
    REQUIRE((path != note.fields.end() || kind == "compaction"));
    if (path != note.fields.end() && plan.form == VaultForm::daybook) {
      const base::Digest seal = lineage::file_seal(vault.at(path->second));
      CHECK(note.fields.at(kind + "_sha256") == base::to_hex(seal));
    }
  }
  CHECK(note.lists.contains("memory_md_refs"));
  CHECK(lineage::parse_timestamp(note.fields.at("updated_at")) <= plan.now);
  CHECK(std::stoul(note.fields.at("revision")) >= 1);
}

void check_note(const std::string& path, const VaultPlan& plan, const Vault& vault) {
  CAPTURE(path);
  REQUIRE(path.starts_with("memory/"));
  const lineage::NameReading reading =
      lineage::read_artifact_name(std::string_view{path}.substr(7));
  REQUIRE(reading.form == lineage::NameForm::artifact);
  CHECK(reading.canonical);
  CHECK(base::is_valid_utf8(vault.at(path)));

  const Note note = read_note(vault.at(path));
  CHECK(note.fields.at("kind") == lineage::to_string(reading.name.kind));
  CHECK(lineage::parse_timestamp(note.fields.at("captured_at")) == reading.name.captured_at);
  CHECK(reading.name.captured_at <= plan.now);
  const auto key = note.fields.find("session_key");
  const bool by_key = plan.form == VaultForm::daybook && key != note.fields.end();
  CHECK(reading.name.token ==
        lineage::SessionToken::derive(note.fields.at("agent_id"),
                                      by_key ? key->second : note.fields.at("session_id")));
  for (const std::string& target : memory_links(note.body)) {
    CAPTURE(target);
    CHECK(vault.contains(target));
  }
  if (reading.name.kind == Kind::manifest) {
    check_manifest(note, plan, vault);
  } else {
    check_artifact(path, note, vault);
  }
}

}  // namespace

TEST_CASE("the same plan gives the same vault") {
  const VaultPlan plan = small_plan();
  const std::string first = fingerprint(make(plan).first);
  CHECK(fingerprint(make(plan).first) == first);
  // On every machine. When the generator is changed on purpose, so is this line.
  CHECK(first == "2d15d86f5b360531e9eb164ce472c348fac90f529aa9ef10f48359a795664fb0");

  VaultPlan other = plan;
  other.seed = plan.seed + 1;
  CHECK(fingerprint(make(other).first) != first);
}

TEST_CASE("every generated file keeps the contract") {
  VaultPlan plan = small_plan();
  plan.form = GENERATE(VaultForm::daybook, VaultForm::signet);
  const Vault vault = make(plan).first;
  for (const auto& [path, bytes] : vault) {
    check_note(path, plan, vault);
  }
}

TEST_CASE("the report counts what is there") {
  const VaultPlan plan = small_plan();
  const auto [vault, report] = make(plan);
  std::uint64_t bytes = 0;
  std::map<Kind, std::uint32_t> of_kind;
  std::set<std::string> agents;
  std::uint32_t noise = 0;
  for (const auto& [path, text] : vault) {
    bytes += text.size();
    const Kind kind = lineage::read_artifact_name(std::string_view{path}.substr(7)).name.kind;
    ++of_kind[kind];
    const Note note = read_note(text);
    agents.insert(note.fields.at("agent_id"));
    if (kind == Kind::manifest && lineage::is_temporary_project(note.fields.at("project"))) {
      ++noise;
    }
  }
  CHECK(report.files == vault.size());
  CHECK(report.bytes == bytes);
  CHECK(report.sessions == plan.sessions);
  CHECK(of_kind[Kind::manifest] == plan.sessions);
  CHECK(of_kind[Kind::summary] == plan.sessions + report.resumed);
  CHECK(of_kind[Kind::transcript] == plan.sessions + report.resumed);
  CHECK(of_kind[Kind::compaction] == report.compactions);
  CHECK(report.noise == noise);
  CHECK(report.agents == std::vector<std::string>{"default", "agent-2", "agent-3"});
  CHECK(agents == std::set<std::string>{"default", "agent-2", "agent-3"});

  // Shares are drawn, so only near what was asked for.
  CHECK(std::abs(static_cast<int>(report.compactions) - 36) < 16);
  CHECK(std::abs(static_cast<int>(report.resumed) - 24) < 14);
}

TEST_CASE("the vocabulary is as large as real text's, and each word can be drawn") {
  const Vocabulary& vocabulary = Vocabulary::instance();
  std::set<std::string_view> drawn;
  for (std::uint32_t slot = 0; slot < (1U << Vocabulary::kSlotBits); ++slot) {
    drawn.insert(vocabulary.drawn_by(slot));
  }
  CHECK(vocabulary.size() >= 50'000);
  CHECK(drawn.size() == vocabulary.size());
}

TEST_CASE("nothing is ever overwritten") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() + "/memory");
  std::ofstream{folder.path() + "/memory/mine.md"} << "mine\n";
  const auto report = generate_vault(small_plan(), folder.path());

  REQUIRE_FALSE(report.ok());
  CHECK(report.error().kind == ErrorKind::already_exists);
  CHECK(read_vault(folder.path()) == Vault{{"memory/mine.md", "mine\n"}});
}

TEST_CASE("a plan that makes no sense is refused before anything is written") {
  const TemporaryFolder folder;
  VaultPlan plan = small_plan();
  plan.noise = 1.5;

  const auto report = generate_vault(plan, folder.path());

  REQUIRE_FALSE(report.ok());
  CHECK(report.error().kind == ErrorKind::usage);
  CHECK(read_vault(folder.path()).empty());
}

}  // namespace daybook::bench

// SPDX-License-Identifier: MIT
#include "gauntlet/rows/save_between.hpp"

#include "daybook/canon/manifest_writer.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "support/vault_builder.hpp"
#include "support/watched_disk.hpp"

#include <filesystem>
#include <fstream>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;
using support::TempFolder;

// update_manifest reads the file, and once more as its last look.
constexpr int kFirstRead = 1;
constexpr int kLastLook = 2;
constexpr const char* kLine = "\nA person's line.\n";
constexpr const char* kUpdate = "\"an update\"";

enum class Saves { by_rename, in_place };

void save(const TempFolder& folder, const std::string& name, Saves how) {
  if (how == Saves::in_place) {
    std::ofstream(folder.at(name), std::ios::app) << kLine;
    return;
  }
  folder.write("saved", folder.read(name) + kLine);
  fs::rename(folder.at("saved"), folder.at(name));
}

void try_one(const TempFolder& folder, int moment, Saves how, Complaints& complaints) {
  const std::string key = std::to_string(moment) + (how == Saves::in_place ? "-in-place" : "");
  const SessionFiles session("default", "between-" + key, "2026-03-28T22:34:06.792Z");
  session.write(folder, "between");
  const std::string name = "between/" + session.manifest.path();
  support::WatchedDisk disk([](int) {},
                            [&, saved = false](int number) mutable {
                              if (number == moment && !saved) {
                                saved = true;
                                save(folder, name, how);
                              }
                            });
  const auto outcome = canon::update_manifest(
      disk,
      {folder.at("between"), session.manifest.path(), folder.at("between-locks")},
      lineage::parse_timestamp("2026-04-01T08:00:00.000Z").value(),
      [](const auto&) { return canon::ManifestEdit().set_list("memory_md_refs", {"an update"}); });
  const std::string when = moment == kLastLook ? " after the last look" : " after the first look";
  if (!outcome) {
    complaints.push_back("E: beside a save" + when + " it fails: " + outcome.error().message);
    return;
  }
  const std::string bytes = folder.read(name);
  if (bytes.find(kLine) == std::string::npos) {
    complaints.push_back("L: what an editor saved" + when + " was overwritten");
  }
  if (bytes.find(kUpdate) == std::string::npos) {
    complaints.push_back("L: beside a save" + when + " the update is lost");
  }
}

}  // namespace

Complaints save_between(const TempFolder& folder) {
  Complaints complaints;
  for (const int moment : {kFirstRead, kLastLook}) {
    for (const Saves how : {Saves::by_rename, Saves::in_place}) {
      try_one(folder, moment, how, complaints);
    }
  }
  for (const auto& entry : fs::directory_iterator(folder.at("between/memory"))) {
    if (entry.path().string().find(".sync-conflict-") != std::string::npos) {
      complaints.push_back("A: a save that could be merged is a conflict copy: " +
                           entry.path().filename().string());
    }
  }
  return complaints;
}

}  // namespace daybook::gauntlet

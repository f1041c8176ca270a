// SPDX-License-Identifier: MIT
#include "daybook/host/service_file.hpp"

#include "daybook/host/service_spec.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

namespace daybook::host {
namespace {

using support::TempFolder;

const std::string kText = "# " + std::string(kServiceMarker) + "\nnew\n";

}  // namespace

TEST_CASE("a service file is written with its folders, and a second time not at all") {
  const TempFolder folder;
  const std::string path = folder.at("config/user/x.service");
  CHECK(write_service_file(path, kText, Foreign::refuse).value() == ServiceFileState::missing);
  CHECK(folder.read("config/user/x.service") == kText);
  const auto before = std::filesystem::last_write_time(path);
  CHECK(write_service_file(path, kText, Foreign::refuse).value() == ServiceFileState::current);
  CHECK(std::filesystem::last_write_time(path) == before);
}

TEST_CASE("an older file of Daybook's is replaced") {
  const TempFolder folder;
  folder.write("x", "# " + std::string(kServiceMarker) + "\nold\n");
  CHECK(write_service_file(folder.at("x"), kText, Foreign::refuse).value() ==
        ServiceFileState::older);
  CHECK(folder.read("x") == kText);
}

TEST_CASE("somebody else's file, or a link, is neither replaced nor removed unless overruled") {
  const TempFolder folder;
  folder.write("theirs", "[Unit]\n");
  folder.write("empty", "");
  folder.write("target", kText);
  folder.make_link("link", folder.at("target"));
  for (const char* name : {"theirs", "empty", "link"}) {
    INFO(name);
    const std::string path = folder.at(name);
    CHECK(service_file_state(path, kText).value() == ServiceFileState::foreign);
    CHECK(write_service_file(path, kText, Foreign::refuse).error().kind == ErrorKind::usage);
    CHECK(remove_service_file(path, Foreign::refuse).error().kind == ErrorKind::usage);
    CHECK(std::filesystem::exists(path));
  }
  CHECK(folder.read("theirs") == "[Unit]\n");
  CHECK(write_service_file(folder.at("link"), kText, Foreign::overrule).ok());
  CHECK_FALSE(std::filesystem::is_symlink(folder.at("link")));
  CHECK(remove_service_file(folder.at("theirs"), Foreign::overrule).ok());
  CHECK_FALSE(std::filesystem::exists(folder.at("theirs")));
}

TEST_CASE("removing a service file that is not there is no failure") {
  const TempFolder folder;
  CHECK(remove_service_file(folder.at("none"), Foreign::refuse).value() ==
        ServiceFileState::missing);
  CHECK(remove_service_file(folder.at("no/folder"), Foreign::refuse).value() ==
        ServiceFileState::missing);
  folder.write("ours", kText);
  CHECK(remove_service_file(folder.at("ours"), Foreign::refuse).value() == ServiceFileState::older);
  CHECK_FALSE(std::filesystem::exists(folder.at("ours")));
}

}  // namespace daybook::host

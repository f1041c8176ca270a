// SPDX-License-Identifier: MIT
//
// The text of the unit, and what systemd itself reads in it. systemd-analyze and systemd's own test
// mode are asked where they are; where they are not, the test says so.
#include "daybook/host/systemd_unit.hpp"

#include "support/program.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace daybook::host {
namespace {

namespace fs = std::filesystem;
using support::TempFolder;

ServiceSpec plain_spec() {
  return {"0123456789abcdef",
          "/usr/local/bin/daybook",
          "/home/dev/vault",
          "/home/dev/.local/state/daybook/0123456789abcdef",
          "/home/dev/.local/state/daybook/0123456789abcdef/watch.log"};
}

std::string golden(const std::string& name) {
  std::ifstream stream(fs::path(DAYBOOK_SOURCE_DIR) / "tests/host/golden" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string line_of(const std::string& text, const std::string& beginning) {
  const std::size_t at = text.find("\n" + beginning);
  return at == std::string::npos ? std::string()
                                 : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

/// A folder of units as systemd looks for them, with a program that can be started.
class Units {
 public:
  /// Every letter that means something to systemd is in these names.
  Units() {
    fs::copy_file("/bin/true", make_folder("bin $x %h é") / "daybook");
    spec_ = {"0123456789abcdef",
             place_.at("bin $x %h é/daybook"),
             make_folder("va\"ult \\n '%h $HOME ${HOME} ; é\\").string(),
             make_folder("state %i").string(),
             place_.at("state %i/watch.log")};
    make_folder("run");
    fs::permissions(place_.at("run"), fs::perms::all);
    place_.write(unit_path(), systemd_unit(spec_).value());
  }

  const ServiceSpec& spec() const { return spec_; }
  std::string unit_path() const { return "config/systemd/user/" + systemd_unit_name(spec_); }

  support::ProgramOutcome run(std::vector<std::string> command) const {
    support::Program program;
    program.command = std::move(command);
    program.environment = {"XDG_CONFIG_HOME=" + place_.at("config"),
                           "XDG_RUNTIME_DIR=" + place_.at("run"),
                           "HOME=" + place_.at("run"),
                           "SYSTEMD_COLORS=0"};
    program.unprivileged = true;  // as root systemd refuses to be a user's
    return support::run(program);
  }

  std::string at(const std::string& name) const { return place_.at(name); }

 private:
  fs::path make_folder(const std::string& name) const {
    place_.make_folder(name);
    return place_.at(name);
  }

  TempFolder place_;
  ServiceSpec spec_;
};

}  // namespace

TEST_CASE("the unit of a plain workspace is the one in the golden file") {
  CHECK(systemd_unit_name(plain_spec()) == "daybook-0123456789abcdef.service");
  CHECK(systemd_unit(plain_spec()).value() == golden("daybook.service"));
}

TEST_CASE("a unit carries the marker by which Daybook knows its own files") {
  CHECK(is_service_file(systemd_unit(plain_spec()).value()));
  CHECK_FALSE(is_service_file("[Unit]\nDescription=somebody else's\n"));
  CHECK_FALSE(is_service_file(std::string(4000, '#') + std::string(kServiceMarker)));
}

TEST_CASE("blanks, quotes, percent signs, dollars and backslashes in paths are escaped") {
  ServiceSpec spec = plain_spec();
  spec.program = "/opt/my $tools/100%/daybook";
  spec.workspace = "/home/dev/a \"b\" 'c' 50% $HOME \\n";
  const std::string unit = systemd_unit(spec).value();
  CHECK(line_of(unit, "ExecStart=") ==
        "ExecStart=\"/opt/my $tools/100%%/daybook\" --workspace "
        "\"/home/dev/a \\\"b\\\" 'c' 50%% $$HOME \\\\n\" --state-dir "
        "\"/home/dev/.local/state/daybook/0123456789abcdef\" watch");
  CHECK(line_of(unit, "ReadWritePaths=") ==
        "ReadWritePaths=\"/home/dev/a \\\"b\\\" 'c' 50%% $HOME \\\\n\" "
        "\"/home/dev/.local/state/daybook/0123456789abcdef\"");
  spec.workspace = "/ends with\\";
  CHECK(line_of(systemd_unit(spec).value(), "Description=") ==
        "Description=Daybook keeps the memory in /ends with\\ honest");
}

TEST_CASE("a path that no unit can express is refused, not mangled") {
  for (const char* path : {"/a\nExecStartPre=/bin/evil", "/a\rb", "/a\tb", "/a\x7f", "/a\xff"}) {
    ServiceSpec spec = plain_spec();
    spec.workspace = path;
    const auto unit = systemd_unit(spec);
    REQUIRE(!unit.ok());
    CHECK(unit.error().kind == ErrorKind::usage);
    CHECK(unit.error().path == path);
  }
  ServiceSpec spec = plain_spec();
  spec.state_dir = "relative";
  CHECK(systemd_unit(spec).error().message == "the path is not absolute");
  for (const char* program : {"/a\"b/daybook", "/a'b/daybook", "/a\\b/daybook"}) {
    spec = plain_spec();
    spec.program = program;
    CHECK(systemd_unit(spec).error().message ==
          "systemd starts no program whose path holds a quote or a backslash");
  }
}

TEST_CASE("a workspace in a folder for temporary files is not hidden by a private one") {
  ServiceSpec spec = plain_spec();
  CHECK(contains(systemd_unit(spec).value(), "\nPrivateTmp=yes\n"));
  spec.workspace = "/tmp/vault";
  CHECK_FALSE(contains(systemd_unit(spec).value(), "PrivateTmp"));
  spec.workspace = "/tmpfiles/vault";
  CHECK(contains(systemd_unit(spec).value(), "PrivateTmp"));
  spec.state_dir = "/var/tmp/state";
  CHECK_FALSE(contains(systemd_unit(spec).value(), "PrivateTmp"));
}

TEST_CASE("systemd-analyze has nothing to say against the unit") {
  const std::string analyze = support::find_program("systemd-analyze");
  if (analyze.empty()) {
    WARN("not tested: there is no systemd-analyze here (Debian package systemd)");
    return;
  }
  const Units units;
  const auto outcome =
      units.run({analyze, "verify", "--user", "--man=no", units.at(units.unit_path())});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_FALSE(contains(outcome.err, "daybook-"));
}

TEST_CASE("systemd reads back the very paths that were meant") {
  const std::string systemd = "/lib/systemd/systemd";
  if (!fs::exists(systemd)) {
    WARN("not tested: there is no " << systemd << " here (Debian package systemd)");
    return;
  }
  const Units units;
  const auto outcome = units.run(
      {systemd, "--test", "--user", "--no-pager", "--unit=" + systemd_unit_name(units.spec())});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const std::size_t begin = outcome.out.find("-> Unit " + systemd_unit_name(units.spec()));
  REQUIRE(begin != std::string::npos);
  const std::string unit =
      outcome.out.substr(begin, outcome.out.find("-> Unit ", begin + 9) - begin);
  CHECK(contains(unit, "Unit Load State: loaded\n"));
  CHECK(contains(
      unit, "ReadWritePaths: " + units.spec().workspace + " " + units.spec().state_dir + "\n"));
  CHECK(contains(unit, "ProtectSystem: strict\n"));
  CHECK(contains(unit, "MemoryMax: 1073741824\n"));
  // It prints words as a shell would need them: one backslash more before each of "\$`.
  const std::string command = unit.substr(unit.find("Command Line: "));
  CHECK(contains(command, "/bin \\$x %h é/daybook\" --workspace \""));
  CHECK(contains(command, "/va\\\"ult \\\\n '%h \\$\\$HOME \\$\\${HOME} ; é\\\\\" --state-dir \""));
  CHECK(contains(command, "/state %i\" watch\n"));
}

}  // namespace daybook::host

// SPDX-License-Identifier: MIT
#include "daybook/host/launchd_agent.hpp"

#include <string_view>

namespace daybook::host {
namespace {

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out.append("&amp;");
        break;
      case '<':
        out.append("&lt;");
        break;
      case '>':
        out.append("&gt;");
        break;
      default:
        out.push_back(letter);
    }
  }
  return out;
}

std::string string_line(std::string_view indent, std::string_view text) {
  return std::string(indent).append("<string>").append(xml_escaped(text)).append("</string>\n");
}

std::string entry(std::string_view key, std::string_view text) {
  return "  <key>" + std::string(key) + "</key>\n" + string_line("  ", text);
}

// Started again only after a failure, at most every ten seconds. 63 is umask 077.
constexpr std::string_view kLifetime = R"(  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>10</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>63</integer>
  <key>HardResourceLimits</key>
  <dict>
    <key>Core</key>
    <integer>0</integer>
  </dict>
)";

}  // namespace

std::string launchd_label(const ServiceSpec& spec) { return "local.daybook." + spec.id; }

Result<std::string> launchd_agent(const ServiceSpec& spec) {
  TRY(check_paths(spec));
  std::string agent(R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
)");
  agent.append("<!-- ")
      .append(kServiceMarker)
      .append(". Made by 'daybook service install', which may write it anew. -->\n")
      .append("<plist version=\"1.0\">\n<dict>\n")
      .append(entry("Label", launchd_label(spec)))
      .append("  <key>ProgramArguments</key>\n  <array>\n");
  for (const std::string& word : {spec.program,
                                  std::string("--workspace"),
                                  spec.workspace,
                                  std::string("--state-dir"),
                                  spec.state_dir,
                                  std::string("watch")}) {
    agent.append(string_line("    ", word));
  }
  agent.append("  </array>\n")
      .append(kLifetime)
      .append(entry("WorkingDirectory", "/"))
      .append(entry("StandardOutPath", spec.log_path))
      .append(entry("StandardErrorPath", spec.log_path))
      .append("</dict>\n</plist>\n");
  return agent;
}

}  // namespace daybook::host

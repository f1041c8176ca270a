// SPDX-License-Identifier: MIT
#include "daybook/host/systemd_unit.hpp"

#include <string_view>

namespace daybook::host {
namespace {

enum class Dollar { doubled, as_it_is };

/// Percent signs begin specifiers everywhere.
std::string without_specifiers(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    out.append(letter == '%' ? 2 : 1, letter);
  }
  return out;
}

/// One word in double quotes. Dollars begin variables, but only in arguments.
std::string quoted_word(std::string_view text, Dollar dollar) {
  std::string out("\"");
  for (const char letter : without_specifiers(text)) {
    if (letter == '"' || letter == '\\') {
      out.push_back('\\');
    }
    out.append(letter == '$' && dollar == Dollar::doubled ? 2 : 1, letter);
  }
  return out.append("\"");
}

bool is_below(const std::string& path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// A private /tmp would hide a workspace that lies there.
bool needs_shared_tmp(const ServiceSpec& spec) {
  for (const std::string* path : {&spec.program, &spec.workspace, &spec.state_dir}) {
    if (is_below(*path, "/tmp") || is_below(*path, "/var/tmp")) {
      return true;
    }
  }
  return false;
}

// Left out on purpose, because a user's own manager cannot grant them everywhere and the service
// would then not start: an emptied CapabilityBoundingSet, PrivateDevices, ProtectKernelModules,
// ProtectKernelLogs, ProtectClock, an explicit PrivateUsers. What cannot be had of the others (no
// unprivileged user namespaces) systemd leaves away by itself.
constexpr std::string_view kHardening = R"(
# Only the workspace and the state may be written.
ProtectSystem=strict
ProtectHome=read-only
NoNewPrivileges=yes
RestrictAddressFamilies=AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
UMask=0077
# Notes must not end up in a core dump.
LimitCORE=0
MemoryMax=1G
TasksMax=64
)";

// The watchdog begins with readiness, so the first pass over a large vault has time. A failed start
// is repeated for ever: the vault may lie on a disk that comes back. Wrong usage (exit code 2) does
// not mend itself.
constexpr std::string_view kLifetime = R"(Type=notify
NotifyAccess=main
TimeoutStartSec=900
TimeoutStopSec=10
WatchdogSec=120
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=2
SyslogIdentifier=daybook
)";

}  // namespace

std::string systemd_unit_name(const ServiceSpec& spec) { return "daybook-" + spec.id + ".service"; }

Result<std::string> systemd_unit(const ServiceSpec& spec) {
  TRY(check_paths(spec));
  if (spec.program.find_first_of("\"'\\") != std::string::npos) {
    return Error{ErrorKind::usage,
                 "systemd starts no program whose path holds a quote or a backslash",
                 spec.program,
                 "Move daybook to another folder, such as ~/.local/bin."};
  }
  std::string unit("# ");
  unit.append(kServiceMarker)
      .append(". Made by 'daybook service install', which may write it anew;\n")
      .append("# changes of your own belong into 'systemctl --user edit ")
      .append(systemd_unit_name(spec))
      .append("'.\n[Unit]\n")
      // A path may end with a backslash, which at the end of a line would join it with the next.
      .append("Description=Daybook keeps the memory in ")
      .append(without_specifiers(spec.workspace))
      .append(" honest\nDocumentation=man:daybook(1)\nStartLimitIntervalSec=0\n\n[Service]\n")
      .append(kLifetime)
      .append("ExecStart=")
      .append(quoted_word(spec.program, Dollar::as_it_is))
      .append(" --workspace ")
      .append(quoted_word(spec.workspace, Dollar::doubled))
      .append(" --state-dir ")
      .append(quoted_word(spec.state_dir, Dollar::doubled))
      .append(" watch\nExecReload=kill -HUP $MAINPID\n")
      .append(kHardening)
      .append(needs_shared_tmp(spec) ? "" : "PrivateTmp=yes\n")
      .append("ReadWritePaths=")
      .append(quoted_word(spec.workspace, Dollar::as_it_is))
      .append(" ")
      .append(quoted_word(spec.state_dir, Dollar::as_it_is))
      .append("\n\n[Install]\nWantedBy=default.target\n");
  return unit;
}

}  // namespace daybook::host

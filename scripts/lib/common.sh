# Shared by all scripts: where the repository is, how they talk, how they fail.
# shellcheck shell=bash

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
cd -- "$root" || exit

# What ccache knows from one clone serves the next: paths count from the root.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=true
# And headers that were read once for all tests are known by what is in them.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

# Talk goes to stderr, so that a script's stdout is only what its tools answer.
say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

wrong_usage() {
  say "error: $*"
  say "See $0 --help."
  exit 2
}

# A script's help is the comment at its top: one text, for reader and user.
show_help() { awk 'NR > 1 { if (!sub(/^# ?/, "")) exit; print }' "$0"; }

jobs_count() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# Runs a command silently; its output is shown only if it fails.
quietly() {
  local log
  log="$(mktemp)"
  if "$@" >"$log" 2>&1; then
    rm -f -- "$log"
  else
    local status=$?
    cat -- "$log" >&2
    rm -f -- "$log"
    return "$status"
  fi
}

# configure PRESET: says one line, and CMake's own words only when they matter.
configure() {
  say "Configuring build/$1"
  quietly cmake --preset "$1" || die "could not configure the preset $1."
}

# build PRESET: ninja's progress goes to stderr with the rest of the talk.
build() {
  say "Building build/$1"
  cmake --build --preset "$1" --parallel "$(jobs_count)" >&2 || die "the build of $1 failed."
}

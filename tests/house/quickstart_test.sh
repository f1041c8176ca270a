#!/usr/bin/env bash
# scripts/quickstart with a program that is built already: what it shows, a second run, a Ctrl-C, a
# vault of one's own. Every service that comes of it is ended by its process number.
#
#   quickstart_test.sh SOURCE_DIR PROGRAM
set -euo pipefail
source_dir="$1"
program="$2"

folder="$(mktemp -d)"
demo="$folder/demo"

# The process number in the lock of a state folder; nothing: no service runs.
service_of() { sed -n 's/^pid \([0-9]*\) .*/\1/p' "$1/service.lock" 2>/dev/null || true; }

# Ends the service of a state folder and waits until it has let go of it.
end_service() {
  local pid step
  pid="$(service_of "$1")"
  [[ -n "$pid" ]] || return 0
  kill -TERM "$pid" 2>/dev/null || true
  for ((step = 0; step < 100; ++step)); do
    [[ -n "$(service_of "$1")" ]] || return 0
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
}

tidy_up() {
  local state
  for state in "$demo/demo-state" "$folder/state"; do
    end_service "$state"
  done
  rm -rf -- "$folder"
}
trap tidy_up EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  [[ ! -e "$folder/out" ]] || cat -- "$folder/out" "$folder/talk" >&2
  exit 1
}

quickstart() {
  DAYBOOK_PROGRAM="$program" DAYBOOK_DEMO="$demo" "$source_dir/scripts/quickstart" "$@" \
    >"$folder/out" 2>"$folder/talk"
}

shows() { grep -q -e "$2" "$folder/$1" || fail "$3: nothing like '$2' in $1"; }

# A first run: the session is written while the service watches, and MEMORY.md follows.
quickstart || fail "the first run: exit code $?"
shows talk '^MEMORY.md has followed after ' "the first run"
shows out '^- 2026-03-30T10:26:40.318Z | .*--v4brsu4sih7scgsc--summary.md' "the first run"
shows out '^service .*, pid ' "the first run"
shows out '^index .* 7 sessions' "the first run"
shows talk 'service stop' "the first run"
first="$(service_of "$demo/demo-state")"
kill -0 "$first" || fail "the service has ended with the script"

# A second one: the same service, and nothing twice.
quickstart || fail "the second run: exit code $?"
shows talk '^One watches this workspace already' "the second run"
shows talk 'is there from an earlier run' "the second run"
shows out '^index .* 7 sessions' "the second run"
[[ "$(service_of "$demo/demo-state")" == "$first" ]] || fail "another service than before"
end_service "$demo/demo-state"

# Ctrl-C while it starts the service: none is left. A run that was quicker than that is right, too.
rm -rf -- "$demo" "$folder/talk"
set -m # a process group of its own, as a terminal gives it
quickstart &
run=$!
set +m
for ((step = 0; step < 600; ++step)); do
  ! grep -q '^Starting the service' "$folder/talk" 2>/dev/null || break
  sleep 0.05
done
kill -INT -- "-$run" 2>/dev/null || true
status=0
wait "$run" || status=$?
((status == 130 || status == 0)) || fail "after Ctrl-C: exit code $status"
if ((status == 130)); then
  [[ -z "$(service_of "$demo/demo-state")" ]] || fail "after Ctrl-C a service is left"
fi
! compgen -G "$demo/quickstart.*" >/dev/null || fail "after Ctrl-C something half made is left"
quickstart || fail "the run after Ctrl-C: exit code $?"
shows out '^index .* 7 sessions' "the run after Ctrl-C"

# A vault of one's own: watched, and no session is added to it.
cp -R -- "$source_dir/fixtures/extra-fields-kept/vault" "$folder/vault"
before="$(ls -A "$folder/vault/memory")"
DAYBOOK_STATE_DIR="$folder/state" quickstart --workspace "$folder/vault" ||
  fail "a vault of one's own: exit code $?"
[[ "$(ls -A "$folder/vault/memory")" == "$before" ]] || fail "something was added to the vault"
shows out '^service .*, pid ' "a vault of one's own"
[[ -n "$(service_of "$folder/state")" ]] || fail "no service watches the vault"

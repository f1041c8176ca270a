#!/usr/bin/env bash
# A gauntlet that is stopped in the middle of a row ends its worker, and says that it was stopped.
#
#   stop_test.sh GAUNTLET
set -euo pipefail
said="$(mktemp)"
gauntlet=""
worker=""
tidy_up() {
  [[ -z "$gauntlet" ]] || kill -KILL "$gauntlet" 2>/dev/null || true
  [[ -z "$worker" ]] || kill -KILL -- "-$worker" 2>/dev/null || true
  rm -f -- "$said"
}
trap tidy_up EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  cat -- "$said" >&2
  exit 1
}

# More trials than it can have made before it is stopped.
"$1" --only bit-flip --trials 100000 >"$said" 2>&1 &
gauntlet=$!
while [[ -z "$worker" ]]; do
  kill -0 "$gauntlet" 2>/dev/null || fail "it ended by itself"
  read -r worker _ <"/proc/$gauntlet/task/$gauntlet/children" || true
done
kill -TERM "$gauntlet"
code=0
wait "$gauntlet" || code=$?
gauntlet=""
((code == 130)) || fail "exit code $code"
! kill -0 "$worker" 2>/dev/null || fail "its worker lives on"
worker=""
grep -q 'gauntlet: stopped' "$said" || fail "it does not say so"
echo "ok"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# install.sh FOLDER: puts the clients of package.json into FOLDER, each byte as package-lock.json
# pins it, and nothing when they are there already. None of their scripts is run.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$1"

if [[ -f "$folder/complete" ]] && cmp -s "$here/package-lock.json" "$folder/package-lock.json"; then
  exit 0
fi
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
  echo "The official MCP clients cannot be had: there is no node or no npm on the PATH." >&2
  echo "Install them (Debian: nodejs, npm) and run the tests again." >&2
  exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
cp "$here/package.json" "$here/package-lock.json" "$folder/"
if ! (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
  echo "The official MCP clients cannot be had: npm could not fetch what package-lock.json pins." >&2
  echo "They come once, from the registry that npm is set to; the tests need no network later." >&2
  exit 1
fi
: >"$folder/complete"

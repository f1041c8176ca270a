# The vaults that scripts/bench measures on.
# shellcheck shell=bash disable=SC2154 # root, programs and so on are scripts/bench's own

# generate_vault SESSIONS [DAYS]: into build/bench/vault-N, whose path is left in $vault; their days are
# the generator's own unless told. Made anew only when the generator has changed, and under another
# name until it is whole, so that an interrupted run leaves nothing that looks finished.
generate_vault() {
  vault="$root/build/bench/vault-$1${2:+-in-$2-days}"
  local stamp
  stamp="$(sha256sum <"$programs/make_vault")"
  [[ -d "$vault" && "$(cat -- "$vault.stamp" 2>/dev/null)" == "$stamp" ]] && return
  say "Making a vault of $1 sessions in ${vault#"$root/"}"
  rm -rf -- "$vault" "$vault.stamp" "$vault.partial"
  "$programs/make_vault" "$vault.partial" --sessions "$1" ${2:+--days "$2"} >&2 ||
    die "the vault could not be made."
  mv -- "$vault.partial" "$vault"
  printf '%s\n' "$stamp" >"$vault.stamp"
}

warm_page_cache() {
  say "Warming the page cache"
  find "$vault/memory" -type f -exec cat {} + >/dev/null
}

# The moment after the newest session of the vault, from the name of the newest manifest:
# 2026-02-18T23-12-34.567Z--...
newest_moment() {
  local newest
  newest="$(find "$vault/memory" -name '*--manifest.md' -printf '%f\n' | sort | tail -n 1)"
  printf '%s\n' "${newest:0:13}:${newest:14:2}:${newest:17:7}"
}

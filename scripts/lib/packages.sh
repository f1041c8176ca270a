# What Daybook needs from Debian, and why, in one place; and how it gets there.
# shellcheck shell=bash

# packages_of GROUP: "package: why" a line.
packages_of() {
  case "$1" in
    build)
      cat <<'LIST'
g++: the compiler
cmake: the build system
ninja-build: runs the build
pkg-config: finds libraries
ccache: makes a second build quick
libcmark-gfm-dev: markdown
libcmark-gfm-extensions-dev: markdown, GitHub's tables and strikethrough
libyaml-cpp-dev: frontmatter
libsqlite3-dev: the index
libsqlitecpp-dev: the index, from C++
libssl-dev: SHA-256
libcli11-dev: the command line
nlohmann-json3-dev: JSON output
libre2-dev: regular expressions in linear time
libfmt-dev: formatting
libspdlog-dev: logs
libcpp-httplib-dev: HTTP
libutf8proc-dev: Unicode normalisation
LIST
      # Any npm will do, and a machine may have one that Debian's package would conflict with.
      if ! command -v npm >/dev/null && ! efsw_is_here; then
        echo "npm: fetches the sources of efsw, which Debian does not package"
        echo "ca-certificates: lets npm trust the registry"
      fi
      ;;
    test)
      cat <<'LIST'
catch2: the tests
librapidcheck-dev: property tests
strace: shows what the program asks of the system
systemd: reads the service file that Daybook writes
LIST
      if ! node_is_here; then
        echo "nodejs: runs the official MCP clients and a real embedding model"
        echo "npm: fetches them"
      fi
      ;;
    lint)
      cat <<'LIST'
clang: compiles what clang-tidy reads
clang-format: checks the layout of the sources
clang-tidy: checks their meaning
git: tells what changed
shellcheck: checks the scripts
LIST
      ;;
    fuzz)
      cat <<'LIST'
clang: the compiler with libFuzzer
libclang-rt-dev: libFuzzer and the sanitizers for clang
LIST
      ;;
    bench)
      cat <<'LIST'
git: a yardstick, git add and git status
inotify-tools: a yardstick, inotifywait
ripgrep: a yardstick, rg
LIST
      ;;
    count)
      cat <<'LIST'
valgrind: counts instructions
LIST
      ;;
    night)
      cat <<'LIST'
btrfs-progs: makes the file systems of power-cut-btrfs
xfsprogs: makes those of power-cut-xfs
LIST
      ;;
    *) die "there is no package group '$1'." ;;
  esac
}

# Its sources are kept from an earlier build (cmake/efsw.cmake).
efsw_is_here() { compgen -G "${DAYBOOK_DEPS_DIR:-build/deps}/efsw-*/include" >/dev/null; }

# Any node will do, and a machine may have one that Debian's package would conflict with.
node_is_here() { command -v node >/dev/null && command -v npm >/dev/null; }

# missing_packages GROUP...: those "package: why" lines that dpkg does not know as installed.
missing_packages() {
  local group line name installed
  local -A line_of=()
  local -a order=()
  for group in "$@"; do
    while IFS= read -r line; do
      if [[ -z "${line_of[${line%%:*}]:-}" ]]; then
        line_of["${line%%:*}"]="$line"
        order+=("${line%%:*}")
      fi
    done < <(packages_of "$group")
  done

  # dpkg-query fails when it does not know one of the names; what it does know is all we ask.
  installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${order[@]}" 2>/dev/null || true)"
  for name in "${order[@]}"; do
    if ! grep -qxF -- "installed $name" <<<"$installed"; then
      printf '%s\n' "${line_of[$name]}"
    fi
  done
}

# ensure_packages GROUP...: installs what is missing, having said what and why.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is not a Debian system; Daybook needs what Debian calls:"
    local group
    for group in "$@"; do packages_of "$group" | sed 's/^/  /' >&2; done
    say "Going on in the hope that it is all there."
    return
  fi

  local missing
  missing="$(missing_packages "$@")"
  [[ -n "$missing" ]] || return 0
  say "Installing from Debian:"
  say "  ${missing//$'\n'/$'\n'  }"

  local -a names as_root=()
  mapfile -t names < <(cut -d: -f1 <<<"$missing")
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "Neither root nor sudo here; ask someone who is to run:"
      say "  apt-get install ${names[*]}"
      say "Going on in the hope that it is not needed."
      return
    fi
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  quietly "${as_root[@]}" apt-get update ||
    say "apt-get update failed; going on with the package lists that are here."
  quietly "${as_root[@]}" apt-get install --yes --no-install-recommends "${names[@]}" </dev/null ||
    die "apt-get could not install: ${names[*]}"
}

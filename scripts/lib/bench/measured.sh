# What scripts/bench measures, part by part. Every target of Daybook's is here or in the benchmark
# programs that are called here.
# shellcheck shell=bash disable=SC2154 # vault, scratch and so on are scripts/bench's own
# shellcheck disable=SC2016 # single quotes: for the measured shell to expand

hash_everything="find memory -name '*.md' -print0 | xargs -0 sha256sum"
read_everything="find memory -name '*.md' -print0 | xargs -0 cat"
check_all='exec "$daybook" --workspace . check'
cold='rm -rf "$state"; exec "$daybook" -q --workspace . --state-dir "$state" reindex'
warm='exec "$daybook" -q --workspace . --state-dir "$state" reindex'
render='exec "$daybook" -q --workspace . --state-dir "$state" render'
git='git --git-dir="$repository" --work-tree=. -c core.fsync=none'

# by_size LARGE HUGE: the first up to 10,000 sessions, the second up to 100,000, in proportion beyond.
by_size() {
  awk -v sessions="$sessions" -v large="$1" -v huge="$2" 'BEGIN {
    print "<=", sessions <= 10000 ? large : sessions <= 100000 ? huge : sessions * huge / 100000
  }'
}

# at_10000 TARGET: for what is asked of a vault of that size; in a smaller one start-up is most of it.
at_10000() { ((sessions >= 10000)) && echo "$1" || echo -; }

# --- parsing and checking -------------------------------------------------------------------------

measure_check() {
  compare "check / sha256sum" "<= 0.5" "$check_all" "$hash_everything"
  limit "check, peak memory" "$peak_mb" MB "$(by_size 30 60)" "$sessions sessions"
  compare "check / cat" - "$check_all" "$read_everything"
  rows_of frontmatter_bench
}

# --- the index, and what it costs to keep ---------------------------------------------------------

# State and repository lie in $scratch; MEMORY.md in the vault, which is a generated one.
measure_index() {
  compare "cold reindex, no full text / sha256sum" "<= 0.9" "$cold --no-text" "$hash_everything"
  compare "cold reindex, no full text / cat" - "$cold --no-text" "$read_everything"
  compare "cold reindex / git add -A" "<= 0.6" "$cold" \
    "rm -rf \"\$repository\"; git init -q --bare \"\$repository\"; $git add -A"
  compare "cold reindex / sha256sum" "<= 4.5" "$cold" "$hash_everything"
  limit "cold reindex, peak memory" "$peak_mb" MB "$(by_size 150 200)" "$sessions sessions"
  measure_index_size
  rest_indexed
  compare "reindex, nothing changed / git status" "$(at_10000 "<= 1.2")" "$warm" "$git status --porcelain"
  limit "reindex, nothing changed, peak memory" "$peak_mb" MB "<= 40" "$sessions sessions"
  measure_one_change
  compare "render, nothing changed / git status" - "$render" "$git status --porcelain"
}

measure_index_size() {
  local vault_kb state_kb
  vault_kb="$(du -sk --apparent-size "$vault/memory" | cut -f 1)"
  state_kb="$(du -sck --apparent-size "$state"/index.db* "$state/text" | tail -1 | cut -f 1)"
  row "index and full text / vault" ratio "$(at_10000 "<= 0.6")" "$((state_kb / 1024)) MiB" \
    "$((vault_kb / 1024)) MiB" "" "$(awk -v a="$state_kb" -v b="$vault_kb" 'BEGIN { print a / b }')"
}

# Past the granularity of file times: what was just made is read again, and rightly.
rest_indexed() {
  sleep 3
  (cd -- "$vault" && sh -c "$warm" >/dev/null && { ! [[ -d "$repository" ]] ||
    sh -c "$git status --porcelain" >/dev/null; })
}

# One manifest with one blank more, against a pass that finds nothing. A file that was changed within
# the last two seconds is read again by every pass, so before each pair all of them rest.
measure_one_change() {
  local run
  say "Measuring reindex, one file changed"
  choose_changed_file
  forget_samples
  for ((run = 0; run < runs; run++)); do
    rest_indexed
    sample "$scratch/yardstick" "$warm"
    sample "$scratch/work" "printf ' ' >>\"\$changed_file\"; $warm"
  done
  row_of_samples "reindex, one file changed / nothing changed" "<= 2.0"
  cp -- "$scratch/manifest" "$changed_file"
}

choose_changed_file() {
  # Not head, which would end sort by a signal and this script with it.
  changed_file="$(find "$vault/memory" -name '*--manifest.md' | sort | sed -n 1p)"
  export changed_file
  cp -- "$changed_file" "$scratch/manifest"
}

# --- search ---------------------------------------------------------------------------------------

# wall_ms COMMAND: of one run, which must find something.
wall_ms() {
  local line
  line="$(cd -- "$vault" && "$programs/measure" sh -c "$1")"
  [[ "${line##*$'\t'}" == 0 ]] || die "nothing was found by: $1"
  awk -v wall="${line%%$'\t'*}" 'BEGIN { print wall * 1000 }'
}

# search_times QUERIES: of each query, "search start-up rg" in milliseconds. Start-up, which every
# command has, is measured beside it. rg looks for notes that have both words.
search_times() {
  local words
  while read -r words; do
    printf '%s\t%s\t%s\n' \
      "$(wall_ms "exec \"\$daybook\" -q --workspace . --state-dir \"\$state\" search $words")" \
      "$(wall_ms 'exec "$daybook" --version')" \
      "$(wall_ms "rg -liw0 ${words% *} memory | xargs -0 rg -liw ${words#* }")"
  done <"$1"
}

# measure_search: two words, 40 times a run. A search that finds nothing would be quick, and is an
# error here.
measure_search() {
  local run queries="$scratch/queries" times="$scratch/search-times"
  local -a p95=() ratios=()
  say "Measuring search"
  "$programs/search_words" 40 >"$queries"
  for ((run = 1; run <= runs; run++)); do
    search_times "$queries" >"$times"
    p95+=("$(p95_after_start "$times")")
    ratios+=("$(awk '{ ours += $1; theirs += $3 } END { print ours / theirs }' "$times")")
  done
  local ours theirs
  ours="$(column_median "$times" 1)" theirs="$(column_median "$times" 3)"
  row "search, two words, p95 after start-up" ms "$(by_size 15 30)" "$ours ms" "$theirs ms" \
    "40 searches a run; medians of whole commands, against rg" "${p95[@]}"
  row "search, two words / rg" ratio - "$ours ms" "$theirs ms" "whole commands" "${ratios[@]}"
}

p95_after_start() {
  local start
  start="$(column_median "$1" 2)"
  sort -g -- "$1" | awk -v start="$start" \
    '{ v[NR] = $1 } END { print v[int(NR * 0.95)] - start }'
}

# With a state of its own, which has vectors of a made model.
measure_recall() {
  local queries="$scratch/questions" words=- vectors=-
  ((sessions <= 10000)) && words="<= 25" vectors="<= 60"
  say "Measuring recall"
  "$programs/search_words" 40 >"$queries"
  rows_of recall_bench "$daybook" "$vault" "$scratch/recall-state" "$queries" "$words" "$vectors"
}

# --- the service ----------------------------------------------------------------------------------

# When the newest session of the vault is of today: with a state of its own, because a publication
# that is older than the last one is refused. It changes the pinned note and takes it away again.
measure_watch() {
  local now watch_state="$scratch/watch-state"
  now="$(newest_moment)"
  "$daybook" -q --workspace "$vault" --state-dir "$watch_state" --now "$now" reindex >/dev/null
  sleep 3
  rows_of watch_bench "$daybook" "$vault" "$watch_state" "$now" "$watch_changes" \
    "cd '$vault' && $git status --porcelain >/dev/null" "$sessions"
  rows_of flood_bench "$daybook" "$root/build/bench/flood-$$" "$flood_files"
  rows_of mcp_bench "$daybook" "$vault" "$watch_state" "$now"
}

# change_instructions SESSIONS [DAYS]: of one session that arrives at a service, counted by callgrind.
change_instructions() {
  local used="$scratch/counted-$1" vault
  generate_vault "$@"
  for _ in 1 2; do # what the first has just written is read again, and rightly
    sleep 3
    "$daybook" -q --workspace "$vault" --state-dir "$used" --now "$(newest_moment)" reindex --no-text \
      >/dev/null || die "the vault could not be indexed."
  done
  valgrind --quiet --tool=callgrind --instr-atstart=no --callgrind-out-file="$used.callgrind" \
    "$programs/hot_paths" change "$vault" "$used" || die "hot_paths failed."
  sed -n 's/^totals: //p' "$used.callgrind"
  rm -rf -- "$used"
}

# measure_change_growth SESSIONS: what one change costs must not depend on the vault. Counted, since it
# is too short to be timed. Twice: in a vault that is older, so that as many sessions as ever are in
# the window of MEMORY.md; and in one as old, which has that many times more of them there, and in the
# window's first day, which MEMORY.md counts.
measure_change_growth() {
  local small older busier days=45 # the generator's own
  local older_days=$((days * $1 / 1000))
  say "Counting one change at 1000 and at $1 sessions"
  small="$(change_instructions 1000)" || exit
  if ((older_days >= 1 && older_days <= 10000)); then # as many as the generator makes
    older="$(change_instructions "$1" "$older_days")" || exit
    row_of_changes "one change at $1 / at 1000 sessions, window equal" "<= 1.2" "$older" "$small"
  else
    say "Left out: one change with an equal window, for which no vault can be made"
  fi
  busier="$(change_instructions "$1")" || exit
  row_of_changes "one change at $1 / at 1000 sessions, all in $days days" - "$busier" "$small"
}

# row_of_changes NAME TARGET WORK YARDSTICK: of instructions for the 19 changes that hot_paths makes.
row_of_changes() {
  row "$1" ratio "$2" "$(($3 / 19000000)) M" "$(($4 / 19000000)) M" \
    "instructions of one narrow pass that adds a session" "$(awk -v a="$3" -v b="$4" 'BEGIN { print a / b }')"
}

# --- capture --------------------------------------------------------------------------------------

measure_capture() {
  rows_of capture_bench "$daybook" "$scratch/capture"
  rows_of sanitizer_bench "$vault" "$root/src"
  rows_of harness_bench
  rows_of import_bench "$root/build/bench/import-$$"
}

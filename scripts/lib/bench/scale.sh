# The same few commands on vaults of several sizes: times, memory, and how they grow.
# shellcheck shell=bash disable=SC2154 # vault, scratch and so on are scripts/bench's own

# point WHAT COMMAND: runs it, the first time unmeasured, and adds "sessions what seconds least most MB
# CPU-seconds" to $scratch/points.
point() {
  local run
  say "Measuring $1 at $scale_sessions sessions"
  forget_samples
  for ((run = 0; run <= runs; run++)); do
    sample "$scratch/work" "$2"
    ((run > 0)) || forget_samples
  done
  keep_commands "$1"
}

keep_commands() {
  keep_point "$1" <(cut -f 1 -- "$scratch/work") "$(peak_mb_of "$scratch/work")" \
    "$(column_median "$scratch/work" 2)"
}

# keep_point WHAT FILE-OF-SECONDS MB CPU-SECONDS
keep_point() {
  sort -g -- "$2" | awk -v OFS='\t' -v sessions="$scale_sessions" -v what="$1" -v mb="$3" -v cpu="$4" '
    { v[NR] = $1 }
    END {
      median = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
      print sessions, what, median, v[1], v[NR], mb, cpu
    }' >>"$scratch/points"
}

# One session that arrives at a running service, by the time that its narrow pass takes; and what the
# service then holds in memory.
point_watch() {
  local now watch_state="$scratch/scale-watch"
  say "Measuring watch at $scale_sessions sessions"
  now="$(newest_moment)"
  rm -rf -- "$watch_state"
  "$daybook" -q --workspace "$vault" --state-dir "$watch_state" --now "$now" reindex >/dev/null
  sleep 3
  "$programs/watch_bench" "$daybook" "$vault" "$watch_state" "$now" 40 true "$scale_sessions" \
    >"$scratch/printed" || die "watch_bench failed."
  local resident
  resident="$(awk -F '\t' '$1 == "watch, resident" { print $4 }' "$scratch/printed")"
  awk -F '\t' '$1 == "watch, change to MEMORY.md, median" { print $4 / 1000; print $5 / 1000; print $6 / 1000 }' \
    "$scratch/printed" >"$scratch/seconds"
  keep_point "watch, change to MEMORY.md" "$scratch/seconds" "$resident" null
  awk -F '\t' '$1 == "watch, ready / git status" { split($7, ms, " "); print ms[1] / 1000 }' \
    "$scratch/printed" >"$scratch/seconds"
  keep_point "watch, ready" "$scratch/seconds" "$resident" null
  rm -rf -- "$watch_state"
}

point_search() {
  local run words
  say "Measuring search at $scale_sessions sessions"
  "$programs/search_words" 12 >"$scratch/queries"
  forget_samples
  for ((run = 0; run <= runs; run++)); do
    while read -r words; do
      sample "$scratch/work" "exec \"\$daybook\" -q --workspace . --state-dir \"\$state\" search $words"
    done <"$scratch/queries"
    ((run > 0)) || forget_samples
  done
  keep_commands search
}

measure_size() {
  scale_sessions="$1"
  local vault
  generate_vault "$scale_sessions"
  warm_page_cache
  printf '%s\t%s\t%s\n' "$scale_sessions" "$(find "$vault/memory" -name '*.md' | wc -l)" \
    "$(du -sb "$vault/memory" | cut -f 1)" >>"$scratch/sizes"
  point check "$check_all"
  point "cold reindex" "$cold"
  rest_indexed
  point "reindex, nothing changed" "$warm"
  choose_changed_file
  point "reindex, one change" "printf ' ' >>\"\$changed_file\"; $warm"
  cp -- "$scratch/manifest" "$changed_file"
  point render "$render"
  point_search
  point_watch
}

# growth WHAT TARGET: a row for how many times longer it takes with ten times the sessions.
growth() {
  awk -F '\t' -v what="$1" -v small=10000 -v large="$largest" '
    $2 == what && $1 == small { a = $3; a_mb = $6; a_cpu = $7 }
    $2 == what && $1 == large { b = $3; b_mb = $6; b_cpu = $7 }
    END {
      if (a <= 0 || b <= 0) exit
      cpu = a_cpu + 0 > 0 ? sprintf("; CPU %.1f times", b_cpu / a_cpu) : ""
      printf "%s\t%.3f s\t%.3f s\t%s MB, then %s MB%s\n", b / a, b, a, a_mb, b_mb, cpu
    }' "$scratch/points" >"$scratch/growth"
  [[ -s "$scratch/growth" ]] || return 0
  local ratio work yardstick note
  IFS=$'\t' read -r ratio work yardstick note <"$scratch/growth"
  row "$1, at $largest / at 10000 sessions" ratio "$2" "$work" "$yardstick" "$note" "$ratio"
}

# Linear, with a tenth for caches that no longer hold everything; and what must not depend on the
# vault at all.
measure_scale() {
  local size largest=0
  for size in ${scale_sizes//,/ }; do
    measure_size "$size"
    largest="$size"
  done
  print_scale_json >"$scale_json"
  say "As JSON: ${scale_json#"$root/"}"
  ((largest > 10000)) || return 0
  growth check "<= 11"
  growth "cold reindex" "<= 11"
  growth "reindex, nothing changed" "<= 11"
  growth "reindex, one change" "<= 11"
  growth render "<= 11"
  growth search "<= 11"
  growth "watch, ready" "<= 11"
  growth "watch, change to MEMORY.md" "<= 1.5"
  measure_change_growth "$largest"
}

print_scale_json() {
  awk -F '\t' -v machine="$(machine)" -v day="$(date -u +%F)" -v runs="$runs" '
    function text(value) { gsub(/\\/, "\\\\", value); gsub(/"/, "\\\"", value); return "\"" value "\"" }
    FILENAME == ARGV[1] {
      sizes = sizes (sizes == "" ? "" : ",") sprintf("\n  {\"sessions\": %d, \"files\": %d, \"bytes\": %d}", $1, $2, $3)
      next
    }
    {
      points = points (points == "" ? "" : ",") sprintf("\n  {\"sessions\": %d, \"what\": %s, \"seconds\": %s, \"least\": %s, \"most\": %s, \"mb\": %s, \"cpu\": %s}", $1, text($2), $3, $4, $5, $6, $7)
    }
    END {
      printf "{\"day\": %s, \"machine\": %s, \"runs\": %d,\n \"sizes\": [%s\n ],\n \"points\": [%s\n ]}\n",
        text(day), text(machine), runs, sizes, points
    }' "$scratch/sizes" "$scratch/points"
}

# Time and memory, one row a command and one column a size.
print_scale_markdown() {
  awk -F '\t' '
    function grouped(number,   text) {
      text = number ""
      while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
      return text
    }
    FILENAME == ARGV[1] {
      head = head sprintf(" %s sessions |", grouped($1)); line = line "---|"; order[++n] = $1
      files = files sprintf(" %s files, %.0f MB |", grouped($2), $3 / 1e6)
      next
    }
    {
      if (!($2 in seen)) { seen[$2] = 1; whats[++m] = $2 }
      cell[$2, $1] = ($3 < 0.1 ? sprintf("%.1f ms", $3 * 1000) : sprintf("%.2f s", $3)) ", " sprintf("%.0f MB", $6)
    }
    END {
      print "| |" head; print "|---|" line; print "| |" files
      for (i = 1; i <= m; i++) {
        printf "| %s |", whats[i]
        for (j = 1; j <= n; j++) printf " %s |", cell[whats[i], order[j]]
        print ""
      }
    }' "$scratch/sizes" "$scratch/points"
}

# How scripts/bench measures: one command against another, in turns.
# shellcheck shell=bash disable=SC2154 # scratch, programs and so on are scripts/bench's own

# sample FILE COMMAND: runs a shell command in the vault and adds "wall cpu rss exit" to FILE.
sample() {
  local line
  line="$(cd -- "$vault" && "$programs/measure" sh -c "$2")"
  ((${line##*$'\t'} <= accepted_exit)) || die "exit code ${line##*$'\t'} from: $2"
  printf '%s\n' "$line" >>"$1"
}

forget_samples() { rm -f -- "$scratch/work" "$scratch/yardstick"; }

# interleave WORK YARDSTICK: in turns, and in turns first, so that a machine that slows down or speeds
# up favours neither. The first run of each is thrown away.
interleave() {
  local run
  for ((run = 0; run <= runs; run++)); do
    if ((run % 2 == 0)); then
      sample "$scratch/work" "$1"
      sample "$scratch/yardstick" "$2"
    else
      sample "$scratch/yardstick" "$2"
      sample "$scratch/work" "$1"
    fi
    ((run > 0)) || forget_samples
  done
}

# column_median FILE COLUMN
column_median() {
  cut -f "$2" -- "$1" | sort -g | awk '
    { v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# Of all runs, in MB: the largest single process.
peak_mb_of() { cut -f 3 -- "$1" | sort -g | awk 'END { printf "%.1f\n", $1 * 1024 / 1e6 }'; }

in_seconds() { awk -v value="$1" 'BEGIN { printf value < 1 ? "%.4f s" : "%.2f s", value }'; }

# compare NAME TARGET WORK YARDSTICK: a row for the time of one shell command against another's, both
# run in the vault. Leaves the work's peak memory in $peak_mb.
compare() {
  say "Measuring $1"
  forget_samples
  interleave "$3" "$4"
  row_of_samples "$1" "$2"
}

# row_of_samples NAME TARGET: of as many samples of the work as of the yardstick.
row_of_samples() {
  local -a ratios
  mapfile -t ratios < <(paste -- "$scratch/work" "$scratch/yardstick" | awk '{ print $1 / $5 }')
  # For whoever calls it.
  # shellcheck disable=SC2034
  peak_mb="$(peak_mb_of "$scratch/work")"
  row "$1" ratio "$2" "$(in_seconds "$(column_median "$scratch/work" 1)")" \
    "$(in_seconds "$(column_median "$scratch/yardstick" 1)")" \
    "CPU $(in_seconds "$(column_median "$scratch/work" 2)") to $(in_seconds \
      "$(column_median "$scratch/yardstick" 2)")" "${ratios[@]}"
}

# limit NAME VALUE UNIT TARGET NOTE: a row for something that has a bound and no yardstick.
limit() { row "$1" "$3" "$4" "-" "-" "$5" "$2"; }

# Other work takes cores away from whoever uses more than one, and so changes the ratios.
warn_if_busy() {
  awk -v cores="$(jobs_count)" '$1 > cores / 2 {
    print "The machine is busy (load " $1 "): the ratios below are not to be trusted."
  }' /proc/loadavg >&2
}

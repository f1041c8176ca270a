# Rows of scripts/bench: how one is made of what was measured, and how all of them are shown.
# shellcheck shell=bash disable=SC2154 # scratch, programs and so on are scripts/bench's own

# A row: name, unit, target, median, least, most, work, yardstick, note, verdict; separated by tabs.
# A target is "<= 5", ">= 50" or "-" (only told).

# judge: rows without a verdict -> rows with one.
judge() {
  awk -F '\t' -v OFS='\t' '{
    verdict = "-"
    if (split($3, target, " ") == 2)
      verdict = (target[1] == ">=" ? $4 >= target[2] + 0 : $4 <= target[2] + 0) ? "met" : "MISSED"
    print $0, verdict
  }'
}

# row NAME UNIT TARGET WORK YARDSTICK NOTE VALUE...: one result; its median counts.
row() {
  printf '%s\n' "${@:7}" | sort -g | awk -v OFS='\t' -v name="$1" -v unit="$2" -v target="$3" \
    -v work="$4" -v yardstick="$5" -v note="$6" '
    function digits(value) { return sprintf(value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value) }
    { v[NR] = $1 }
    END {
      median = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
      print name, unit, target, digits(median), digits(v[1]), digits(v[NR]), work, yardstick, note
    }' | judge >>"$scratch/rows"
}

# rows_of PROGRAM ARGUMENT...: rows that a benchmark program prints (bench/row.hpp).
rows_of() {
  say "Running $1"
  "$programs/$1" "${@:2}" >"$scratch/printed" || die "$1 failed."
  judge <"$scratch/printed" >>"$scratch/rows"
}

print_table() {
  awk -F '\t' '
    BEGIN {
      format = "%-42s %12s %9s %-21s %-10s %-7s %s\n"
      printf format, "what", "work", "yardstick", "  measured (spread)", "target", "", ""
    }
    {
      suffix = $2 == "ratio" ? "" : " " $2
      printf format, $1, $7, $8, "  " $4 " (" $5 ".." $6 ")", $3 == "-" ? "" : $3 suffix, $10, $9
    }' "$scratch/rows"
}

print_markdown() {
  awk -F '\t' '
    BEGIN {
      print "| what | work | yardstick | measured | spread | target | |"
      print "|---|---|---|---|---|---|---|"
    }
    {
      suffix = $2 == "ratio" ? "" : " " $2
      printf "| %s | %s | %s | **%s**%s | %s to %s | %s | %s |\n", $1, $7, $8, $4, suffix, $5, $6,
        $3 == "-" ? "–" : $3, $10 == "met" ? "met" : $10 == "-" ? "" : "**missed**"
    }' "$scratch/rows"
}

# What the machine is, for people.
machine() {
  local processor memory system
  processor="$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | sed -n 1p)"
  memory="$(awk '/^MemTotal/ { printf "%.0f GB", $2 * 1024 / 1e9 }' /proc/meminfo)"
  system="$(. /etc/os-release && printf '%s' "$PRETTY_NAME")"
  printf '%s cores of %s, %s of memory, %s, %s, kernel %s\n' "$(jobs_count)" \
    "${processor:-an unnamed processor}" "$memory" "$(df --output=fstype "$root/build" | tail -1)" \
    "$system" "$(uname -r | cut -d - -f 1)"
}

print_json() {
  awk -F '\t' -v sessions="$sessions" -v runs="$runs" -v cores="$(jobs_count)" -v files="$files" \
    -v machine="$(machine)" -v day="$(date -u +%F)" '
    function text(value) { gsub(/\\/, "\\\\", value); gsub(/"/, "\\\"", value); return "\"" value "\"" }
    BEGIN {
      printf "{\"day\": %s, \"machine\": %s,\n", text(day), text(machine)
      printf " \"sessions\": %d, \"files\": %d, \"runs\": %d, \"cores\": %d, \"rows\": [", sessions,
        files, runs, cores
    }
    {
      printf "%s\n  {\"name\": %s, \"value\": %s, \"least\": %s, \"most\": %s, \"unit\": %s, ",
        (NR == 1 ? "" : ","), text($1), $4, $5, $6, text($2)
      printf "\"target\": %s, \"met\": %s, ", $3 == "-" ? "null" : text($3),
        $10 == "met" ? "true" : $10 == "-" ? "null" : "false"
      printf "\"work\": %s, \"yardstick\": %s, \"note\": %s}", text($7), text($8), text($9)
    }
    END { print "\n]}" }' "$scratch/rows"
}

# What scripts/bench --docs writes: tables between marks, and the chart.
# shellcheck shell=bash disable=SC2154 # root, scratch and so on are scripts/bench's own

# put_between FILE NAME: stdin takes the place of what stands between the marks of that name.
put_between() {
  local file="$root/$1"
  grep -qxF -- "<!-- $2: begin -->" "$file" || die "$1 has no place for $2."
  cat >"$scratch/inserted"
  awk -v begin="<!-- $2: begin -->" -v end="<!-- $2: end -->" -v inserted="$scratch/inserted" '
    $0 == end { skipping = 0 }
    !skipping { print }
    $0 == begin {
      skipping = 1
      while ((getline line <inserted) > 0) print line
    }' "$file" >"$scratch/document"
  cat -- "$scratch/document" >"$file"
}

measured_where() {
  printf 'Measured on %s: %s. Runs of each, after one that does not count: %s.\n' "$(date -u +%F)" \
    "$(machine)" "$runs"
}

write_documents() {
  {
    measured_where
    printf '%d sessions, %d files.\n\n' "$sessions" "$files"
    print_markdown
  } | put_between docs/PERFORMANCE.md rows
  [[ -f "$scratch/points" ]] || return 0
  "$programs/draw_chart" "$scale_json" >"$scratch/chart.svg" || die "the chart could not be drawn."
  cat -- "$scratch/chart.svg" >"$root/docs/performance.svg"
  {
    measured_where
    printf '\n'
    print_scale_markdown
  } >"$scratch/by-size"
  put_between docs/SCALE.md sizes <"$scratch/by-size"
  put_between docs/PERFORMANCE.md sizes <"$scratch/by-size"
}

#!/usr/bin/env bash
# Solves Korf's hundred 15-puzzles (benches/data/korf-15.txt) in one process, compares the costs with the published ones, and
# prints the time: `benches/korf.sh [OPTIONS OF SOLVE]`. ENGINE names the program, by default target/release/engine.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$(realpath "${ENGINE:-target/release/engine}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
grep -v '^#' benches/data/korf-15.txt | while read -r number tiles; do
  read -ra tiles <<< "$tiles"
  {
    echo "title = \"Korf $number\""
    echo 'domain = "sliding-tile"'
    echo 'goal = "blank-first"'
    echo 'start = """'
    printf '%s %s %s %s\n' "${tiles[@]:0:16}"
    echo '"""'
    echo '[expect]'
    echo "cost = ${tiles[16]}"
  } > "$(printf '%s/%03d.toml' "$folder" "$number")"
done
time "$engine" solve "$folder"/*.toml --no-cache --json "$@" > "$folder/answers"
wanted=$(cat "$folder"/*.toml | sed -n 's/^cost = //p')
found=$(sed -n 's/.*"optimal":true,"cost":\([0-9]*\),.*/\1/p' "$folder/answers")
[ "$wanted" = "$found" ] && echo "$(wc -l < "$folder/answers") costs as published, all proven" || { echo "costs differ"; exit 1; }

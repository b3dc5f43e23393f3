#!/usr/bin/env bash
# Measures building the engine, as a table: `benches/build.sh`, or some of its rows: `benches/build.sh release lines`.
# Builds from scratch, in a temporary folder; nothing else should run meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR="$folder/target"
[ $# -gt 0 ] || set -- release dist change test lines run

seconds() { # the time that a command takes on the clock, and of the processors
  local TIMEFORMAT='%R %U %S' times
  times=$({ time "$@" > "$folder/log" 2>&1; } 2>&1) || { cat "$folder/log" >&2; exit 1; }
  awk '{ printf "%.0f s (%.0f s of processor time)", $1, $2 + $3 }' <<< "$times"
}
row() { printf '| %-52s | %s |\n' "$1" "$2"; }
size() { # the size of a program without its symbols
  strip -o "$folder/stripped" "$1"
  awk "BEGIN { printf \"%.1f MB\", $(wc -c < "$folder/stripped") / 1e6 }"
}

row "what" "value"
row "---" "---"
for asked in "$@"; do
  case "$asked" in
    release)
      row '`cargo build --release` from nothing' "$(seconds cargo build --release)"
      row 'its program, stripped' "$(size "$CARGO_TARGET_DIR/release/engine")"
      ;;
    dist)
      row '`cargo build --profile dist` from nothing' "$(seconds cargo build --profile dist)"
      row 'its program, stripped' "$(size "$CARGO_TARGET_DIR/dist/engine")"
      ;;
    change)
      file=crates/domains/src/klotski/view.rs
      seconds cargo build > /dev/null
      seconds cargo test -p engine-domains > /dev/null
      cp "$file" "$folder/kept"
      trap 'cp "$folder/kept" "$file"; rm -rf "$folder"' EXIT
      echo 'const _: () = ();' >> "$file"
      row 'after a line changed in a domain: `cargo build`' "$(seconds cargo build)"
      row 'after that: `cargo test -p engine-domains`' "$(seconds cargo test -p engine-domains)"
      cp "$folder/kept" "$file"
      trap 'rm -rf "$folder"' EXIT
      ;;
    test)
      rm -rf "$CARGO_TARGET_DIR/debug"
      row '`cargo test` from nothing, with its run' "$(seconds env CARGO_INCREMENTAL=0 cargo test)"
      ;;
    lines)
      if ! cargo llvm-lines --version > /dev/null 2>&1; then
        row 'lines of LLVM code' 'cargo-llvm-lines is not installed'
        continue
      fi
      total=0
      for crate in crates/search crates/domain crates/domains crates/planning crates/rules-reference crates/rules .; do
        lines=$(cd "$crate" && cargo llvm-lines --lib --all-features 2> /dev/null | awk '/\(TOTAL\)/ { print $1 }')
        row "lines of LLVM code of $crate" "$lines"
        total=$((total + lines))
      done
      row 'lines of LLVM code' "$total"
      ;;
    run)
      cargo build --release > "$folder/log" 2>&1
      for puzzle in klotski1 klotski7; do
        engine="$CARGO_TARGET_DIR/release/engine"
        for _ in 1 2 3 4 5 6 7 8 9; do
          start=$(date +%s%N)
          "$engine" solve "puzzles/$puzzle.toml" --output "$folder/out"
          echo $((($(date +%s%N) - start) / 1000))
        done | sort -n | sed -n 5p > "$folder/time"
        row "$puzzle, whole process, median of nine" "$(awk '{ printf "%.1f ms", $1 / 1000 }' "$folder/time")"
      done
      ;;
    *) echo "$0: no row is called $asked: release, dist, change, test, lines, run" >&2; exit 2 ;;
  esac
done

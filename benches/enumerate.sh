#!/bin/bash
# Enumerates all boards of Rush Hour on 6x6 cells without walls, in runs that go on from each other.
#
#   benches/enumerate.sh FOLDER [TIME] [TEMPLATE]
#
# Each call works for TIME (default 10m) and prints the share that is done and the boards found by their least cost. Call it
# again with the same folder to go on. ENGINE names the program, THREADS the number of threads.
set -eu
cd "$(dirname "$0")/.."
engine=${ENGINE:-target/release/engine} template=${3:-puzzles/templates/rush-hour-6x6.toml}
set +e
time "$engine" generate "$template" --count 50 --out "$1" --time-limit "${2:-10m}" --threads "${THREADS:-2}" --force --json \
    | sed 's/,"levels":.*//'
exit "${PIPESTATUS[0]}"

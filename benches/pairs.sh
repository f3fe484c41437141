#!/bin/sh
# Counts how often `wavelerp bench --compare` is wrong: compares each of several equal runs with the previous run.
#
# Usage: benches/pairs.sh PROGRAM COUNT FOLDER
# Writes the records to FOLDER and a line per pair to the terminal. Runs COUNT pairs of `bench --quick`, a minute each.
set -u
program=$1 count=$2 folder=$3
mkdir -p "$folder"

# compare NAME OLD: prints the counts of the comparison and the rows reported as different.
compare() {
    name=$1 old=$2
    begin=$(date +%s)
    "$program" bench --quick --quiet --out "$folder/$name" --compare "$folder/$old/bench.json" \
        >"$folder/$name.txt" 2>"$folder/$name.error"
    code=$?
    echo "$name against $old: exit code $code, $(($(date +%s) - begin)) s: $(grep ' not compared$' "$folder/$name.txt")"
    grep -E '^(SLOWER|faster)' "$folder/$name.txt"
}

"$program" bench --quick --quiet --out "$folder/run0" >/dev/null || exit
for pair in $(seq "$count"); do
    compare "run$pair" "run$((pair - 1))"
done

#!/bin/sh
# How often `wavelerp bench --compare` is wrong: equal runs, each compared with the one before it, and runs in
# which a tenth and 3 % of the work of three methods are really repeated at each place of their dials, which must be
# found.
#
# Usage: benches/pairs.sh PROGRAM COUNT FOLDER
# Writes the records to FOLDER and a line per pair to the terminal. COUNT pairs of `bench --quick`: a minute each.
set -u
program=$1 count=$2 folder=$3
mkdir -p "$folder"

# compare NAME OLD FLAGS…: what the comparison counts, and what it calls different.
compare() {
    name=$1 old=$2
    shift 2
    begin=$(date +%s)
    "$program" bench --quick --quiet --out "$folder/$name" --compare "$folder/$old/bench.json" "$@" \
        >"$folder/$name.txt" 2>"$folder/$name.error"
    code=$?
    echo "$name against $old: exit code $code, $(($(date +%s) - begin)) s: $(grep ' not compared$' "$folder/$name.txt")"
    grep -E '^(SLOWER|faster)' "$folder/$name.txt"
}

"$program" bench --quick --quiet --out "$folder/run0" >/dev/null || exit
for pair in $(seq "$count"); do
    compare "run$pair" "run$((pair - 1))"
done
for slow in 1.1 1.03; do
    compare "slow-$slow" run0 --parts sweep \
        --slow "split-depth=$slow,pixel-loop-staged=$slow,wave-lerp-product=$slow"
    for dial in split-depth\ 4 split-depth\ 16 split-depth\ 64 pixel-loop-staged wave-lerp-product; do
        echo "$dial, $slow of its work:" \
            "$(grep ": $dial" "$folder/slow-$slow/compare.csv" | cut -d, -f4 | sort | uniq -c | tr '\n' ' ')"
    done
done

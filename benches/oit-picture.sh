#!/bin/sh
# The picture of docs/oit.md: a scene by approximate methods, side by side. Needs ImageMagick.
#   benches/oit-picture.sh WAVELERP OUT.png [SCENE]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
methods='pixel-loop average weighted histogram moment stochastic mlab adaptive hybrid k-buffer list-order weighted-sum'
"$1" --quiet capture --scene "${3:-temple}" --size 640x360 --page none --out "$folder/set" \
    --methods "$(echo "$methods" | tr ' ' ',')" > /dev/null
set -- "$2"
for method in $methods; do
    set -- "$@" -label "$method" "$folder/set/$method.png"
done
out=$1
shift
montage -background '#16171b' -fill '#d0d0d0' -pointsize 14 -geometry 392x221+4+2 -tile 3x -depth 8 "$@" "$out"

#!/usr/bin/env python3
"""Records the times of frames for every method that `auto` may choose. With these data, tests/suite/frames.rs judges
`--tile auto` and the built-in rule of `auto`.

    benches/record_frames.py --out tests/data/frames_h100.json
    benches/record_frames.py --fog integrated --tiles 16 --sizes 640x360,1280x720,1920x1080 --out tests/data/frames_h100_integrated.json
    benches/record_frames.py --adapter llvmpipe --out tests/data/frames_llvmpipe.json
    LP_NATIVE_VECTOR_WIDTH=128 benches/record_frames.py --adapter llvmpipe --tiles auto --turns 5 \\
        --sizes 160x90,320x180,640x360 --out tests/data/frames_llvmpipe.json

The second command records short lists, without fog slices. The third records frames for `--tile auto`, and the fourth frames
for the rule, at wave 4 (a width of 256 gives wave 8, and 512 gives wave 16, with `--scenes two`, because Mesa crashes there
when it draws triangles). A GPU is measured with `wavelerp bench --quick --parts scenes`: two sittings of at least 6 rounds
each. A CPU adapter is measured with `wavelerp capture`, one run per time; of several turns the minimum counts. FILE is JSON
with a line per frame. Frames already in it stay unless they are recorded again. Times are in µs: the composite of each
candidate, and `rest`, the sum of all other passes of the frame from projection to picture. The facts are pixels, mean and
longest list. Needs no Python packages.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

SCENES = ["temple", "stack", "harbour", "panes", "stress", "two", "statue"]
METHODS = "pixel-loop,pixel-loop-staged,split-depth,split-batches,wave-tree"
DIALS = "2p,4p,1,2,4,8,16,32,64,64b,128b,256b"

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", default="wavelerp")
parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FILE")
parser.add_argument("--adapter", default="", help="as for wavelerp")
parser.add_argument("--sizes", default="1280x720,1920x1080")
parser.add_argument("--tiles", default="8,16", help="8, 16 or auto")
parser.add_argument("--scenes", default=",".join(SCENES))
parser.add_argument("--methods", default=METHODS)
parser.add_argument("--fog", default="layers", help="as for wavelerp")
parser.add_argument("--turns", type=int, default=2, help="turns on a CPU adapter")
args = parser.parse_args()
adapter = ["--adapter", args.adapter] if args.adapter else []


def run(*arguments):
    command = [args.program, *map(str, arguments), *adapter, "--quiet"]
    print(" ".join(command[1:]), flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def short(number):
    number = float(f"{number:.4g}")
    return int(number) if number == int(number) else number


def add(scene, size, tile, wave, facts, rest, times):
    """Adds a row, and keeps the smaller times if this run has already recorded the same frame."""
    facts = [size[0] * size[1], short(facts["mean"]), int(facts["longest"])]
    times = {name: short(time) for name, time in times.items()}
    row = {"scene": scene, "size": size, "tile": tile, "wave": wave, "facts": facts, "rest": short(rest), "times": times}
    before = rows.get(key(row)) if key(row) in recorded else None
    if before:
        row["rest"] = min(row["rest"], before["rest"])
        row["times"] = {name: min(time, before["times"].get(name, time)) for name, time in times.items()}
    rows[key(row)] = row
    recorded.add(key(row))


def key(row):
    return (row["scene"], *row["size"], row["tile"], row["wave"])


def by_bench(folder, size, tile):
    """Rows of all scenes on a GPU."""
    run("bench", "--parts", "scenes", "--scenes", args.scenes, "--size", size, "--tile", tile, "--quick", "--methods", args.methods,
        "--dials", DIALS, "--pixels-per-wave", 1, "--fog", args.fog, "--force", "--out", folder)
    record = json.loads((folder / "bench.json").read_text())
    head.update({"adapter": record["adapter"]["name"], "driver": record["adapter"]["driver"], "date": record["date"]})
    frames = {}
    for of in record["rows"]:
        if of["samples"]:
            frames.setdefault(of["work"]["scene"]["name"], []).append(of)
    for scene, of_scene in frames.items():
        facts = dict(of_scene[0]["facts"])
        facts = {"mean": facts["mean list"], "longest": facts["longest list"]}
        passes = {of["label"]: statistics.median(of["samples"]) for of in of_scene[0]["passes"] if of["label"] != "composite"}
        times = {of["runner"]: statistics.median(of["samples"]) for of in of_scene}
        work, wave = of_scene[0]["work"]["scene"], record["adapter"]["wave_max"]
        add(scene, work["size"], work["tile"], wave, facts, sum(passes.values()), times)


def by_capture(folder, scene, size, tile):
    """The row of a scene on a CPU adapter."""
    run("capture", "--scene", scene, "--size", size, "--tile", tile, "--methods", args.methods, "--threads-per-pixel", 2,
        "--pixels-per-wave", 32, "--fog", args.fog, "--force", "--out", folder)
    report = json.loads((folder / "report.json").read_text())
    head.update({"adapter": report["adapter"]["name"], "driver": report["adapter"]["driver"]})
    time = lambda of: 1e3 * (of["wall_ms"] or {"median": 0})["median"]
    facts = {"mean": report["frame"]["mean_list"], "longest": report["frame"]["longest_list"]}
    times = {of["runs"]: time(of) for of in report["methods"] if of["wall_ms"]}
    settings, wave = report["settings"], report["adapter"]["wave_max"]
    tile = settings["options"]["frame"]["tile"]
    add(scene, settings["size"], tile, wave, facts, sum(map(time, report["passes"])), times)


def write():
    line = lambda of: json.dumps(of, separators=(",", ":"))
    heads = [f'"{key}":{line(value)}' for key, value in head.items()]
    frames = ",\n".join(map(line, rows.values()))
    args.out.write_text("{" + ",\n".join([*heads, f'"frames":[\n{frames}\n]']) + "}\n")


before = json.loads(args.out.read_text()) if args.out.exists() else {"frames": []}
rows, recorded = {key(row): row for row in before.pop("frames")}, set()
head = before
listed = subprocess.run([args.program, "list", "--json", "-", *adapter, "--quiet"], check=True, capture_output=True, text=True)
listed = json.loads(listed.stdout)
is_cpu = next(of["is_cpu"] for of in listed["adapters"] if of["name"] == listed["adapter"])
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder) / "out"
    for size in args.sizes.split(","):
        if not is_cpu:
            for tile in args.tiles.split(","):
                by_bench(folder, size, tile)
            write()
            continue
        for scene in args.scenes.split(","):
            for _ in range(args.turns):
                for tile in args.tiles.split(","):
                    by_capture(folder, scene, size, tile)
            write()
print(f"{args.out}: {len(rows)} frames")

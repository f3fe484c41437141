#!/usr/bin/env python3
"""Records what frames take in tiles of 8 and of 16 pixels, by every candidate of `auto`: the data that tests/suite/frames.rs
judges `--tile auto` and the built-in rule of `auto` by.

    benches/record_frames.py --out tests/data/frames_h100.json
    benches/record_frames.py --adapter llvmpipe --out tests/data/frames_llvmpipe.json

A GPU is measured by `wavelerp bench --quick --parts scenes`: two sittings of at least 6 rounds each. A CPU adapter is measured
by `wavelerp capture`, one run for each time; of several turns the least counts. FILE is JSON with a line per frame. Times are
µs: of each candidate the composite, and of the frame `rest`, the sum of all other passes from projection to picture. The
facts are pixels, mean and longest list, and splats per tile. Plain Python, nothing to install.
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
parser.add_argument("--scenes", default=",".join(SCENES))
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


def row(scene, size, tile, facts, rest, times):
    width, height = size
    tiles = -(-width // tile) * -(-height // tile)
    facts = [width * height, short(facts["mean"]), int(facts["longest"]), short(facts["entries"] / tiles)]
    times = {name: short(time) for name, time in times.items()}
    return {"scene": scene, "size": size, "tile": tile, "facts": facts, "rest": short(rest), "times": times}


def by_bench(folder, size, tile):
    """Rows of all scenes on a GPU."""
    run("bench", "--parts", "scenes", "--scenes", args.scenes, "--size", size, "--tile", tile, "--quick", "--methods", METHODS,
        "--dials", DIALS, "--pixels-per-wave", 1, "--force", "--out", folder)
    record = json.loads((folder / "bench.json").read_text())
    head.update({"adapter": record["adapter"]["name"], "driver": record["adapter"]["driver"], "date": record["date"]})
    frames = {}
    for of in record["rows"]:
        if of["samples"]:
            frames.setdefault(of["work"]["scene"]["name"], []).append(of)
    for scene, rows in frames.items():
        facts = dict(rows[0]["facts"])
        facts = {"mean": facts["mean list"], "longest": facts["longest list"], "entries": facts["list entries"]}
        passes = {of["label"]: statistics.median(of["samples"]) for of in rows[0]["passes"] if of["label"] != "composite"}
        times = {of["runner"]: statistics.median(of["samples"]) for of in rows}
        yield row(scene, rows[0]["work"]["scene"]["size"], tile, facts, sum(passes.values()), times)


def by_capture(folder, scene, size, tile):
    """The row of a scene on a CPU adapter, with a thread per pixel or batches of 128 layers."""
    run("capture", "--scene", scene, "--size", size, "--tile", tile, "--pixels-per-thread", 1, "--methods",
        "pixel-loop,pixel-loop-staged,split-batches", "--force", "--out", folder)
    report = json.loads((folder / "report.json").read_text())
    head.update({"adapter": report["adapter"]["name"], "driver": report["adapter"]["driver"]})
    time = lambda of: 1e3 * (of["wall_ms"] or {"median": 0})["median"]
    frame = report["frame"]
    facts = {"mean": frame["mean_list"], "longest": frame["longest_list"], "entries": 0}
    dials = {"pixel-loop-staged": "pixel-loop-staged 1", "split-batches": "split-batches 128b"}
    times = {dials.get(of["method"], of["method"]): time(of) for of in report["methods"] if of["wall_ms"]}
    return row(scene, report["settings"]["size"], tile, facts, sum(map(time, report["passes"])), times)


def least(one, other):
    times = {name: min(time, other["times"].get(name, time)) for name, time in one["times"].items()}
    return {**one, "rest": min(one["rest"], other["rest"]), "times": times}


def write():
    line = lambda of: json.dumps(of, separators=(",", ":"))
    heads = [f'"{key}":{line(value)}' for key, value in head.items()]
    frames = ",\n".join(map(line, rows.values()))
    args.out.write_text("{" + ",\n".join([*heads, f'"frames":[\n{frames}\n]']) + "}\n")


head, rows = {}, {}
listed = subprocess.run([args.program, "list", "--json", "-", *adapter, "--quiet"], check=True, capture_output=True, text=True)
listed = json.loads(listed.stdout)
is_cpu = next(of["is_cpu"] for of in listed["adapters"] if of["name"] == listed["adapter"])
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder) / "out"
    for size in args.sizes.split(","):
        if not is_cpu:
            for tile in (8, 16):
                for of in by_bench(folder, size, tile):
                    rows[of["scene"], size, tile] = of
                write()
            continue
        for scene in args.scenes.split(","):
            for _ in range(args.turns):
                for tile in (8, 16):
                    of = by_capture(folder, scene, size, tile)
                    before = rows.get((scene, size, tile))
                    rows[scene, size, tile] = least(of, before) if before else of
            write()
print(f"{args.out}: {len(rows)} frames")

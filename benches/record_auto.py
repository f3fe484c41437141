#!/usr/bin/env python3
"""Records what `auto` knows of a GPU and what it should choose: the data that tests/suite/auto.rs judges its rule by.

Two things are measured: a calibration (`wavelerp calibrate`, lists and frames), and, held out of it, the times of
every candidate on frames and on lists that the calibration does not have: all scenes but `temple`, which the calibration
draws, and the crowd of `benches/crowd.ron`, at four sizes; and synthetic lists of 15 sizes and lengths, of every cost
and kind. What is held out is measured by `wavelerp bench --quick`: two sittings, each with 5 to 20 rounds, and more in
neither where they would take more than 1.5 s. In the end `calibrate --frames` is run once more, for its time alone.

    benches/record_auto.py --out tests/data/calibration_h200.json

FILE is JSON with a line per row. Times are medians in µs, in the order of `candidates`, null where there is none;
facts are pixels, mean and longest list, and splats per tile (`Facts` of src/methods/auto/mod.rs). `tile` is the edge of the tiles; where it
is absent it is 8. `wave-tree` has no times on
held-out frames: there it is timed at another number of pixels per wave than `auto` has. FILE is written anew after every
step, and what is not begun after --seconds is left out; about five minutes are enough on an H200. Plain Python, nothing
to install.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

CROWD = pathlib.Path(__file__).parent / "crowd.ron"
SIZES = ["1920x1080", "1280x720", "960x540", "640x360"]
SCENES = ["stack", "harbour", "panes", "stress", "two", "statue", str(CROWD)]
OUTPUTS = ["48x48", "100x100", "200x200", "400x300", "1280x720"]
LAYERS = [20, 64, 300]
COSTS = ["cheap", "textured", "procedural"]
KINDS = ["particles", "fog", "mixed"]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", default="wavelerp")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("calibration.json"), metavar="FILE")
parser.add_argument("--work", type=pathlib.Path, metavar="FOLDER", help="keep what the program wrote here")
parser.add_argument("--seconds", type=float, default=330.0, help="begin nothing later than this after the start")
parser.add_argument("--sizes", default=",".join(SIZES), help="sizes of held-out frames")
parser.add_argument("--scenes", default=",".join(SCENES), help="scenes of held-out frames")
parser.add_argument("--outputs", default=",".join(OUTPUTS), help="sizes of held-out lists")
parser.add_argument("--layers", default=",".join(map(str, LAYERS)), help="lengths of held-out lists")
parser.add_argument("--costs", default=",".join(COSTS), help="costs of held-out lists")
parser.add_argument("--rounds", help="least number of rounds; default: that of bench --quick")
parser.add_argument("--held-out", type=pathlib.Path, metavar="FILE", help="take what this one holds out, and time nothing for it")
parser.add_argument("--calibration", type=pathlib.Path, metavar="FILE", help="take this one instead of a new one")
args = parser.parse_args()

begin = time.monotonic()
failed = []


def run(what, *arguments):
    """Whether the program ran to its end. Says how long it took."""
    if time.monotonic() - begin > args.seconds:
        failed.append(f"{what}: no time was left")
        return False
    before = time.monotonic()
    done = subprocess.run([args.program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    print(f"{time.monotonic() - begin:5.0f} s  {what}: {time.monotonic() - before:.1f} s", flush=True)
    if done.returncode != 0:
        failed.append(f"{what}: exit code {done.returncode}: {done.stderr[-500:]}")
    return done.returncode == 0


def bench(what, folder, *arguments):
    """The rows of a run of `bench`."""
    methods = ",".join(dict.fromkeys(method for method, _ in candidates))
    dials = ",".join(dict.fromkeys(dial for _, dial in candidates))
    rounds = ["--rounds", args.rounds] if args.rounds else []
    arguments = [*arguments, "--methods", methods, "--dials", dials, "--pixels-per-wave", 1, *rounds]
    if not run(what, "bench", "--quick", "--quiet", "--force", "--out", folder, *arguments):
        return []
    return json.loads((folder / "bench.json").read_text())["rows"]


def candidate_of(row):
    """Method and dial of a row, or none if `auto` does not choose it as it was timed."""
    dial = (row["runner"].split(" ") + ["1"])[1]
    return (row["method"], "1" if dial == "P=1" else dial)


def time_of(row):
    """Four digits of the median, µs."""
    ratio = row["passes_to_wall"]
    if not row["samples"] or not (ratio is None or 0.5 <= ratio <= 1.5):
        return None
    return rounded(statistics.median(row["samples"]))


def rounded(number):
    short = float(f"{number:.4g}")
    return int(short) if short == int(short) else short


def in_order(times):
    return [times.get(candidate) for candidate in candidates]


def facts_of(rows, work):
    """Pixels, mean list, longest list and splats per tile, and the cost and kind of synthetic lists."""
    if "lists" in work:
        of = work["lists"]
        pixels = of["outputs"][0] * of["outputs"][1]
        return [pixels, of["layers"], of["layers"], 0], [of["cost"], of["kind"]]
    width, height = work["scene"]["size"]
    tile = work["scene"]["tile"]
    tiles = -(-width // tile) * -(-height // tile)
    facts = dict(next((row["facts"] for row in rows if row["facts"]), []))
    if not facts:
        return None, None
    splats = facts["list entries"] / tiles
    return [width * height, round(facts["mean list"], 4), int(facts["longest list"]), round(splats, 4)], None


def name_of(work):
    if "lists" in work:
        of = work["lists"]
        return f"{of['outputs'][0]}x{of['outputs'][1]}, {of['layers']} layers, {of['cost']} {of['kind']}"
    return f"{work['scene']['name']} {work['scene']['size'][0]}x{work['scene']['size'][1]}"


def hold_out(rows):
    works = {json.dumps(row["work"]): row["work"] for row in rows}
    for key, work in works.items():
        own = [row for row in rows if json.dumps(row["work"]) == key]
        facts, synthetic = facts_of(own, work)
        times = in_order({candidate_of(row): time_of(row) for row in own})
        if facts is None or not any(times):
            failed.append(f"{name_of(work)}: nothing was timed: {own[0]['skipped']}")
            continue
        tile = work["scene"]["tile"] if "scene" in work else 8
        held_out.append({"name": name_of(work), "synthetic": synthetic, "tile": tile, "facts": facts, "times": times})
    write()


def write():
    """One line per row, so that the file can be read and compared."""
    line = lambda of: json.dumps(of, separators=(",", ":"))
    heads = [f'"{key}":{line(value)}' for key, value in head.items()]
    lists = [f'"{name}":[\n' + ",\n".join(map(line, rows)) + "\n]" for name, rows in [("points", points), ("held_out", held_out)]]
    args.out.write_text("{" + ",\n".join(heads + lists) + "}\n")


head, candidates, points, held_out = {}, [], [], []
kept = tempfile.TemporaryDirectory()
work = args.work or pathlib.Path(kept.name)
work.mkdir(parents=True, exist_ok=True)
file = args.calibration or work / "calibration.json"
if not args.calibration and not run("calibrate", "calibrate", "--quiet", "--out", file):
    sys.exit("\n".join(failed))
calibration = json.loads(file.read_text())
for source in calibration["maps"]:
    for point in source["points"]:
        for candidate, _ in point["times"]:
            if candidate["pixels_per_wave"] != 1:
                sys.exit(f"{candidate}: the form of {args.out} has no place for pixels per wave")
            if (candidate["method"], candidate["dial"]) not in candidates:
                candidates.append((candidate["method"], candidate["dial"]))
for source in calibration["maps"]:
    for point in source["points"]:
        times = {(of["method"], of["dial"]): rounded(time) for of, time in point["times"]}
        facts = [round(point["facts"][of], 4) for of in ("pixels", "mean", "longest", "splats")]
        points.append({"synthetic": source["synthetic"], "tile": source["tile"], "facts": facts, "times": in_order(times)})
head = {of: calibration[of] for of in ("adapter", "unchecked_shaders", "date", "seconds")}
head["candidates"] = candidates
write()

if args.held_out:
    earlier = json.loads(args.held_out.read_text())
    if [tuple(of) for of in earlier["candidates"]] != candidates or earlier["adapter"]["name"] != head["adapter"]["name"]:
        sys.exit(f"{args.held_out}: it has other candidates, or is of another adapter")
    held_out = earlier["held_out"]
    args.sizes = args.costs = ""
for size in filter(None, args.sizes.split(",")):
    hold_out(bench(size, work / size, "--parts", "scenes", "--scenes", args.scenes, "--size", size))
for cost in filter(None, args.costs.split(",")):
    lists = ["--parts", "sweep", "--outputs", args.outputs, "--layers", args.layers, "--cost", cost, "--kind", ",".join(KINDS)]
    hold_out(bench(f"{cost} lists", work / cost, *lists))
again = work / "frames.json"
if run("calibrate --frames", "calibrate", "--frames", "--quiet", "--out", again):
    head["seconds_of_frames"] = json.loads(again.read_text())["seconds"]
    write()
print(f"{args.out}: {len(points)} points, {len(held_out)} held out, {args.out.stat().st_size / 1000:.0f} kB")
sys.exit("\n".join(failed))

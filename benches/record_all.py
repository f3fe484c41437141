#!/usr/bin/env python3
"""Records the numbers of README.md, docs/capture.md, docs/oit.md and docs/results.md on one GPU, in one sitting.

    benches/record_all.py --program target/release/wavelerp --out recorded

Each step writes its own folder, as `wavelerp bench` and `wavelerp capture` do. Afterwards, `numbers.md` contains every time
with its spread, the table of the README, all rows of docs/oit.md, and the line by which the tests see that a table is old. The
most important steps come first: no step begins after `--minutes`, and the output names skipped steps. A step with an existing
folder is not run again, so that a second sitting can continue. Other scripts measure other programs and comparisons:
`beside_gsplat.py`, `beside_peers.py` and `pairs.sh`. Needs no Python packages.
"""

import argparse
import hashlib
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
FLAT = "--outputs 1920x1080 --layers 128 --cost cheap --kind particles"
FEW = "--outputs 8x8,16x16,32x32,64x64 --layers 8,16,32,64 --cost textured,procedural --kind particles,fog,mixed"
MAP = "--outputs 32x32,64x64,128x128,256x256,512x512,1280x720,1920x1080,3840x2160 --layers 4,16,64,128,256,1024,4096"
TILES = "--methods pixel-loop-staged --dials 1,2p,4p"
# Names and commands. Names that end in "padded" are for the padded form of the loop of lane reads.
STEPS = [
    ("frame", "capture --scene temple --size 1920x1080"),
    ("frame-padded", "capture --scene temple --size 1920x1080 --tail padded"),
    ("frame-integrated", "capture --scene temple --size 1920x1080 --fog integrated"),
    ("frame-integrated-padded", "capture --scene temple --size 1920x1080 --fog integrated --tail padded"),
    ("flat", f"bench --parts sweep {FLAT}"),
    ("flat-padded", f"bench --parts sweep {FLAT} --tail padded"),
    ("points", "bench --parts cases --cases points"),
    ("points-padded", "bench --parts cases --cases points --tail padded"),
    ("long", "bench --parts sweep --outputs 160x88 --layers 1024 --cost cheap --kind particles"),
    ("long-padded", "bench --parts sweep --outputs 160x88 --layers 1024 --cost cheap --kind particles --tail padded"),
    ("columns", "bench --parts cases --cases integrate"),
    ("oit", "bench --parts oit --size 1920x1080"),
    ("oit-integrated", "bench --parts oit --size 1920x1080 --fog integrated"),
    ("scenes", "bench --parts scenes --size 1920x1080"),
    ("scenes-integrated", "bench --parts scenes --size 1920x1080 --fog integrated"),
    ("map", f"bench --quick --parts sweep --cost cheap --kind particles {MAP}"),
    ("nearest", f"bench --quick --parts sweep {FEW}"),
    ("crowd", "bench --parts scenes --scenes benches/crowd.ron --size 1920x1080 --quick"),
    ("stress", "bench --parts scenes --scenes stress --size 640x360 --methods pixel-loop,pixel-loop-staged,split-depth,split-batches"),
    ("cloud-8", f"bench --parts cases --cases cloud --quick --tile 8 {TILES}"),
    ("cloud-16", f"bench --parts cases --cases cloud --quick --tile 16 {TILES}"),
    ("cloud-16-half", f"bench --parts cases --cases cloud --quick --tile 16 --precision half {TILES}"),
    ("hazard-driver", f"bench --parts sweep {FLAT} --methods wave-lerp-deferred,pixel-loop --hazard driver"),
    ("hazard-driver-guarded", f"bench --parts sweep {FLAT} --methods wave-lerp-deferred,pixel-loop --hazard driver-guarded"),
    ("hazard-division", f"bench --parts sweep {FLAT} --methods wave-lerp-deferred,pixel-loop --hazard division"),
    ("hazard-division-guarded", f"bench --parts sweep {FLAT} --methods wave-lerp-deferred,pixel-loop --hazard division-guarded"),
]
# Rows of the README's table: label, step, and the work of this step.
README = [
    ("a full-HD picture, 128 layers at each pixel", "flat"),
    ("the frame above, at 1920x1080", "frame"),
    ("the same with integrated fog", "frame-integrated"),
    ("1024 points, 1024 layers each", "points"),
    ("160x88 pixels, 1024 layers each", "long"),
]
SCENES = ["temple", "stack", "harbour", "panes", "stress", "statue"]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", default="wavelerp")
parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER")
parser.add_argument("--adapter", default="", help="as for wavelerp")
parser.add_argument("--minutes", type=float, default=25)
parser.add_argument("--only", default="", help="names of steps, separated by commas")
args = parser.parse_args()


def record():
    """Runs the steps without a folder; returns the skipped steps with reasons."""
    left_out, end = {}, time.monotonic() + 60 * args.minutes
    adapter = ["--adapter", args.adapter] if args.adapter else []
    for name, command in STEPS:
        folder = args.out / name
        if folder.exists() or (args.only and name not in args.only.split(",")):
            continue
        if time.monotonic() > end:
            left_out[name] = f"{args.minutes:g} minutes were over"
            continue
        print(f"{name}: {command}", flush=True)
        done = subprocess.run([args.program, *command.split(), *adapter, "--quiet", "--out", folder], stdout=subprocess.DEVNULL)
        if done.returncode:
            left_out[name] = f"exit code {done.returncode}"
    frames = args.out / "frames.json"
    if not (frames.exists() or args.only) and time.monotonic() < end:
        subprocess.run([sys.executable, HERE / "record_frames.py", "--program", args.program, "--out", frames, *adapter])
        short = ["--fog", "integrated", "--tiles", "16", "--sizes", "640x360,1280x720,1920x1080", "--out", args.out / "frames_integrated.json"]
        subprocess.run([sys.executable, HERE / "record_frames.py", "--program", args.program, *short, *adapter])
    return left_out


def scenes_digest():
    digest = hashlib.sha256()
    for path in sorted((HERE.parent / "assets/scenes").iterdir()):
        data = path.read_bytes()
        digest.update(f"{path.name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def read(name):
    """The record of a step: work, runner and milliseconds of each row, and the whole record."""
    for file in ["bench.json", "report.json"]:
        path = args.out / name / file
        if not path.exists():
            continue
        record = json.loads(path.read_text())
        if file == "report.json":
            times = [(of["runs"], of["gpu_ms"] or of["wall_ms"]) for of in record["methods"] if of.get("runs")]
            return record, [("frame", runs, [of["median"], of["p5"], of["p95"]], of["n"]) for runs, of in times if of]
        rows = []
        for of in record["rows"]:
            samples = sorted(sample / 1e3 for sample in of["samples"])
            if samples:
                ends = [samples[round(part * (len(samples) - 1))] for part in (0.05, 0.95)]
                rows.append((work(of), of["runner"], [statistics.median(samples), *ends], len(samples)))
        return record, rows
    return None, []


def work(row):
    kind, of = next(iter(row["work"].items()))
    size = "x".join(map(str, of.get("size") or of.get("outputs") or []))
    return " ".join(str(part) for part in [of.get("name"), size, of.get("layers"), of.get("cost"), of.get("kind")] if part)


def line(cells):
    return "| " + " | ".join(cells) + " |\n"


def table(heads, rows):
    return line(heads) + "|---|" + "---:|" * (len(heads) - 1) + "\n" + "".join(map(line, rows)) + "\n"


def digits(value):
    return f"{value:.3g}" if value < 1e-3 else f"{value:.4g}"


def best(rows, wanted):
    times = [times[0] for _, runner, times, _ in rows if wanted(runner)]
    return digits(min(times)) if times else "–"


def readme():
    is_loop = lambda runner: runner.startswith("read-lane-loop")
    # `auto` runs one of the others. Drawn methods may have only a small part of this GPU.
    is_any = lambda runner: not runner.startswith(("auto", "fixed-function"))
    rows = []
    for title, step in README:
        (_, own), (_, padded) = read(step), read(f"{step}-padded")
        lerp = best(own + padded, lambda runner: runner.startswith("wave-lerp"))
        rows.append([title, lerp, best(padded, is_loop), best(own, is_loop), best(own + padded, is_any)])
    return table(["workload (times in ms)", "best wave lerp", "loop of lane reads, padded tail", "the same, ragged tail", "best of all"], rows)


def oit(name):
    record, _ = read(name)
    if not record:
        return ""
    cells, bytes_of = {}, {}
    for of in record["rows"]:
        if not of.get("errors"):
            continue
        behind = [statistics.median(each["samples"]) for each in of["passes"] if each["label"] not in ("bloom", "resolve") and each["samples"]]
        took = f"{sum(behind) / 1e3:.2f}" if of["samples"] else "–"
        # The error of the picture; older records have only the error before the background.
        rmse = (of["errors"].get("picture") or of["errors"])["rmse"]
        rmse = "0" if rmse == 0 else f"{rmse:.3f}" if rmse >= 1e-3 else f"{rmse:.0e}"
        # `auto` runs different methods in different scenes.
        runner = of["runner"].split(" (")[0] if of["runner"].startswith("auto") else of["runner"]
        # The best scale differs from scene to scene.
        runner = re.sub(r" x[\d.e-]+$", " at its best scale", runner)
        cells.setdefault(runner, {})[of["work"]["scene"]["name"]] = f"{rmse}, {took}"
        kept = of.get("pixel_bytes") or {}
        bytes_of[runner] = ", ".join(str(kept[key]) if kept.get(key) is not None else "–" for key in ("state", "drawn"))
    rows = [[f"`{runner}`", *(of.get(scene, "–") for scene in SCENES), bytes_of[runner]] for runner, of in cells.items()]
    return table(["method", *SCENES, "state, drawn B"], rows)


def conditions():
    for name, _ in STEPS:
        record, _ = read(name)
        if record:
            adapter, made = record["adapter"], f"{record['program']} {record.get('git', '')}".strip()
            day = record.get("date", time.strftime("%Y-%m-%d", time.gmtime()))
            return (
                f"{adapter['name']}, driver {adapter['driver']}, wave {adapter['wave_max']}, {day}, {made}, "
                f"by shaders `{record['shaders']}` and scenes `{scenes_digest()}`.\n\n"
            )
    return ""


args.out.mkdir(parents=True, exist_ok=True)
left_out = record()
text = "# Recorded\n\n" + conditions()
text += "".join(f"* {name} was left out: {why}.\n" for name, why in left_out.items())
text += "\n## README's table\n\n" + readme() + "## docs/oit.md's table\n\n" + oit("oit")
text += "## The same with integrated fog\n\n" + oit("oit-integrated")
for name, command in STEPS:
    _, rows = read(name)
    if rows and not name.startswith("oit"):
        rows = [[of, f"`{runner}`", *map(digits, times), str(n)] for of, runner, times, n in rows]
        text += f"## {name}: `wavelerp {command}`\n\n" + table(["work", "runner", "median, ms", "p5", "p95", "n"], rows)
(args.out / "numbers.md").write_text(text)
print(f"{args.out / 'numbers.md'}: {sum(bool(read(name)[0]) for name, _ in STEPS)} of {len(STEPS)} steps")
sys.exit(1 if left_out else 0)

#!/usr/bin/env python3
"""Times wavelerp, gsplat and HiGS on one GPU in one run, and checks that all draw the same pictures.

The rows are the six clouds of round splats of the case `cloud` of bench, a million splats of all shapes and orientations
with harmonics, and files named as arguments, such as the statue. `beside_gsplat.py` draws the pictures.

    npx @playcanvas/splat-transform assets/scenes/statue.spz statue.ply
    benches/beside_peers.py --out beside statue.ply:0.9,0.75,2.4:0,0.45,0

For a cloud, wavelerp is timed twice: with the case `cloud`, which has round splats, and with the case `splats`, which, like
the peers, projects splats of any shape from the file. In the file the splats are discs that face the camera, so that both
cases and the peers draw the same picture. The peers are also timed with balls, which perspective stretches away from the
middle of the picture.

FOLDER/beside.json and FOLDER/beside.md are rewritten after every step. They name failed steps; the other steps still run.
"""

import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys
import time
import traceback

import beside_gsplat as beside

# Number of splats, standard deviation in pixels, and opacity, as in src/runs/bench/cloud.rs.
CLOUDS = [
    (100_000, 2.0, 0.3),
    (100_000, 8.0, 0.1),
    (1_000_000, 1.0, 0.3),
    (1_000_000, 2.0, 0.3),
    (1_000_000, 8.0, 0.02),
    (4_000_000, 1.0, 0.1),
]
FIELD_OF_CLOUDS = math.degrees(2 * math.atan(0.5))
PRECISIONS = ("full", "half")

point = lambda text: beside.np.array([float(part) for part in text.split(",")])
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("files", nargs="*", metavar="FILE:EYE:TARGET", help="a PLY file and its camera, metres, y up")
parser.add_argument("--program", default="wavelerp")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("beside"))
parser.add_argument("--work", type=pathlib.Path, help="folder of splats and pictures, gigabytes; default: within --out")
parser.add_argument("--after", type=pathlib.Path, help="wait until this file exists, for example the result of building gsplat")
parser.add_argument("--seconds", type=float, default=math.inf, help="start no step later than this")
parser.add_argument("--clouds", type=int, default=len(CLOUDS), help="number of clouds, from the first")
parser.add_argument("--random", type=int, default=1_000_000, help="random splats of all shapes; 0 for none")
args = parser.parse_args()

begin = time.monotonic()
work = args.work or args.out / "work"
work.mkdir(parents=True, exist_ok=True)
args.out.mkdir(parents=True, exist_ok=True)
rows, pictures, scenes = {}, {}, {}


def step(row, what, task):
    """Runs one step of a row, and stores its result or its error."""
    if time.monotonic() - begin > args.seconds:
        result = {"failed": "no time was left"}
    else:
        try:
            result = task()
        except Exception as error:
            traceback.print_exc()
            result = {"failed": f"{type(error).__name__}: {error}"}
    keep(row, what, result)


def keep(row, what, result):
    rows.setdefault(row, {})[what] = result
    (args.out / "beside.json").write_text(json.dumps(rows, indent=1) + "\n")
    (args.out / "beside.md").write_text(markdown())
    print(f"{time.monotonic() - begin:5.0f} s  {row}: {what}: {brief(result)}", flush=True)


def brief(result):
    if not isinstance(result, dict):
        return result
    if "kernels_ms" in result or "failed" in result or "sum_ms" in result:
        found = [f"{result[of]:.4g}" for of in ("kernels_ms", "sum_ms") if of in result] or [result["failed"]]
        return " ".join(found + [f"{one['psnr_db']:.1f} dB" for one in result.get("beside", {}).values()])
    return ", ".join(f"{name} {brief(of)}" for name, of in result.items() if isinstance(of, dict))


def best(row, prefix, key, balls=False):
    """The shortest time of a row among names with this prefix, with or without balls; None if there is no time."""
    found = [of[key] for name, of in row.items() if name.startswith(prefix) and ("balls" in name) == balls and key in of]
    return min(found, default=None)


def by_kernel(each):
    """Times of kernels in µs, by short names."""
    short = {}
    for name, time_ms in each.items():
        name = re.split("[(<]", name.replace("(anonymous namespace)::", ""))[0].split("::")[-1].split(" ")[-1]
        short[name or "other"] = short.get(name or "other", 0) + 1000 * time_ms
    return ", ".join(f"{name} {of:.0f}" for name, of in short.items() if of >= 0.5)


def markdown():
    number = lambda value, digits=3: "–" if value is None else f"{value:.{digits}f}"
    ratio = lambda a, b: None if a is None or b is None else a / b
    times, parts, looks = [], [], []
    ratios = {"cloud": [], "splats": []}
    for name, row in rows.items():
        peers = {peer: of for peer, of in row.get("peers", {}).items() if isinstance(of, dict)}
        looks += [[name, what, of["failed"]] for what, of in [*row.items(), *peers.items()] if "failed" in of]
        higs, gsplat = best(peers, "HiGS", "kernels_ms"), best(peers, "gsplat", "kernels_ms")
        for case, all_ratios in ratios.items():
            ours = {precision: of for precision, of in row.get(case, {}).items() if isinstance(of, dict)}
            full, half = best(ours, "full", "sum_ms"), best(ours, "half", "sum_ms")
            if full is None and half is None:
                continue
            compared = [ratio(gsplat, full), ratio(higs, full), ratio(higs, half)]
            all_ratios.append(compared)
            of_balls = best(peers, "HiGS", "kernels_ms", balls=True)
            sums = map(number, (gsplat, higs, of_balls, full, half))
            cells = [name, case, *sums, *(number(of, 2) for of in compared)]
            times.append(cells)
            for precision in PRECISIONS:
                if "passes_ms" in ours.get(precision, {}):
                    passes = ", ".join(f"{of} {1000 * ms:.0f}" for of, ms in ours[precision]["passes_ms"].items())
                    parts.append([name, f"wavelerp, {case}, {precision}: {ours[precision]['runner']}", passes])
        for peer, of in peers.items():
            if "each_ms" in of:
                parts.append([name, f"{peer}: {of['kernels_ms']:.3f} ms", by_kernel(of["each_ms"])])
            for precision, seen in of.get("beside", {}).items():
                means = " / ".join(f"{a:.5f} {b:.5f}" for a, b in zip(*seen["mean_rgbt"]))
                cells = [f"{seen['psnr_db']:.1f}", f"{seen['max_abs']:.4f}", str(seen["pixels_over_1_255"]), means]
                looks.append([name, f"{peer}, wavelerp {precision}", *cells])
    for case, all_ratios in ratios.items():
        if all_ratios:
            means = []
            for column in zip(*all_ratios):
                known = [math.log(of) for of in column if of]
                means.append(number(math.exp(sum(known) / len(known)) if known else None, 2))
            times.append(["geometric mean", case, *[""] * 5, *means])
    text = ""
    for head, lines in (
        ("splats | case | gsplat, ms | HiGS | HiGS, balls | wavelerp | half | gsplat : wavelerp | HiGS : wavelerp | HiGS : half", times),
        ("splats | peer | PSNR, dB | worst | pixels over 1/255 | mean r / g / b / T of wavelerp and peer", looks),
        ("splats | by | µs", parts),
    ):
        columns = head.count("|") + 1
        text += f"| {head} |\n{'|---' * columns}|\n" + "".join(f"| {' | '.join(cells)} |\n" for cells in lines) + "\n"
    return text


def draw(name, path, camera, make):
    """Writes the file if it does not exist, and draws it with wavelerp, untimed."""
    if make:
        script = pathlib.Path(__file__).parent / "random_splats.py"
        subprocess.run([sys.executable, str(script), make[0], str(path), *make[1:]], check=True)
    scenes[name] = beside.write_scene(path, camera, work / name.replace(" ", "-"))
    folder = scenes[name].parent
    pictures[name] = {of: beside.picture_of(args.program, scenes[name], folder, of) for of in PRECISIONS}
    return {"half_beside_full": beside.compare(pictures[name]["full"], pictures[name]["half"])}


jobs = {}
clouds = [(f"cloud {n} {sigma:g} {opacity:g}", str(n), sigma, opacity) for n, sigma, opacity in CLOUDS[: args.clouds]]
from_middle = lambda fov: beside.Camera(point("0,0,0"), point("0,0,-1"), fov)
for name, count, sigma, opacity in clouds:
    make = [count, "--cloud", "--sigma", str(sigma), "--opacity", str(opacity)]
    jobs[name] = (work / f"{name.replace(' ', '-')}.ply", from_middle(FIELD_OF_CLOUDS), make)
if args.random:
    jobs[f"random {args.random}"] = (work / "random.ply", from_middle(60.0), [str(args.random)])
for file in args.files:
    file, eye, target = file.rsplit(":", 2)
    jobs[pathlib.Path(file).stem] = (pathlib.Path(file), beside.Camera(point(eye), point(target), 60.0), None)

with concurrent.futures.ThreadPoolExecutor(4) as pool:
    drawn = {name: pool.submit(draw, name, *job) for name, job in reversed(jobs.items())}
for name in jobs:
    step(name, "wavelerp's pictures", drawn[name].result)
while args.after and not args.after.exists() and time.monotonic() - begin < args.seconds:
    time.sleep(0.5)

if clouds:
    for precision in PRECISIONS:
        flags = ["--cases", "cloud", "--quick", "--methods", "pixel-loop-staged", "--dials", "1,2p,4p"]
        try:
            found = beside.bench(args.program, work, precision, flags)
        except Exception as error:
            print(f"bench --cases cloud: {error}", flush=True)
            found = []
        for name, *_ in clouds:
            of_cloud = [row for row in found if row["case"] == name]
            if of_cloud:
                fastest = min(of_cloud, key=lambda row: row["sum_ms"])
                keep(name, "cloud", {**rows[name].get("cloud", {}), precision: fastest})


def general(name):
    """Runs the case `splats` with a file, in both precisions."""
    times = lambda of: beside.times_of(args.program, scenes[name], scenes[name].parent, of, "--quick", "--dials", "1,2p,4p")
    return {of: times(of) for of in PRECISIONS}


of_cloud = {name for name, *_ in clouds}
for name, (path, camera, _) in jobs.items():
    if name not in of_cloud:
        step(name, "splats", lambda: general(name))
    step(name, "peers", lambda: beside.beside_peers(pictures.get(name, {}), path, camera, balls=name in of_cloud))
for name in jobs:
    if name in of_cloud:
        step(name, "splats", lambda: general(name))

print(markdown())
agree = [
    beside.agrees(peer, of)
    for row in rows.values()
    for peer, of in row.get("peers", {}).items()
    if isinstance(of, dict) and "balls" not in peer
]
sys.exit(0 if agree and all(agree) else 1)

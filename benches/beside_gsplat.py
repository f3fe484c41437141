#!/usr/bin/env python3
"""Draws a PLY file of Gaussian splats by wavelerp and by gsplat (PyPI 1.5.3, CUDA), and compares pictures and times.

Both get the same camera, 1920x1080 pixels, a dilation of 0.3 px² and a threshold of 1/255. The pictures are compared as
floats, before they become bytes. gsplat stops where the transmittance falls below 1e-4, wavelerp with
--early-out 0.0001 at about the same place, in pictures and in times. gsplat's time is the sum of its kernels without the
gaps between launches; wavelerp's is that of its passes from projection to composite (the case `splats` of bench), with
each way of listing splats, in the best of its tiles and dials.

    benches/beside_gsplat.py million.ply --out beside
    npx @playcanvas/splat-transform assets/scenes/statue.spz statue.ply
    benches/beside_gsplat.py statue.ply --eye 0.9,0.75,2.4 --target 0,0.45,0 --out beside-statue

Needs PyTorch with CUDA and the packages gsplat, numpy and OpenEXR. The exit code is 1 where PSNR is below 50 dB.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

import numpy as np
import OpenEXR
import torch
from gsplat import rasterization
from torch.profiler import ProfilerActivity, profile

LEAST_PSNR = 50.0
WIDTH, HEIGHT = 1920, 1080
NEAR, FAR = 0.1, 1000.0
FRAMES = 20


def point(text):
    return np.array([float(part) for part in text.split(",")])


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("file", type=pathlib.Path)
parser.add_argument("--program", default="wavelerp")
parser.add_argument("--eye", type=point, default=point("0,0,0"), help="metres, y up")
parser.add_argument("--target", type=point, default=point("0,0,-1"))
parser.add_argument("--fov", type=float, default=60.0, help="vertical, degrees")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("beside-gsplat"))
args = parser.parse_args()


def read_ply(path):
    """Properties by name, as floats."""
    with path.open("rb") as file:
        names, count = [], 0
        while (line := file.readline().decode().strip()) != "end_header":
            words = line.split()
            if words[0] == "format" and words[1] != "binary_little_endian":
                sys.exit(f"{path}: only binary little-endian files are read here")
            if words[0] == "element":
                count = int(words[2])
            if words[0] == "property":
                if words[1] not in ("float", "float32"):
                    sys.exit(f"{path}: property {words[-1]} is no float")
                names.append(words[2])
        rows = np.fromfile(file, dtype="<f4", count=count * len(names)).reshape(count, len(names))
    return {name: rows[:, index] for index, name in enumerate(names)}


def scene_of(path):
    """A scene file of the splats alone, in which what is composited is what the screen shows."""
    place = lambda at: "(" + ", ".join(repr(float(along)) for along in at) + ")"
    return f"""(
    name: "{path.stem}", shows: "{path.name}", best_time: 0.0, particles: 0, fog_slices: 0,
    near: {NEAR}, far: {FAR}, exposure: 1.0, tone_curve: Encoded,
    cameras: [(name: "all", eye: {place(args.eye)}, target: {place(args.target)}, fov_y: {args.fov})],
    sun: (direction_to_sun: (0.0, 1.0, 0.0), irradiance: (0.0, 0.0, 0.0), radius: 1.0),
    ambient: (0.0, 0.0, 0.0), sky: (zenith: (0.0, 0.0, 0.0), horizon: (0.0, 0.0, 0.0)),
    fog: (extinction: 0.0, albedo: (0.0, 0.0, 0.0), anisotropy: 0.0, height: 0.0, falloff: 0.0),
    splats: [(file: "{path.resolve()}", colors: Linear)],
)
"""


def by_wavelerp():
    """Picture (height, width, rgb), and by the way of listing splats the fastest runner with its times in ms."""
    args.out.mkdir(parents=True, exist_ok=True)
    scene = args.out / "scene.ron"
    scene.write_text(scene_of(args.file))
    size = ["--scene", str(scene), "--size", f"{WIDTH}x{HEIGHT}", "--early-out", "0.0001"]
    capture = ["capture", *size, "--methods", "pixel-loop-staged", "--format", "exr"]
    subprocess.run([args.program, *capture, "--out", str(args.out / "capture"), "--force"], check=True)
    channels = OpenEXR.File(str(args.out / "capture" / "pixel-loop-staged.exr"), separate_channels=True).channels()
    picture = np.stack([channels[name].pixels for name in "RGB"], axis=-1)
    bench = ["bench", "--parts", "cases", "--cases", "splats", "--file", str(scene), "--size", f"{WIDTH}x{HEIGHT}"]
    subprocess.run([args.program, *bench, "--out", str(args.out / "bench"), "--force"], check=True)
    rows = json.loads((args.out / "bench" / "bench.json").read_text())["rows"]
    milliseconds = lambda samples: statistics.median(samples) / 1000
    best = {}
    for cull in ("ellipse", "box"):
        of_cull = [row for row in rows if row["samples"] and row["runner"].endswith(f"cull {cull}")]
        row = min(of_cull, key=lambda row: statistics.median(row["samples"]))
        passes = {of["label"]: milliseconds(of["samples"]) for of in row["passes"]}
        best[cull] = {
            "runner": row["runner"],
            "sum_ms": milliseconds(row["samples"]),
            "passes_ms": passes,
            "facts": dict(row["facts"]),
        }
    return picture, best


def by_gsplat():
    """Picture and sum of kernel times in ms."""
    ply = read_ply(args.file)
    columns = lambda names: torch.tensor(np.stack([ply[name] for name in names], axis=-1), device="cuda")
    means = columns("xyz")
    scales = columns([f"scale_{axis}" for axis in range(3)]).exp()
    quats = columns([f"rot_{axis}" for axis in range(4)])
    opacities = torch.sigmoid(torch.tensor(ply["opacity"].copy(), device="cuda"))
    rest = sorted((name for name in ply if name.startswith("f_rest_")), key=lambda name: int(name[7:]))
    terms = len(rest) // 3
    degree = math.isqrt(terms + 1) - 1
    colors = columns([f"f_dc_{channel}" for channel in range(3)])[:, None, :]
    if rest:
        # Of the file: all terms of red, then of green, then of blue.
        colors = torch.cat([colors, columns(rest).reshape(-1, 3, terms).transpose(1, 2)], dim=1)
    # Files have y down and z ahead: half a turn about x from the world.
    upright = np.diag([1.0, -1.0, -1.0])
    eye, ahead = upright @ args.eye, upright @ (args.target - args.eye)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(np.array([0.0, 1.0, 0.0]), ahead)
    right = right / np.linalg.norm(right)
    down = np.cross(ahead, right)
    view = np.eye(4)
    view[:3, :3] = np.stack([right, down, ahead])
    view[:3, 3] = -view[:3, :3] @ eye
    focal = HEIGHT / 2 / math.tan(math.radians(args.fov / 2))
    matrix = [[focal, 0, WIDTH / 2], [0, focal, HEIGHT / 2], [0, 0, 1]]
    view = torch.tensor(view, dtype=torch.float32, device="cuda")[None]
    matrix = torch.tensor(matrix, dtype=torch.float32, device="cuda")[None]

    def draw():
        with torch.no_grad():
            return rasterization(
                means, quats, scales, opacities, colors, view, matrix, WIDTH, HEIGHT,
                near_plane=NEAR, far_plane=FAR, eps2d=0.3, sh_degree=degree, packed=False,
            )

    picture = draw()[0][0].cpu().numpy()
    for _ in range(10):
        draw()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        for _ in range(FRAMES):
            draw()
        torch.cuda.synchronize()
    kernels = sum(event.self_device_time_total for event in profiled.key_averages()) / FRAMES / 1000
    return picture, kernels


ours, runs = by_wavelerp()
theirs, kernels = by_gsplat()
error = ours.astype(np.float64) - theirs
mse = float(np.mean(error**2))
psnr = 10 * math.log10(1.0 / mse) if mse > 0 else math.inf
worst = np.unravel_index(np.argmax(np.abs(error).max(axis=-1)), error.shape[:2])
result = {
    "file": args.file.name,
    "psnr_db": psnr,
    "max_abs": float(np.abs(error).max()),
    "worst_pixel": [int(worst[1]), int(worst[0])],
    "pixels_over_1_255": int((np.abs(error).max(axis=-1) > 1 / 255).sum()),
    "mean": [float(ours.mean()), float(theirs.mean())],
    "wavelerp": runs,
    "gsplat_kernels_ms": kernels,
    "gsplat_takes_times_as_long": kernels / min(run["sum_ms"] for run in runs.values()),
    "gpu": torch.cuda.get_device_name(),
}
(args.out / "result.json").write_text(json.dumps(result, indent=2) + "\n")
print(json.dumps(result, indent=2))
sys.exit(0 if psnr >= LEAST_PSNR else 1)

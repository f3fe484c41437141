#!/usr/bin/env python3
"""Writes a PLY file of random Gaussian splats, and a scene whose camera sees all of them.

The splats fill the view of a camera of 1920x1080 pixels and 60 degrees at depths of 2 to 10, evenly over the screen.
Their standard deviations on the screen are SIGMA pixels times e^N(0, SPREAD) along each axis, and LONG times as much
along one of them; without spread they are balls. Rotations and harmonics are random, and the opacity is OPACITY. The same
arguments give the same files.

    benches/random_splats.py 1000000 million.ply
    wavelerp bench million.ron --size 1920x1080

With --cloud they are exactly the splats of the case `cloud` of bench: round, of one colour, at depths of 10 to
100, for a camera of 53 degrees. They are flat and face the camera, because perspective stretches balls away from the
middle of the picture. Their variance is smaller by the 0.3 px² that drawing such files adds. Needs numpy.

    benches/random_splats.py 1000000 cloud.ply --cloud --sigma 1
"""

import argparse
import array
import math
import pathlib
import random
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("count", type=int)
parser.add_argument("--sigma", type=float, default=2.0, help="pixels")
parser.add_argument("--spread", type=float, default=0.5, help="standard deviation of the logarithms of the axes")
parser.add_argument("--long", type=float, default=1.0, help="factor on one axis: needles")
parser.add_argument("--opacity", type=float, default=0.3, help="0 to 1")
parser.add_argument("--degree", type=int, default=3, choices=range(4), help="degree of the harmonics")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cloud", action="store_true", help="the case `cloud`; uses only --sigma, --opacity and --seed")
parser.add_argument("out", type=pathlib.Path, help="the PLY file; the scene is written next to it")
args = parser.parse_args()

WIDTH, HEIGHT, FIELD = 1920, 1080, 60.0
if args.cloud:
    FIELD, args.degree = math.degrees(2 * math.atan(0.5)), 0
TAN_Y = math.tan(math.radians(FIELD / 2))
FOCAL = HEIGHT / 2 / TAN_Y
rest = 3 * ((args.degree + 1) ** 2 - 1)
names = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2"]
names += [f"f_rest_{i}" for i in range(rest)]
names += ["opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]
logit = math.log(args.opacity / (1.0 - args.opacity))


def random_splats(file):
    rng = random.Random(args.seed)
    # Millions of random harmonics take Python a minute, so a few thousand rows are repeated.
    rows = [[rng.gauss(0.0, 0.1) for _ in range(rest)] for _ in range(4096)]
    for _ in range(args.count):
        z = rng.uniform(2.0, 10.0)
        x = rng.uniform(-1.0, 1.0) * TAN_Y * WIDTH / HEIGHT * z
        y = rng.uniform(-1.0, 1.0) * TAN_Y * z
        size = math.log(args.sigma * z / FOCAL)
        splat = array.array("f", (x, y, z, rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1)))
        splat.extend(rng.choice(rows))
        splat.append(logit)
        splat.extend(size + rng.gauss(0.0, args.spread) + longer for longer in (math.log(args.long), 0.0, 0.0))
        splat.extend(rng.gauss(0.0, 1.0) for _ in range(4))
        if sys.byteorder == "big":
            splat.byteswap()
        file.write(splat.tobytes())


def cloud(file):
    """The same random numbers as in src/runs/bench/splats.rs: SplitMix64, six per splat."""
    import numpy as np

    bits = np.arange(1, 6 * args.count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(args.seed)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    units = ((bits ^ (bits >> np.uint64(31))) >> np.uint64(40)).astype(np.float32) / np.float32(1 << 24)
    units = units.reshape(args.count, 6)
    z = np.float32(10.0) + units[:, 2] * np.float32(90.0)
    pixel = z.astype(np.float64) / FOCAL
    splats = np.zeros((args.count, len(names)), dtype="<f4")
    splats[:, 0] = (units[:, 0] * np.float32(WIDTH) - 0.5 * WIDTH) * pixel
    splats[:, 1] = (units[:, 1] * np.float32(HEIGHT) - 0.5 * HEIGHT) * pixel
    splats[:, 2] = z
    splats[:, 3:6] = (units[:, 3:] - 0.5) / math.sqrt(0.25 / math.pi)
    splats[:, 6] = logit
    splats[:, 7:10] = np.log(math.sqrt(args.sigma**2 - 0.3) * pixel)[:, None]
    splats[:, 9] -= math.log(1000.0)
    splats[:, 10] = 1.0
    file.write(splats.tobytes())


header = ["ply", "format binary_little_endian 1.0", f"element vertex {args.count}"]
header += [f"property float {name}" for name in names] + ["end_header", ""]
with args.out.open("wb") as file:
    file.write("\n".join(header).encode())
    (cloud if args.cloud else random_splats)(file)

# Files have y down and z ahead. Half a turn about x puts the splats upright in front of a camera that looks along -z.
args.out.with_suffix(".ron").write_text(f"""(
    name: "{args.out.stem}",
    shows: "{args.count} random splats",
    best_time: 0.0,
    particles: 0,
    fog_slices: 0,
    near: 0.1,
    far: {102.0 if args.cloud else 20.0},
    exposure: 1.0,
    tone_curve: Encoded,
    cameras: [(name: "all", eye: (0.0, 0.0, 0.0), target: (0.0, 0.0, -1.0), fov_y: {FIELD})],
    sun: (direction_to_sun: (0.0, 1.0, 0.0), irradiance: (0.0, 0.0, 0.0), radius: 1.0),
    ambient: (0.0, 0.0, 0.0),
    sky: (zenith: (0.0, 0.0, 0.0), horizon: (0.0, 0.0, 0.0)),
    fog: (extinction: 0.0, albedo: (0.0, 0.0, 0.0), anisotropy: 0.0, height: 0.0, falloff: 0.0),
    splats: [(file: "{args.out.name}", colors: Linear)],
)
""")

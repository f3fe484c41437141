#!/usr/bin/env python3
"""Writes a PLY file of random Gaussian splats, and a scene whose camera sees all of them.

The splats fill the view of a camera of 1920x1080 pixels and 60 degrees at depths of 2 to 10, evenly over the screen.
Their standard deviations on the screen are SIGMA pixels times e^N(0, SPREAD) along each axis, and LONG times as much
along one of them; without spread they are balls. Their rotations and harmonics are random, their opacity is OPACITY. The same arguments give the same files.

    benches/random_splats.py 1000000 million.ply
    wavelerp bench million.ron --size 1920x1080
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
parser.add_argument("--spread", type=float, default=0.5, help="of the logarithms of the axes")
parser.add_argument("--long", type=float, default=1.0, help="factor on one axis: needles")
parser.add_argument("--opacity", type=float, default=0.3, help="0 to 1")
parser.add_argument("--degree", type=int, default=3, choices=range(4), help="of the harmonics")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("out", type=pathlib.Path, help="the PLY file; the scene is beside it")
args = parser.parse_args()

WIDTH, HEIGHT, FIELD = 1920, 1080, 60.0
TAN_Y = math.tan(math.radians(FIELD / 2))
FOCAL = HEIGHT / 2 / TAN_Y
rng = random.Random(args.seed)
rest = 3 * ((args.degree + 1) ** 2 - 1)
names = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2"]
names += [f"f_rest_{i}" for i in range(rest)]
names += ["opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]
# Millions of random harmonics take Python a minute; a few thousand different rows do as well.
rows = [[rng.gauss(0.0, 0.1) for _ in range(rest)] for _ in range(4096)]
logit = math.log(args.opacity / (1.0 - args.opacity))

header = ["ply", "format binary_little_endian 1.0", f"element vertex {args.count}"]
header += [f"property float {name}" for name in names] + ["end_header", ""]
with args.out.open("wb") as file:
    file.write("\n".join(header).encode())
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

# Files have y down and z ahead; half a turn about x sets them upright, in front of a camera that looks along -z.
args.out.with_suffix(".ron").write_text(f"""(
    name: "{args.out.stem}",
    shows: "{args.count} random splats",
    best_time: 0.0,
    particles: 0,
    fog_slices: 0,
    near: 0.1,
    far: 20.0,
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

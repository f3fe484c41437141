#!/usr/bin/env python3
"""Draws a PLY file of Gaussian splats with wavelerp and with gsplat (CUDA), and compares pictures and times.

gsplat is drawn with its default path and, if it has one, with its inference path based on HiGS (arXiv 2606.00352), in tiles
of 8 and of 16 pixels. Version 1.6 has that path, but PyPI has only 1.5.3. wavelerp composites in floats and in half floats.

All programs use the same camera, 1920x1080 pixels, a dilation of 0.3 px² and a threshold of 1/255. The pictures are compared as
floats, before conversion to bytes. gsplat stops when the transmittance falls below 1e-4, and wavelerp with
--early-out 0.0001 at about the same point, in pictures and in times. gsplat's time is the sum of its kernels without the
gaps between launches; wavelerp's is the sum of its passes from projection to composite (the case `splats` of bench),
at the best of its tiles and dials.

    benches/beside_gsplat.py million.ply --out beside
    npx @playcanvas/splat-transform assets/scenes/statue.spz statue.ply
    benches/beside_gsplat.py statue.ply --eye 0.9,0.75,2.4 --target 0,0.45,0 --out beside-statue

Needs PyTorch with CUDA and the packages gsplat, numpy and OpenEXR. The exit code is 1 if the PSNR is below 50 dB, or for
HiGS below 45. HiGS stores shapes, opacities and colours in half floats, and positions to 1/32 of a pixel in tiles of
16. It evaluates and sums in half floats. With the same steps computed on the CPU, the clouds of
`beside_peers.py` are at 60 to 68 dB, and thin splats lose more to cancellation. For comparison: a cloud is at 40 dB with 1 %
of the splats missing, or with all of them dilated twice, at 35 with the order reversed, and at 29 with every splat shifted by
a pixel. `beside_peers.py` does this for many files.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys

import numpy as np

LEAST_PSNR = {"gsplat": 50.0, "HiGS": 45.0}
WIDTH, HEIGHT = 1920, 1080
NEAR, FAR = 0.1, 1000.0
FRAMES = 20
# The constant value of the harmonic of degree 0.
CONSTANT = math.sqrt(0.25 / math.pi)

Camera = collections.namedtuple("Camera", "eye target fov")


def read_ply(path):
    """The properties of a PLY file by name, as floats."""
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


def write_scene(path, camera, out):
    """Writes a scene file with only the splats, composited in encoded values as the screen shows them."""
    place = lambda at: "(" + ", ".join(repr(float(along)) for along in at) + ")"
    out.mkdir(parents=True, exist_ok=True)
    scene = out / "scene.ron"
    scene.write_text(f"""(
    name: "{path.stem}", shows: "{path.name}", best_time: 0.0, particles: 0, fog_slices: 0,
    near: {NEAR}, far: {FAR}, exposure: 1.0, tone_curve: Encoded,
    cameras: [(name: "all", eye: {place(camera.eye)}, target: {place(camera.target)}, fov_y: {camera.fov})],
    sun: (direction_to_sun: (0.0, 1.0, 0.0), irradiance: (0.0, 0.0, 0.0), radius: 1.0),
    ambient: (0.0, 0.0, 0.0), sky: (zenith: (0.0, 0.0, 0.0), horizon: (0.0, 0.0, 0.0)),
    fog: (extinction: 0.0, albedo: (0.0, 0.0, 0.0), anisotropy: 0.0, height: 0.0, falloff: 0.0),
    splats: [(file: "{path.resolve()}", colors: Linear)],
)
""")
    return scene


def picture_of(program, scene, out, precision):
    """wavelerp's float composite: an array of height, width and (red, green, blue, transmittance)."""
    import OpenEXR

    folder = out / f"capture-{precision}"
    flags = ["--size", f"{WIDTH}x{HEIGHT}", "--early-out", "0.0001", "--methods", "pixel-loop-staged", "--format", "exr"]
    flags += ["--precision", precision, "--out", str(folder), "--force"]
    subprocess.run([program, "capture", "--scene", str(scene), *flags], check=True, stdout=subprocess.DEVNULL)
    channels = OpenEXR.File(str(folder / "pixel-loop-staged.exr"), separate_channels=True).channels()
    return np.stack([channels[name].pixels for name in "RGBT"], axis=-1)


def bench(program, out, precision, flags):
    """The rows of a case of bench: work, runner, sum and passes in ms, and facts."""
    folder = out / f"bench-{precision}"
    command = ["bench", "--parts", "cases", "--precision", precision, *flags, "--out", str(folder), "--force"]
    subprocess.run([program, *command], check=True, stdout=subprocess.DEVNULL)
    milliseconds = lambda samples: statistics.median(samples) / 1000
    rows = json.loads((folder / "bench.json").read_text())["rows"]
    return [
        {
            "case": row["work"]["case"]["name"],
            "runner": row["runner"],
            "sum_ms": milliseconds(row["samples"]),
            "passes_ms": {of["label"]: milliseconds(of["samples"]) for of in row["passes"]},
            "facts": dict(row["facts"]),
        }
        for row in rows
        if row["samples"]
    ]


def times_of(program, scene, out, precision, *flags):
    """The fastest row of the case `splats`."""
    flags = ["--cases", "splats", "--file", str(scene), "--size", f"{WIDTH}x{HEIGHT}", *flags]
    rows = bench(program, out, precision, flags)
    return min(rows, key=lambda row: row["sum_ms"])


def by_peers(path, camera, balls=False):
    """Draws with gsplat's paths. Yields name, picture as from `picture_of`, and times of kernels in ms by name, or the reason
    for missing times. Also times `balls`, which replace flat splats that face the camera."""
    import torch
    from gsplat import rasterization
    from torch.profiler import ProfilerActivity, profile

    ply = read_ply(path)
    columns = lambda names: torch.tensor(np.stack([ply[name] for name in names], axis=-1), device="cuda")
    means = columns("xyz")
    scales = columns([f"scale_{axis}" for axis in range(3)]).exp()
    quats = torch.nn.functional.normalize(columns([f"rot_{axis}" for axis in range(4)]), dim=-1)
    opacities = torch.sigmoid(torch.tensor(ply["opacity"].copy(), device="cuda"))
    rest = sorted((name for name in ply if name.startswith("f_rest_")), key=lambda name: int(name[7:]))
    colors = columns([f"f_dc_{channel}" for channel in range(3)])
    if rest:
        # Files have all terms of red, then of green, then of blue.
        terms = len(rest) // 3
        colors = torch.cat([colors[:, None], columns(rest).reshape(-1, 3, terms).transpose(1, 2)], dim=1).contiguous()
        degree = math.isqrt(terms + 1) - 1
    else:
        colors, degree = (0.5 + CONSTANT * colors).clamp_min(0), None
    # Files have y down and z ahead, which is half a turn about x from the world's axes.
    upright = np.diag([1.0, -1.0, -1.0])
    eye, ahead = upright @ camera.eye, upright @ (camera.target - camera.eye)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(np.array([0.0, 1.0, 0.0]), ahead)
    right = right / np.linalg.norm(right)
    view = np.eye(4)
    view[:3, :3] = np.stack([right, np.cross(ahead, right), ahead])
    view[:3, 3] = -view[:3, :3] @ eye
    focal = HEIGHT / 2 / math.tan(math.radians(camera.fov / 2))
    view = torch.tensor(view, dtype=torch.float32, device="cuda")
    matrix = [[focal, 0, WIDTH / 2], [0, focal, HEIGHT / 2], [0, 0, 1]]
    matrix = torch.tensor(matrix, dtype=torch.float32, device="cuda")

    def timed(draw):
        """The picture, and the milliseconds of a frame by kernel."""
        picture = draw().float().cpu().numpy()
        for _ in range(FRAMES):
            draw()
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as profiled:
            for _ in range(FRAMES):
                draw()
            torch.cuda.synchronize()
        times = {event.key: event.self_device_time_total / FRAMES / 1000 for event in profiled.key_averages()}
        times = {name: time for name, time in sorted(times.items(), key=lambda item: -item[1]) if time > 0}
        if not times:
            raise RuntimeError("the profiler saw no kernels")
        return picture, times

    def gsplat(scales):
        def draw():
            color, alpha, _ = rasterization(
                means, quats, scales, opacities, colors, view[None], matrix[None], WIDTH, HEIGHT,
                near_plane=NEAR, far_plane=FAR, eps2d=0.3, sh_degree=degree, packed=False,
            )  # fmt: skip
            return color, alpha

        # The step that joins colour and transmittance is not timed.
        picture, alpha = (of[0].cpu().numpy() for of in draw())
        return np.concatenate([picture, 1 - alpha], axis=-1), timed(lambda: draw()[0])[1]

    def higs(scales, tile):
        try:
            from gsplat.experimental import GaussianInferenceRenderer, GaussianInferenceScene
        except ImportError:
            raise RuntimeError("this gsplat has no gsplat.experimental; version 1.6 of its repository has") from None
        scene = GaussianInferenceScene.from_gaussian_tensors(
            means, quats, scales, opacities, colors, degree, "none", id=path.stem
        )
        with GaussianInferenceRenderer(scene, tile_size=tile) as renderer:
            frame = dict(viewmat=view, K=matrix, width=WIDTH, height=HEIGHT, near_plane=NEAR, far_plane=FAR, eps2d=0.3)
            return timed(lambda: renderer.render(**frame).frame[0])

    shapes = {"": scales}
    if balls:
        shapes[", balls"] = scales[:, :1].repeat(1, 3).contiguous()
    for shape, of in shapes.items():
        draws = {"gsplat": lambda: gsplat(of), "HiGS 8": lambda: higs(of, 8), "HiGS 16": lambda: higs(of, 16)}
        for name, draw in draws.items():
            try:
                with torch.no_grad():
                    picture, times = draw()
            except Exception as error:
                picture, times = None, f"{type(error).__name__}: {error}"[:2000]
            yield name + shape, picture, times


def compare(ours, theirs):
    """Differences between two pictures. PSNR and differences use red, green and blue."""
    error = np.abs(ours.astype(np.float64) - theirs)
    of_pixel = error[..., :3].max(axis=-1)
    mse = float(np.mean(error[..., :3] ** 2))
    worst = np.unravel_index(np.argmax(of_pixel), of_pixel.shape)
    mean = lambda picture: [float(along) for along in picture.astype(np.float64).mean(axis=(0, 1))]
    return {
        "psnr_db": 10 * math.log10(1.0 / mse) if mse > 0 else math.inf,
        "max_abs": float(of_pixel.max()),
        "worst_pixel": [int(worst[1]), int(worst[0])],
        "pixels_over_1_255": int((of_pixel > 1 / 255).sum()),
        "max_abs_transmittance": float(error[..., 3].max()),
        "mean_rgbt": [mean(ours), mean(theirs)],
    }


def beside_peers(pictures, path, camera, balls=False):
    """For each peer: the sum of its kernels in ms, each kernel, and its picture compared with wavelerp's at each precision;
    or the error."""
    result = {}
    for name, picture, times in by_peers(path, camera, balls):
        if picture is None:
            result[name] = {"failed": times}
            continue
        result[name] = {"kernels_ms": sum(times.values()), "each_ms": times}
        if "balls" not in name:
            result[name]["beside"] = {precision: compare(of, picture) for precision, of in pictures.items()}
    return result


def agrees(name, peer):
    """True if a peer's picture equals wavelerp's float picture within the precision of the peer's arithmetic."""
    return "beside" in peer and peer["beside"]["full"]["psnr_db"] >= LEAST_PSNR[name.split()[0]]


def main():
    point = lambda text: np.array([float(part) for part in text.split(",")])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--program", default="wavelerp")
    parser.add_argument("--eye", type=point, default=point("0,0,0"), help="metres, y up")
    parser.add_argument("--target", type=point, default=point("0,0,-1"))
    parser.add_argument("--fov", type=float, default=60.0, help="vertical, degrees")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("beside-gsplat"))
    args = parser.parse_args()

    camera = Camera(args.eye, args.target, args.fov)
    scene = write_scene(args.file, camera, args.out)
    pictures = {of: picture_of(args.program, scene, args.out, of) for of in ("full", "half")}
    result = {
        "file": args.file.name,
        "wavelerp": {of: times_of(args.program, scene, args.out, of) for of in pictures},
        "half_beside_full": compare(pictures["full"], pictures["half"]),
        "peers": beside_peers(pictures, args.file, camera),
    }
    (args.out / "result.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))
    drawn = {name: peer for name, peer in result["peers"].items() if "failed" not in peer}
    sys.exit(0 if drawn and all(agrees(name, peer) for name, peer in drawn.items()) else 1)


if __name__ == "__main__":
    main()

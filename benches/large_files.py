#!/usr/bin/env python3
"""Makes a PLY of a million splats with three bands and a GLB of a million triangles, and draws each twice. Prints, for the
second run, the total time, the time to the first picture (without the tests of methods and clock that a window runs after it), and
the memory beyond that of a scene with two particles. Needs only Python.

    python3 benches/large_files.py target/release/wavelerp
"""

import array
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import time


def splats(path, count=1_000_000, chunk=10_000):
    """Small Gaussians in a ball. The same random numbers are used for every `chunk` of them."""
    names = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2"]
    names += [f"f_rest_{i}" for i in range(45)] + ["opacity"]
    names += [f"scale_{i}" for i in range(3)] + [f"rot_{i}" for i in range(4)]
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {count}\n"
    head += "".join(f"property float {name}\n" for name in names) + "end_header\n"
    draw = random.Random(1)
    rest = array.array("f", (draw.gauss(0, 0.2) for _ in range(chunk * 56)))
    with open(path, "wb") as file:
        file.write(head.encode())
        for _ in range(count // chunk):
            rows = array.array("f")
            for i in range(chunk):
                rows.extend(draw.gauss(0, 1) for _ in range(3))
                rows.extend(rest[56 * i:56 * i + 49])
                rows.extend((-4.0, -4.5, -5.0, 1.0))
                rows.extend(rest[56 * i + 50:56 * i + 53])
            file.write(rows.tobytes())


def triangles(path, across=706):
    """A wavy grid with two triangles per square."""
    side = across + 1
    places, normals = array.array("f"), array.array("f")
    for y in range(side):
        for x in range(side):
            places.extend((x / across * 4 - 2, 0.2 * math.sin(x / 20) * math.sin(y / 20), y / across * 4 - 2))
            normals.extend((0, 1, 0))
    indices = array.array("I")
    for y in range(across):
        for x in range(across):
            a = y * side + x
            indices.extend((a, a + side, a + 1, a + 1, a + side, a + side + 1))
    parts = [places.tobytes(), normals.tobytes(), indices.tobytes()]
    starts = [sum(map(len, parts[:i])) for i in range(4)]
    view = lambda i: {"buffer": 0, "byteOffset": starts[i], "byteLength": len(parts[i])}
    vectors = lambda i: {"bufferView": i, "componentType": 5126, "count": side * side, "type": "VEC3"}
    corners = {"min": [-2, -0.2, -2], "max": [2, 0.2, 2]}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 2}]}],
        "accessors": [vectors(0) | corners, vectors(1), {"bufferView": 2, "componentType": 5125, "count": len(indices), "type": "SCALAR"}],
        "bufferViews": [view(0), view(1), view(2)], "buffers": [{"byteLength": starts[3]}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = b"".join(parts)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(body)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(body), b"BIN\0") + body)
    return len(indices) // 3


def until_composited(start, said):
    """Seconds of a capture until the first picture, without tests, from the times and lines of its output."""
    when = lambda word: next(index for index, (_, what) in enumerate(said) if word in what)
    testing, drawing, composited = when("testing the methods"), when(" % drawing "), when(" % compositing ") + 1
    return said[testing][0] - start + said[composited][0] - said[drawing][0]


def drawn(program, scene, folder):
    """Seconds, seconds to the first picture, and peak memory in MB of a capture of a scene."""
    command = [program, "capture", "--scene", scene, "--methods", "auto", "--size", "1280x720", "--page", "none",
               "--force", "--out", os.path.join(folder, "out")]
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = [(time.monotonic(), line.decode()) for line in child.stderr]
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(" ".join(command) + ": " + "".join(line for _, line in said))
    return time.monotonic() - start, until_composited(start, said), usage.ru_maxrss / 1024


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        splats(path("splats.ply"))
        count = triangles(path("triangles.glb"))
        twice = lambda scene: [drawn(sys.argv[1], scene, folder) for _ in range(2)][1]
        seconds, first, least = twice("two")
        print(f"two particles: {seconds:.2f} s, {first:.2f} s to the first picture, {least:.0f} MiB at most", flush=True)
        for name, what in [("splats.ply", "1,000,000 splats, 3 bands"), ("triangles.glb", f"{count:,} triangles")]:
            seconds, first, memory = twice(path(name))
            size = os.path.getsize(path(name)) / 2**20
            print(f"{what}: {seconds:.2f} s, {first:.2f} s to the first picture, {memory:.0f} MiB at most, {(memory - least) / size:.1f} times the file's {size:.0f} MiB "
                  "more than two particles", flush=True)


main()

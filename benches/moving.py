#!/usr/bin/env python3
"""Measures the frames per second that the window draws while its camera moves, and where their time goes.

    benches/moving.py --program target/release/wavelerp
    benches/moving.py --scenes temple --seconds 20 --window 1920x1080

Each scene is opened twice in the program's window at its defaults. The second time, *eases moving* is off, which draws
only full frames. The script holds down the keys that move the camera right and left in turns, and the window
writes a line per frame (`wavelerp run --log-frames`). A frame counts if the scene was drawn for it. Without a display the
script starts one (Xvfb). Needs xdotool, and no Python packages.
"""

import argparse
import csv
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", default="wavelerp")
parser.add_argument("--scenes", default="temple,stack,harbour,panes,stress,statue")
parser.add_argument("--seconds", type=float, default=10, help="how long the camera moves")
parser.add_argument("--window", default="1366x768", help="size of the display that is started")
parser.add_argument("--wait", type=float, default=120, help="seconds to wait for a picture and for smaller frames")
args = parser.parse_args()


def rows(log):
    """For each frame so far: the time in seconds, the drawn parts, and milliseconds."""
    if not log.exists():
        return []
    lines = list(csv.reader(log.read_text().splitlines()))[1:]
    return [(float(of[0]), of[1], *map(float, of[2:])) for of in lines if len(of) == 5]


def until(what, holds):
    end = time.monotonic() + args.wait
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"{what}: not within {args.wait:g} s")
        time.sleep(0.1)


def key(what, name):
    subprocess.run(["xdotool", what, name], check=True)


def move(seconds, enough=lambda: False):
    """Moves the camera left and right until the time is over or enough frames are recorded."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not enough():
        for name in "da":
            key("keydown", name)
            time.sleep(0.5)
            key("keyup", name)


def window(log, *arguments):
    log.unlink(missing_ok=True)
    command = [args.program, "run", "--log-frames", log, "--quiet", *arguments]
    opened = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    return opened, lambda: [of for of in rows(log) if of[1] != "-"]


def first_picture(scene, drawn):
    """Waits for the first picture, and sets the keyboard focus, because there may be no window manager."""
    until(f"{scene}: a first picture", drawn)
    subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "wavelerp", "windowfocus"], check=True)


def settings_of(scene, folder):
    """The window's initial settings, which it saves when it is closed."""
    opened, drawn = window(folder / "frames.csv", "--scene", scene)
    try:
        first_picture(scene, drawn)
        key("key", "ctrl+q")
        opened.wait(args.wait)
    finally:
        opened.kill()
    return next(folder.glob("**/last.ron")).read_text()


def moved(scene, eases, folder):
    """The lines that the window wrote while its camera moved."""
    preset = folder / "preset.ron"
    preset.write_text(settings_of(scene, folder).replace("eases: true", f"eases: {str(eases).lower()}"))
    opened, drawn = window(folder / "frames.csv", "--fresh", "--preset", preset)
    try:
        first_picture(scene, drawn)
        full = drawn()[-1][1]
        # The window compiles smaller frames in the background.
        move(args.wait if eases else 2, lambda: drawn()[-1][1] != full)
        start = drawn()[-1][0]
        move(args.seconds)
        return [of for of in drawn() if start < of[0] <= start + args.seconds]
    finally:
        opened.kill()
        opened.wait()


def main():
    if not shutil.which("xdotool"):
        sys.exit("xdotool is missing: install it")
    display = None
    if not os.environ.get("DISPLAY"):
        os.environ["DISPLAY"] = ":97"
        display = subprocess.Popen(["Xvfb", ":97", "-screen", "0", f"{args.window}x24"], stderr=subprocess.DEVNULL)
        time.sleep(1)
    try:
        listed = subprocess.run([args.program, "list", "--quiet"], capture_output=True, text=True).stdout.splitlines()
        print(f"{listed[1].strip() if len(listed) > 1 else '?'}; {os.cpu_count()} cores, {platform.machine()}; {args.seconds:g} s each\n")
        print("| scene | frames | n | a second | ms, median | p95 | panes | scene | painting |\n|---|---|---:|---:|---:|---:|---:|---:|---:|")
        with tempfile.TemporaryDirectory() as folder:
            for scene in args.scenes.split(","):
                for eases in [False, True]:
                    os.environ["XDG_CONFIG_HOME"] = folder
                    frames = moved(scene, eases, pathlib.Path(folder))
                    gaps = sorted(1e3 * (b[0] - a[0]) for a, b in zip(frames, frames[1:])) or [float("nan")]
                    sizes = "/".join(sorted({of[1] for of in frames}, key=lambda size: int(size.split("x")[0])))
                    parts = [statistics.median(of[at] for of in frames) if frames else float("nan") for at in (2, 3, 4)]
                    cells = [scene, sizes, len(frames), f"{len(frames) / args.seconds:.1f}", f"{statistics.median(gaps):.0f}"]
                    cells += [f"{gaps[round(0.95 * (len(gaps) - 1))]:.0f}", *(f"{part:.0f}" for part in parts)]
                    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    finally:
        if display:
            display.terminate()


main()

#!/usr/bin/env python3
"""Plants the faults of faults.toml one by one and tells which test finds each.

    python3 tests/mutants/plant.py                       every fault, results on standard output
    python3 tests/mutants/plant.py NAME ...              these faults
    python3 tests/mutants/plant.py --everywhere          where the tests of the area find nothing, all but window::
    python3 tests/mutants/plant.py --check               only whether every fault still applies; runs no test

A fault is planted in a copy of the folder shaders/, which tests and program read through the environment variable
WAVELERP_SHADERS: the checkout is never changed, and nothing is built again.

For each fault the tests of its area run first, area by area, until one fails. Tests run on llvmpipe at wave 8.
The exit code is 0 if every fault was found, 1 if one was not, 2 if one could not be planted.
Needs Python 3.11 and what `cargo xtask setup --test` installs.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", CHECKOUT / "target"))
# A fault may make a test wait for what never comes.
LIMIT_SECONDS = 900
# Folders of tests that --everywhere leaves out, since each of them takes so long.
LONG = ("window",)


class CannotPlant(Exception):
    """A fault does not apply to the text it was written for."""


def environment():
    """The environment of `cargo xtask test --only gpu8`."""
    manifests = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
    named = os.environ.get("VK_DRIVER_FILES")
    if not named and not manifests:
        sys.exit("llvmpipe is missing: `cargo xtask setup --test` installs it")
    cache = TARGET / "mutants" / "mesa-shader-cache"
    cache.mkdir(parents=True, exist_ok=True)
    driver = named or manifests[0]
    return {
        **os.environ,
        "VK_DRIVER_FILES": driver,
        "VK_ICD_FILENAMES": driver,
        "LP_NATIVE_VECTOR_WIDTH": "256",
        "MESA_SHADER_CACHE_DIR": str(cache),
        "WAVELERP_EXPECT_WAVE": "8",
        "WAVELERP_ADAPTER": "llvmpipe",
        "NODEVICE_SELECT": "1",
    }


def planted(text, fault):
    """The text with the fault in place of what it replaces."""
    if text.count(fault["find"]) != 1:
        raise CannotPlant(f"{fault['file']} holds the text to replace {text.count(fault['find'])} times, not once")
    return text.replace(fault["find"], fault["replace"])


def compiled():
    """The path of the test executable `suite`."""
    command = ["cargo", "test", "--package", "wavelerp", "--bins", "--test", "suite", "--no-run", "--message-format", "json"]
    run = subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True, check=True)
    messages = map(json.loads, run.stdout.splitlines())
    return next(message["executable"] for message in messages
                if message.get("executable") and message["target"]["name"] == "suite")


def tests_of(executable):
    """Names of all tests of an executable."""
    run = subprocess.run([executable, "--list", "--format", "terse"], capture_output=True, text=True, check=True)
    return [line.removesuffix(": test") for line in run.stdout.splitlines() if line.endswith(": test")]


def failing(executable, names, variables):
    """The first of these tests that fails, or how the run ended if it did not end by itself."""
    command = [executable, "--exact", *names]
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", env=variables,
                             timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end within {LIMIT_SECONDS} s"
    for line in run.stdout.splitlines():
        if line.startswith("test ") and line.endswith(" ... FAILED"):
            return line.removeprefix("test ").removesuffix(" ... FAILED").removesuffix(" - should panic")
    return "" if run.returncode == 0 else f"the tests ended with {run.returncode}"


def found_by(fault, executable, tests, everywhere):
    """Plants a fault in a copy of the shaders. Returns the test that finds it; empty if none does."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "shaders"
        shutil.copytree(CHECKOUT / "shaders", copy)
        path = pathlib.Path(folder) / fault["file"]
        path.write_text(planted(path.read_text(), fault))
        variables = {**environment(), "WAVELERP_SHADERS": str(copy)}
        done = set()
        for area in fault["area"] + ([""] if everywhere else []):
            names = [name for name in tests if name.startswith(area) and name not in done]
            if not area:
                names = [name for name in names if not name.startswith(LONG)]
            done.update(names)
            found = failing(executable, names, variables) if names else ""
            if found:
                return found
    return ""


def check(faults):
    """Names every fault that no longer applies; the exit code."""
    stale = 0
    for fault in faults:
        path = CHECKOUT / fault["file"]
        try:
            planted(path.read_text() if path.is_file() else "", fault)
        except CannotPlant as why:
            stale += 1
            print(f"{fault['name']}: {why}")
    print(f"{len(faults) - stale} of {len(faults)} faults apply")
    return 2 if stale else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--everywhere", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="faults at once")
    parser.add_argument("--suite", help="a compiled test executable to use")
    parser.add_argument("--check", action="store_true", help="plant nothing, only see whether it could be planted")
    arguments = parser.parse_args()

    faults = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    unknown = set(arguments.names) - {fault["name"] for fault in faults}
    if unknown:
        sys.exit(f"no such fault: {', '.join(sorted(unknown))}")
    faults = [fault for fault in faults if not arguments.names or fault["name"] in arguments.names]
    if arguments.check:
        sys.exit(check(faults))
    executable = arguments.suite or compiled()
    tests = tests_of(executable)
    counts = {"found": 0, "not found": 0, "not planted": 0}

    def report(fault):
        started = time.monotonic()
        try:
            found = found_by(fault, executable, tests, arguments.everywhere)
            result = "found" if found else "not found"
        except CannotPlant as why:
            found, result = str(why), "not planted"
        counts[result] += 1
        seconds = time.monotonic() - started
        print(f"{fault['name']}: {result}{' by ' if result == 'found' else ' '}{found} ({seconds:.0f} s)", flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(report, faults))
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(2 if counts["not planted"] else 1 if counts["not found"] else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plants the faults of faults.toml one by one and tells which test finds each.

    python3 tests/mutants/plant.py                       every fault, results on standard output
    python3 tests/mutants/plant.py NAME ...              these faults
    python3 tests/mutants/plant.py --kind shader         those in shaders (they need no new build)
    python3 tests/mutants/plant.py --csv caught.csv      adds a line for each fault to this file
    python3 tests/mutants/plant.py --everywhere          where the tests of the area find nothing, all but window::
    python3 tests/mutants/plant.py --check               only whether every fault still applies; runs no test

A fault in a shader is planted in a copy of the folder shaders/, which tests and program read through the
environment variable WAVELERP_SHADERS. A fault in Rust is planted in a copy of the checkout below the target
folder and compiled there. The checkout itself is never changed.

For each fault the tests of its area run first, area by area, until one fails. Tests run on llvmpipe at wave 8.
The exit code is 0 if every fault was found, 1 if one was not, 2 if one could not be planted.
Needs Python 3.11 and what `cargo xtask setup --test` installs.
"""

import argparse
import concurrent.futures
import csv
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
COPY = TARGET / "mutants"
# A fault may make a test wait for what never comes.
LIMIT_SECONDS = 900
# Folders of tests that --everywhere leaves out, since each of them takes so long.
LONG = ("window",)


class CannotPlant(Exception):
    """A fault does not apply to the text it was written for, or does not compile."""


def environment():
    """The environment of `cargo xtask test --only gpu8`."""
    manifests = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
    named = os.environ.get("VK_DRIVER_FILES")
    if not named and not manifests:
        sys.exit("llvmpipe is missing: `cargo xtask setup --test` installs it")
    cache = COPY / "mesa-shader-cache"
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


def compiled(folder):
    """Paths of the test executables of a checkout by target: `wavelerp` for unit tests, `suite`."""
    command = ["cargo", "test", "--package", "wavelerp", "--lib", "--bins", "--tests", "--no-run",
               "--message-format", "json"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                         env={**os.environ, "CARGO_TARGET_DIR": str(TARGET if folder == CHECKOUT else COPY / "target")})
    if run.returncode != 0:
        errors = [line for line in run.stderr.splitlines() if "error" in line]
        raise CannotPlant("it does not compile: " + (errors[0] if errors else run.stderr[-300:]))
    paths = {}
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message.get("profile", {}).get("test"):
            kind = message["target"]["kind"][0]
            paths["suite" if kind == "test" else kind] = message["executable"]
    return {"unit": paths["lib"], "suite": paths["suite"]}


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


def found_by(fault, executables, lists, variables, everywhere):
    """The test that finds a fault that is planted already; empty if none does."""
    rest = [("suite", "")] if everywhere else []
    done = set()
    for target, area in [(None, area) for area in fault["area"]] + rest:
        for kind, executable in executables.items():
            if target not in (None, kind):
                continue
            names = [name for name in lists[kind] if name.startswith(area) and name not in done]
            if not area:
                names = [name for name in names if not name.startswith(LONG)]
            done.update(names)
            if names:
                found = failing(executable, names, variables)
                if found:
                    return found
    return ""


def try_shader(fault, executables, lists, everywhere):
    """Plants a fault in a copy of the shaders."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "shaders"
        shutil.copytree(CHECKOUT / "shaders", copy)
        path = pathlib.Path(folder) / fault["file"]
        path.write_text(planted(path.read_text(), fault))
        variables = {**environment(), "WAVELERP_SHADERS": str(copy)}
        return found_by(fault, executables, lists, variables, everywhere)


def try_rust(fault, everywhere):
    """Plants a fault in a copy of the checkout and compiles it."""
    path = COPY / "checkout" / fault["file"]
    original = path.read_text()
    try:
        path.write_text(planted(original, fault))
        executables = compiled(COPY / "checkout")
        lists = {kind: tests_of(executable) for kind, executable in executables.items()}
        return found_by(fault, executables, lists, environment(), everywhere)
    finally:
        path.write_text(original)


def copy_checkout():
    """Brings the copy of the checkout up to date; files that are as they were keep their times."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=CHECKOUT,
                            capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, listed):
        source, target = CHECKOUT / name, COPY / "checkout" / name
        if not source.is_file():
            continue
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


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
    parser.add_argument("--kind", choices=["shader", "rust"])
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--everywhere", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="shader faults at once")
    parser.add_argument("--suite", help="a compiled test executable to use for shader faults")
    parser.add_argument("--check", action="store_true", help="plant nothing, only see whether it could be planted")
    arguments = parser.parse_args()

    faults = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    unknown = set(arguments.names) - {fault["name"] for fault in faults}
    if unknown:
        sys.exit(f"no such fault: {', '.join(sorted(unknown))}")
    kind = lambda fault: "shader" if fault["file"].startswith("shaders/") else "rust"
    faults = [fault for fault in faults
              if (not arguments.names or fault["name"] in arguments.names)
              and arguments.kind in (None, kind(fault))]
    if arguments.check:
        sys.exit(check(faults))
    counts = {"found": 0, "not found": 0, "not planted": 0}

    def report(fault, run):
        started = time.monotonic()
        try:
            found = run()
            result = "found" if found else "not found"
        except CannotPlant as why:
            found, result = str(why), "not planted"
        counts[result] += 1
        seconds = time.monotonic() - started
        print(f"{fault['name']}: {result}{' by ' if result == 'found' else ' '}{found} ({seconds:.0f} s)", flush=True)
        if arguments.csv:
            with arguments.csv.open("a", newline="") as file:
                csv.writer(file).writerow([fault["name"], fault["file"], result, found])

    shaders = [fault for fault in faults if kind(fault) == "shader"]
    if shaders:
        executables = {"suite": arguments.suite} if arguments.suite else compiled(CHECKOUT)
        lists = {name: tests_of(executable) for name, executable in executables.items()}
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            work = lambda fault: report(fault, lambda: try_shader(fault, executables, lists, arguments.everywhere))
            list(pool.map(work, shaders))
    rust = [fault for fault in faults if kind(fault) == "rust"]
    if rust:
        copy_checkout()
        for fault in rust:
            report(fault, lambda: try_rust(fault, arguments.everywhere))
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(2 if counts["not planted"] else 1 if counts["not found"] else 0)


if __name__ == "__main__":
    main()

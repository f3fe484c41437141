#!/usr/bin/env python3
"""Plants the faults of faults.toml one by one, and prints which test finds each fault.

    python3 tests/mutants/plant.py                       every fault, results on standard output
    python3 tests/mutants/plant.py NAME ...              these faults
    python3 tests/mutants/plant.py --check               only checks that every fault still applies; runs no test

A fault is planted in a copy of the folder shaders/, which tests and program read through the environment variable
WAVELERP_SHADERS. So the checkout is never changed, and nothing is built again.

For each fault the tests of its area run, on llvmpipe at wave 8, until one fails.
The exit code is 0 if every fault was found, 1 if one was not, 2 if one could not be planted.
Needs Python 3.11 and what `cargo xtask setup --test` installs; `cargo xtask test --only mutants` runs it.
"""

import argparse
import collections
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
# A fault may make a test wait forever.
LIMIT_SECONDS = 900


def environment():
    """The environment of `cargo xtask test --only gpu8`."""
    if "WAVELERP_EXPECT_WAVE" in os.environ:
        return dict(os.environ)
    manifests = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
    if not manifests:
        sys.exit("llvmpipe is missing: `cargo xtask setup --test` installs it")
    return {
        **os.environ,
        "VK_DRIVER_FILES": manifests[0],
        "VK_ICD_FILENAMES": manifests[0],
        "LP_NATIVE_VECTOR_WIDTH": "256",
        "WAVELERP_EXPECT_WAVE": "8",
        "WAVELERP_ADAPTER": "llvmpipe",
        "NODEVICE_SELECT": "1",
    }


def planted(folder, fault):
    """The file of a fault below a folder, and its text with the fault; no text if the fault does not apply."""
    path = folder / fault["file"]
    text = path.read_text() if path.is_file() else ""
    return path, text.replace(fault["find"], fault["replace"]) if text.count(fault["find"]) == 1 else None


def compiled():
    """The path of the test executable `suite`."""
    command = ["cargo", "test", "--package", "wavelerp", "--test", "suite", "--no-run", "--message-format", "json"]
    run = subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True, check=True)
    messages = map(json.loads, run.stdout.splitlines())
    return next(message["executable"] for message in messages
                if message.get("executable") and message["target"]["name"] == "suite")


def tests_of(executable):
    """Names of all tests of an executable."""
    run = subprocess.run([executable, "--list", "--format", "terse"], capture_output=True, text=True, check=True)
    return [line.removesuffix(": test") for line in run.stdout.splitlines() if line.endswith(": test")]


def failing(executable, names, variables):
    """Runs tests; returns the name of the first that fails, or how the run ended if it was killed, or an empty text."""
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


def result_of(fault, executable, tests):
    """Plants a fault in a copy of the shaders. Returns the result, and the test that found the fault."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(CHECKOUT / "shaders", pathlib.Path(folder, "shaders"))
        path, text = planted(pathlib.Path(folder), fault)
        if text is None:
            return "not planted", ""
        path.write_text(text)
        variables = {**environment(), "WAVELERP_SHADERS": str(pathlib.Path(folder, "shaders"))}
        for area in fault["area"]:
            names = [name for name in tests if name.startswith(area)]
            found = failing(executable, names, variables) if names else ""
            if found:
                return "found", f" by {found}"
    return "not found", ""


def check(faults):
    """Prints every fault that no longer applies. Returns the exit code."""
    stale = [fault for fault in faults if planted(CHECKOUT, fault)[1] is None]
    for fault in stale:
        print(f"{fault['name']}: {fault['file']} does not contain the text to replace exactly once")
    print(f"{len(faults) - len(stale)} of {len(faults)} faults apply")
    return 2 if stale else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1, help="faults at once")
    parser.add_argument("--suite", help="a compiled test executable to use")
    parser.add_argument("--check", action="store_true", help="only check that the faults can be planted")
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
    counts = collections.Counter()

    def report(fault):
        started = time.monotonic()
        result, found = result_of(fault, executable, tests)
        counts[result] += 1
        print(f"{fault['name']}: {result}{found} ({time.monotonic() - started:.0f} s)", flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(report, faults))
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(2 if counts["not planted"] else 1 if counts["not found"] else 0)


main()

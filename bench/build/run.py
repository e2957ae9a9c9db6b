#!/usr/bin/env python3
"""Measures what it costs to build Qingyu, and writes its part of docs/benchmarks.md.

Parts: `demo` (`make demo` with nothing compiled: processor and wall time), `change` (what a developer waits for after a change
low down), `packages` (Cargo.lock) and `ci` (`.ci/run` in a fresh clone, with nothing compiled and once more; an hour). All but
`ci` run unless parts are named. What is compiled goes to a folder of its own below --folder, which is removed afterwards; the
crates themselves must be on this machine already (`cargo fetch`), so that no download is measured.
"""

import argparse
import datetime
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from report import write_section  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
MOST_PACKAGES = 550
PARTS = ("packages", "demo", "change", "ci")
# A file low down in each crate that is changed, and how long its tests may take afterwards, in seconds.
CHANGED = {"qingyu-story": ("crates/qingyu-story/src/story.rs", 40), "qingyu-graph": ("crates/qingyu-graph/src/superstep.rs", 20)}
CHECK_LIMIT = 30


@dataclass
class Cost:
    """What one command took, in seconds; its processor time includes that of its children."""

    wall: float
    cpu: float


@dataclass
class Row:
    """One line of the table."""

    what: str
    goal: str
    measured: str
    met: bool

    def markdown(self) -> str:
        return f"| {self.what} | {self.goal} | {self.measured} | {'met' if self.met else '**missed**'} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all but ci)")
    parser.add_argument("--folder", type=Path, help="where to compile (default: a temporary folder)")
    parser.add_argument("--dry", action="store_true", help="prints the table and leaves docs/benchmarks.md alone")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    parts = arguments.parts or [part for part in PARTS if part != "ci"]
    say("fetching the crates, so that no download is measured")
    subprocess.run(["cargo", "fetch", "--locked", "--quiet"], cwd=ROOT, check=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="qingyu-build-", dir=arguments.folder) as folder:
        for part in parts:
            rows += MEASURES[part](Path(folder))
    text = markdown(rows)
    print(text)
    if not arguments.dry:
        write_section("bench-build", text)


def packages(_: Path) -> list[Row]:
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    count = lock.count("\n[[package]]")
    doubled = duplicates()
    measured = f"{count}, {len(doubled)} of them in more than one version"
    return [Row("packages in Cargo.lock", f"≤ {MOST_PACKAGES}", measured, count <= MOST_PACKAGES)]


def duplicates() -> set[str]:
    """Returns the names of packages that the lock file has in more than one version."""
    names = [line.split('"')[1] for line in (ROOT / "Cargo.lock").read_text(encoding="utf-8").splitlines() if line.startswith("name = ")]
    return {name for name in names if names.count(name) > 1}


def demo(folder: Path) -> list[Row]:
    say("make demo with nothing compiled")
    cost = run(["make", "demo"], {"CARGO_TARGET_DIR": str(folder / "demo")}, "demo")
    again = run(["make", "demo"], {"CARGO_TARGET_DIR": str(folder / "demo")}, "demo again")
    shutil.rmtree(folder / "demo")
    measured = f"{minutes(cost.cpu)} CPU, {minutes(cost.wall)} wall; {again.wall:.0f} s when compiled"
    return [Row("`make demo` with nothing compiled", "≤ 10 CPU minutes", measured, cost.cpu <= 600)]


def change(folder: Path) -> list[Row]:
    """Compiles the tests of each crate and the workspace's check once, changes a file, and measures both again.

    Examples are left out (--lib --tests), as CONTRIBUTING.md advises: linking qingyu-graph's eleven takes as long as its tests.
    """
    environment = {"CARGO_TARGET_DIR": str(folder / "change")}
    rows = []
    for crate, (path, limit) in CHANGED.items():
        command = ["cargo", "nextest", "run", "--locked", "--no-fail-fast", "--status-level", "none", "-p", crate, "--all-features", "--lib", "--tests"]
        say(f"the tests of {crate}, compiled before anything is changed")
        run(command, environment, crate)
        with changed(ROOT / path):
            say(f"the same after a change of {path}")
            cost = run(command, environment, f"{crate} changed")
        rows.append(Row(f"a change of `{path}`, built and tested", f"≤ {limit} s", seconds(cost), cost.wall <= limit))
    command = ["cargo", "check", "--locked", "--workspace", "--quiet"]
    say("cargo check of the workspace, before anything is changed")
    run(command, environment, "check")
    for path in ("crates/qingyu-story/src/story.rs", "crates/qingyu-db/src/lib.rs"):
        with changed(ROOT / path):
            say(f"the same after a change of {path}")
            cost = run(command, environment, "check changed")
        rows.append(Row(f"`cargo check --workspace` after a change of `{path}`", f"≤ {CHECK_LIMIT} s", seconds(cost), cost.wall <= CHECK_LIMIT))
    shutil.rmtree(folder / "change")
    return rows


def ci(folder: Path) -> list[Row]:
    rows = []
    for state, limit in (("with nothing compiled", 40), ("once more, in another fresh clone", 20)):
        clone = folder / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        say(f".ci/run {state}")
        cost = run(["bash", ".ci/run"], {"CI": "true", "XDG_CACHE_HOME": str(folder / "cache")}, "ci", clone)
        shutil.rmtree(clone)
        rows.append(Row(f"`.ci/run` {state}", f"≤ {limit} min", f"{minutes(cost.wall)} wall, {minutes(cost.cpu)} CPU", cost.wall <= limit * 60))
    shutil.rmtree(folder / "cache")
    return rows


MEASURES: dict[str, Callable[[Path], list[Row]]] = {"packages": packages, "demo": demo, "change": change, "ci": ci}


@contextmanager
def changed(path: Path):
    """Adds a function to a source file, and takes it away again. Its body differs each time, so nothing compiled fits."""
    before = path.read_bytes()
    function = f"\n#[allow(dead_code)]\nfn added_by_the_bench() -> u128 {{\n    {time.time_ns()}\n}}\n"
    try:
        path.write_bytes(before + function.encode())
        yield
    finally:
        path.write_bytes(before)


def run(command: list[str], environment: dict[str, str], name: str, folder: Path = ROOT) -> Cost:
    """Runs a command to its end. Its output goes to a file, which is shown if the command fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryFile() as log:
        ended = subprocess.run(command, cwd=folder, env=os.environ | environment, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        if ended.returncode != 0:
            log.seek(0)
            sys.stderr.buffer.write(log.read()[-20_000:])
            sys.exit(f"{name} failed: {' '.join(command)}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = Cost(time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    say(f"{name}: {cost.wall:.1f} s, {cost.cpu:.1f} s CPU")
    return cost


def markdown(rows: list[Row]) -> str:
    commit = output(["git", "rev-parse", "--short", "HEAD"])
    machine = f"{os.cpu_count()} cores; {output(['rustc', '--version'])}; load when it ended {os.getloadavg()[0]:.1f}"
    head = [f"Measured {datetime.date.today()} ({commit}) on {machine}.", "", "| what | goal | measured | verdict |", "|---|---|---|---|"]
    return "\n".join(head + [row.markdown() for row in rows])


def output(command: list[str]) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def minutes(value: float) -> str:
    return f"{int(value) // 60} min {int(value) % 60:02} s"


def seconds(cost: Cost) -> str:
    return f"{cost.wall:.1f} s ({cost.cpu:.1f} s CPU)"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

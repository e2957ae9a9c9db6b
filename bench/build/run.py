#!/usr/bin/env python3
"""Measures what it costs to build Qingyu, and writes its part of docs/benchmarks.md.

Parts: `packages` (Cargo.lock), `demo` (`make demo` with nothing compiled: processor and wall time), `change` (what a developer
waits for after a change low down) and `ci` (`.ci/run` with nothing compiled, and once more; an hour). All run unless parts are
named. What is measured is a clone of the last commit, with target directories and caches of its own below --folder, which is
removed afterwards: neither the caller's sources nor what they have compiled is touched. Crates are fetched before, so that no
download of one is measured.
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
from collections.abc import Callable, Iterator
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
# Variables of the caller that would change what is compiled, how, or where to.
CLEARED = (
    *("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_INCREMENTAL", "CARGO_BUILD_JOBS", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"),
    *("RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CLI_BUILD", "QINGYU_ALL_CASES", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"),
)


@dataclass
class Cost:
    """What one command took, in seconds; its processor time includes that of its children."""

    wall: float
    cpu: float


class CommandFailed(Exception):
    """A command that was to be measured has failed; its output has been shown."""


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
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--folder", type=Path, help="where to compile (default: a temporary folder)")
    parser.add_argument("--dry", action="store_true", help="prints the table and leaves docs/benchmarks.md alone")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    parts = arguments.parts or PARTS
    if output(["git", "status", "--porcelain", "--untracked-files=no"]):
        say("there are changes that are not committed; the last commit is measured")
    say("fetching the crates, so that no download is measured")
    # `make test` resolves the lock file of that bench too.
    for manifest in ("Cargo.toml", "bench/graph/Cargo.toml") if "ci" in parts else ("Cargo.toml",):
        subprocess.run(["cargo", "fetch", "--locked", "--quiet", "--manifest-path", manifest], cwd=ROOT, check=True)
    rows: list[Row] = []
    failed = []
    with tempfile.TemporaryDirectory(prefix="qingyu-build-", dir=arguments.folder) as folder:
        for part in parts:
            try:
                for row in MEASURES[part](Path(folder).resolve()):
                    say(row.markdown())
                    rows.append(row)
            except CommandFailed as failure:
                say(f"{part}: {failure}")
                failed.append(part)
    text = markdown(rows)
    print(text)
    if failed:
        sys.exit(f"not measured to the end: {', '.join(failed)}")
    if not arguments.dry:
        write_section("bench-build", text)


def packages(_: Path) -> Iterator[Row]:
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    count = lock.count("\n[[package]]")
    doubled = duplicates()
    measured = f"{count}, {len(doubled)} of them in more than one version"
    yield Row("packages in Cargo.lock", f"≤ {MOST_PACKAGES}", measured, count <= MOST_PACKAGES)


def duplicates() -> set[str]:
    """Returns the names of packages that the lock file has in more than one version."""
    names = [line.split('"')[1] for line in (ROOT / "Cargo.lock").read_text(encoding="utf-8").splitlines() if line.startswith("name = ")]
    return {name for name in names if names.count(name) > 1}


def demo(folder: Path) -> Iterator[Row]:
    with cloned(folder) as clone:
        environment = {"CARGO_TARGET_DIR": str(folder / "demo")}
        say("make demo with nothing compiled")
        cost = run(["make", "demo"], environment, "demo", clone)
        again = run(["make", "demo"], environment, "demo again", clone)
    shutil.rmtree(folder / "demo")
    measured = f"{minutes(cost.cpu)} CPU, {minutes(cost.wall)} wall; {again.wall:.0f} s when compiled"
    yield Row("`make demo` with nothing compiled", "≤ 10 CPU minutes", measured, cost.cpu <= 600)


def change(folder: Path) -> Iterator[Row]:
    """Compiles the tests of each crate and the workspace's check once, changes a file, and measures both again.

    Examples are left out (--lib --tests), as CONTRIBUTING.md advises, and the test that runs them: linking qingyu-graph's eleven
    takes as long as its tests.
    """
    with cloned(folder) as clone:
        environment = {"CARGO_TARGET_DIR": str(folder / "change")}
        for crate, (path, limit) in CHANGED.items():
            command = ["cargo", "nextest", "run", "--locked", "--no-fail-fast", "--status-level", "none", "-p", crate]
            command += ["--all-features", "--lib", "--tests", "-E", "not test(every_example_ends_as_it_should)"]
            say(f"the tests of {crate}, compiled before anything is changed")
            run(command, environment, crate, clone)
            say(f"the same after a change of {path}")
            change_source(clone / path)
            cost = run(command, environment, f"{crate} changed", clone)
            yield Row(f"a change of `{path}`, built and tested", f"≤ {limit} s", seconds(cost), cost.wall <= limit)
        command = ["cargo", "check", "--locked", "--workspace", "--quiet"]
        say("cargo check of the workspace, before anything is changed")
        run(command, environment, "check", clone)
        for path in ("crates/qingyu-story/src/story.rs", "crates/qingyu-db/src/lib.rs"):
            say(f"the same after a change of {path}")
            change_source(clone / path)
            cost = run(command, environment, "check changed", clone)
            what = f"`cargo check --workspace` after a change of `{path}`"
            yield Row(what, f"≤ {CHECK_LIMIT} s", seconds(cost), cost.wall <= CHECK_LIMIT)
    shutil.rmtree(folder / "change")


def ci(folder: Path) -> Iterator[Row]:
    cache = folder / "cache"
    environment = {"CI": "true", "XDG_CACHE_HOME": str(cache)}
    for state, limit in (("with nothing compiled", 40), ("once more, in another fresh clone", 20)):
        with cloned(folder) as clone:
            say(f".ci/run {state}")
            cost = run(["bash", ".ci/run"], environment, "ci", clone)
        measured = f"{minutes(cost.wall)} wall, {minutes(cost.cpu)} CPU"
        yield Row(f"`.ci/run` {state}", f"≤ {limit} min", measured, cost.wall <= limit * 60)
    shutil.rmtree(cache)


MEASURES: dict[str, Callable[[Path], Iterator[Row]]] = {"packages": packages, "demo": demo, "change": change, "ci": ci}


@contextmanager
def cloned(folder: Path) -> Iterator[Path]:
    """Clones the last commit; always to one place, which is part of what makes something compiled fit."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    try:
        yield clone
    finally:
        shutil.rmtree(clone)


def change_source(path: Path) -> None:
    """Adds a function to a source file of a clone."""
    name = f"added_by_the_bench_{time.time_ns()}"
    with path.open("a", encoding="utf-8") as source:
        source.write(f"\n#[allow(dead_code)]\nfn {name}() -> &'static str {{\n    \"{name}\"\n}}\n")


def run(command: list[str], environment: dict[str, str], name: str, folder: Path) -> Cost:
    """Runs a command to its end. Its output goes to a file, whose end is shown if the command fails."""
    environment = {key: value for key, value in os.environ.items() if key not in CLEARED} | environment
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryFile() as log:
        ended = subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        if ended.returncode != 0:
            log.seek(0)
            sys.stderr.buffer.write(log.read()[-20_000:])
            raise CommandFailed(f"{name} failed after {minutes(time.monotonic() - began)}: {' '.join(command)}")
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

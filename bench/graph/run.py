#!/usr/bin/env python3
"""Measures the state graph beside LangGraph and two Rust crates, in turns, and writes the table of docs/benchmarks.md.

What cannot be measured here is named with its reason. With a list of works only these are measured, and nothing is
written.
"""

import argparse
import datetime
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import time

import journal
from programs import CARGO, HERE, LOCAL, ROOT, Missing, make, may_be_undisturbed, measured, must, undisturbed
from results import NAMES, NotMeasured, Results
from table import markdown

sys.path.insert(0, str(HERE.parent / "shared"))
from report import write_section  # noqa: E402

POSTGRES = os.environ.get("QINGYU_BENCH_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")

# For each work, the words that each program is called with.
WORKS = {
    "chain": {"ours": ["chain"], "juncture": ["chain"], "adk": ["chain"], "langgraph": ["chain", "none"]},
    "loop": {"ours": ["loop"], "juncture": ["loop"], "adk": ["loop"], "langgraph": ["loop"]},
    "fanout": {"ours": ["fanout"], "juncture": ["fanout"], "adk": ["fanout"], "langgraph": ["fanout"]},
    "chain-sqlite": {"ours": ["chain-sqlite", "FOLDER"], "langgraph": ["chain", "sqlite-full", "FOLDER"]},
    "chain-sqlite-normal": {"langgraph": ["chain", "sqlite-normal", "FOLDER"]},
    "chain-postgres": {"ours": ["chain-postgres", POSTGRES], "langgraph": ["chain", "postgres", POSTGRES]},
    "startup": {"ours": ["startup"], "langgraph": ["startup"]},
    "threads": {"ours": ["threads", "FOLDER"], "langgraph": ["threads", "FOLDER"]},
    "growth-sqlite": {"ours": ["growth-sqlite", "FOLDER"], "langgraph": ["growth", "sqlite-full", "FOLDER"]},
    "growth-postgres": {"ours": ["growth-postgres", POSTGRES], "langgraph": ["growth", "postgres", POSTGRES]},
}
# Where wall time counts, and little processor time is needed.
BOUND_BY_WAITING = {"chain-sqlite", "chain-postgres", "growth-sqlite", "growth-postgres", "startup"}
# What takes LangGraph minutes is done once.
ONCE = {("threads", "langgraph"), ("growth-sqlite", "langgraph"), ("growth-postgres", "langgraph")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("works", nargs="*", metavar="work", help=", ".join([*WORKS, "journal", "build"]))
    parser.add_argument("--repetitions", type=int, default=5, help="how often the programs take turns (5)")
    parser.add_argument("--without", nargs="*", default=[], choices=["juncture", "adk", "langgraph"])
    asked = parser.parse_args()
    wanted = asked.works or [*WORKS, "journal", "build"]
    results = Results()
    load_before = os.getloadavg()[0]
    programs = make_programs(asked.without)
    for repetition in range(asked.repetitions):
        for work in filter(wanted.__contains__, WORKS):
            measure(work, repetition, programs, results)
    if "journal" in wanted:
        prove(programs, results)
    if "build" in wanted:
        build(results)
    table = markdown(results)
    print(f"\n{table}")
    if not asked.works and not asked.without:
        write_section("bench-graph", f"{conditions(load_before, asked.repetitions)}\n\n{table}\n\n{normal(results)}")


def make_programs(without: list[str]) -> dict[str, list[str] | str]:
    """For each program the words that start it, or why there is none."""
    programs = {}
    for name in NAMES:
        if name in without:
            programs[name] = "left out of this run"
            continue
        say(f"making {NAMES[name]}")
        try:
            programs[name] = make(name)
        except Missing as missing:
            programs[name] = str(missing)
            say(f"{NAMES[name]} is not measured: {missing}")
    return programs


def measure(work: str, repetition: int, programs: dict, results: Results) -> None:
    for program, words in WORKS[work].items():
        if repetition and (work, program) in ONCE or (work, program) in results.missing:
            continue
        start = programs[program]
        try:
            if isinstance(start, str):
                raise Missing(start)
            if work in BOUND_BY_WAITING:
                with undisturbed():
                    reading = measured(start + words)
            else:
                reading = measured(start + words)
        except Missing as missing:
            results.lack(work, program, str(missing))
            say(f"{work}, {NAMES[program]}: not measured: {missing}")
            continue
        results.add(work, program, reading)
        shown = {key: round(value, 2) for key, value in reading.items()}
        say(f"{repetition + 1}: {work}, {NAMES[program]}: {shown}")


def prove(programs: dict, results: Results) -> None:
    """Reads a journal that was left behind with another program."""
    if isinstance(programs["ours"], str):
        results.lack("journal", "ours", programs["ours"])
        return
    folder = LOCAL / "data"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        results.add("journal", "ours", journal.prove(programs["ours"][0], folder / "journal.db"))
    except RuntimeError as error:
        results.lack("journal", "ours", str(error))
    shutil.rmtree(folder, ignore_errors=True)


def build(results: Results) -> None:
    """Counts the crates and times a clean release build of the crate alone."""
    trees = {
        "ours": (ROOT, "qingyu-graph"),
        "juncture": (HERE / "peers" / "juncture", "juncture-core"),
        "adk": (HERE / "peers" / "adk", "adk-graph"),
    }
    for program, (folder, crate) in trees.items():
        tree = [CARGO, "tree", "--locked", "-p", crate, "-e", "normal,build", "--prefix", "none", "--no-dedupe"]
        try:
            lines = must(tree, "cargo tells no tree", cwd=folder).splitlines()
        except Missing as missing:
            results.lack("crates", program, str(missing))
            continue
        results.add("crates", program, {"crates": len({tuple(line.split()[:2]) for line in lines if line})})
    if os.environ.get("QINGYU_BENCH_BUILD") == "0":
        results.lack("build", "ours", "QINGYU_BENCH_BUILD is 0")
        return
    say("building the crate alone, from nothing")
    target = LOCAL / "build"
    shutil.rmtree(target, ignore_errors=True)
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        must(
            [CARGO, "build", "--release", "--locked", "-p", "qingyu-graph"],
            "the crate did not build",
            cwd=ROOT,
            env=os.environ | {"CARGO_TARGET_DIR": str(target)},
        )
    except Missing as missing:
        results.lack("build", "ours", str(missing))
        return
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(target, ignore_errors=True)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall = time.perf_counter() - began
    results.add("build", "ours", {"wall_us": wall * 1e6, "cpu_us": cpu * 1e6, "cores": os.cpu_count() or 1})


def conditions(load_before: float, repetitions: int) -> str:
    """What the numbers were made on."""
    model = re.search(r"model name\s*: (.*)", read("/proc/cpuinfo"))
    memory = re.search(r"MemTotal:\s*(\d+)", read("/proc/meminfo"))
    rust = version(["rustc", "--version"])
    postgres = version(["psql", POSTGRES, "-Atc", "SHOW server_version"])
    machine = [
        f"{os.cpu_count()} × {model[1] if model else platform.machine()}",
        f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "",
        f"{platform.system()} {platform.release()}",
        f"disk: {disk()}",
        rust,
        f"Python {platform.python_version()}",
        f"PostgreSQL {postgres}" if postgres else "no PostgreSQL",
    ]
    today = datetime.datetime.now(datetime.timezone.utc).date()
    priority = "with real-time priority" if may_be_undisturbed() else "with the same priority as everything else"
    return "\n".join(
        [
            f"Measured {today} ({version(['git', '-C', str(ROOT), 'rev-parse', '--short', 'HEAD'])}); "
            f"{repetitions} repetitions in turns; load when it began {load_before:.1f}, when it ended "
            f"{os.getloadavg()[0]:.1f}; what waits for the disk ran {priority}.",
            "",
            f"Machine: {'; '.join(filter(None, machine))}.",
        ]
    )


def disk() -> str:
    mounts = [line.split()[:3] for line in read("/proc/mounts").splitlines()]
    here = str(LOCAL.resolve())
    under = [mount for mount in mounts if f"{here}/".startswith(mount[1].rstrip("/") + "/")]
    device, _, kind = max(under, key=lambda mount: len(mount[1]), default=("unknown", "", ""))
    return f"{kind} on {device}"


def normal(results: Results) -> str:
    what = "LangGraph's chain on SQLite with `synchronous=NORMAL`"
    try:
        least = results.least("chain-sqlite-normal", "langgraph", "cpu_us")
    except NotMeasured as why:
        return f"{what}: not measured: {why}."
    return f"For comparison: {what} takes {least / 1e3:.3g} ms of CPU a run."


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def version(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

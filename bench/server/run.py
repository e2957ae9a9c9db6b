#!/usr/bin/env python3
"""Measures `qingyu serve` beside `langgraph dev` under the same load, in turns, and writes the table of docs/benchmarks.md.

What cannot be measured here is named with its reason. With a list of works only these are measured, and nothing is
written.
"""

import argparse
import asyncio
import datetime
import os
import platform
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import servers
from load import Reading, Refused, load, subscribe
from pressure import pressure, table as pressure_table
from servers import HERE, LOCAL, ROOT, Missing, Running
from table import GROWTH, NAMES, Results, markdown

sys.path.insert(0, str(HERE.parent / "shared"))
from report import write_section  # noqa: E402

# How many runs are timed together: enough that the clock of the kernel, which ticks 100 times a second, does not matter.
RUNS = {"sqlite": 1000, "postgres": 1000, "langgraph": 200}
WARM_UP = 32
AT_ONCE = 16
BURST = 1000
SUBSCRIBERS = 5000
# How long each node of the run waits that has subscribers, so that all can come before the second has run.
PAUSE_MILLIS = 4000
# After how long a server that does nothing counts as idle, in seconds.
SETTLED = 4.0

WORKS = ["idle", "wait", "stream", "thread", "first", "burst", "subscribers", "growth", "pressure"]
BOTH_AND_PEER = ["sqlite", "postgres", "langgraph"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("works", nargs="*", metavar="work", help=", ".join(WORKS))
    parser.add_argument("--repetitions", type=int, default=5, help="how often the servers take turns (5)")
    parser.add_argument("--without", nargs="*", default=[], choices=[*NAMES])
    asked = parser.parse_args()
    LOCAL.mkdir(parents=True, exist_ok=True)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    began = os.getloadavg()[0]
    results = Results()
    servers.clear()
    places = make_servers(asked.without)
    for repetition in range(asked.repetitions):
        for work in asked.works or WORKS:
            for server in who_does(work, repetition):
                measure(work, server, places[server], results, repetition)
    servers.clear()
    if "pressure" in (asked.works or WORKS):
        written = f"{conditions(began, 1)}\n\n{pressure_table(results)}"
        print(f"\n{written}")
        write_section("bench-pressure", written)
    table = markdown(results)
    print(f"\n{table}")
    if not asked.works and not asked.without:
        write_section("bench-server", f"{conditions(began, asked.repetitions)}\n\n{table}")


def make_servers(without: list[str]) -> dict:
    """For each server what starts it, or why there is none."""
    places: dict = {}
    for server in NAMES:
        if server in without:
            places[server] = "left out of this run"
            continue
        say(f"making {NAMES[server]}")
        try:
            places[server] = maker(server)
        except Missing as missing:
            places[server] = str(missing)
            say(f"{NAMES[server]} is not measured: {missing}")
    return places


def maker(server: str):
    if server == "langgraph":
        programs = servers.peer_environment()
        return lambda: servers.langgraph(programs)
    if server == "postgres":
        servers.psql("SELECT 1")
    program = servers.build()
    return lambda: servers.ours(program, server)


def who_does(work: str, repetition: int) -> list[str]:
    """What takes long, or has no peer, is done by fewer and less often."""
    if work in ("subscribers", "growth", "pressure"):
        return ["sqlite", "postgres"] if repetition == 0 else []
    if work == "burst":
        return BOTH_AND_PEER if repetition < 3 else []
    return BOTH_AND_PEER


def measure(work: str, server: str, place, results: Results, repetition: int) -> None:
    name = {"stream": f"stream-{AT_ONCE}", "first": "stream-1"}.get(work, work)
    if (name, server) in results.missing:
        return
    try:
        if isinstance(place, str):
            raise Missing(place)
        with place() as running:
            reading = MEASURES[work](running, server)
    except (Missing, Refused, OSError, asyncio.IncompleteReadError, TimeoutError) as why:
        results.lack(name, server, str(why) or type(why).__name__)
        say(f"{work}, {NAMES[server]}: not measured: {why!r}")
        return
    results.add(name, server, reading)
    shown = {key: round(value, 2) for key, value in reading.items()}
    say(f"{repetition + 1}: {work}, {NAMES[server]}: {shown}")


def idle(running: Running, _: str) -> dict:
    time.sleep(SETTLED)
    usage = running.usage()
    return {"resident": usage.resident, "own": usage.own}


def loaded(mode: str):
    def measure(running: Running, server: str) -> dict:
        return under_load(running, mode, RUNS[server], AT_ONCE)

    return measure


def first(running: Running, server: str) -> dict:
    # The peer looks for new runs once a second.
    return under_load(running, "stream", RUNS[server] // 5, 1)


def burst(running: Running, _: str) -> dict:
    running.forget_peak()
    reading = under_load(running, "wait", BURST, BURST)
    usage = running.usage()
    return {"wall": reading["wall"], "cpu": reading["cpu_ms"] * BURST / 1e3, "peak": usage.peak}


def growth(running: Running, _: str) -> dict:
    """The processor time of 200 runs that end with so many in the store."""
    before, reading = 0, {}
    for runs in GROWTH:
        asyncio.run(load(running.target, "thread", runs - 200 - before, AT_ONCE))
        reading[f"cpu_{runs}"] = timed(running, "thread", 200, AT_ONCE)[1]
        before = runs
    return reading


def subscribers(running: Running, _: str) -> dict:
    asyncio.run(load(running.target, "wait", WARM_UP, AT_ONCE))
    running.forget_peak()
    before = running.usage().cpu
    at_half = []
    reading = asyncio.run(
        subscribe(running.target, SUBSCRIBERS, PAUSE_MILLIS, lambda: at_half.append(running.usage().cpu))
    )
    usage = running.usage()
    return reading | {"cpu_join": at_half[0] - before, "cpu_events": usage.cpu - at_half[0], "peak": usage.peak}


def under_pressure(running: Running, _: str) -> dict:
    running.forget_peak()
    reading = asyncio.run(pressure(running.target))
    return reading | {"peak": running.usage().peak}


def under_load(running: Running, mode: str, runs: int, at_once: int) -> dict:
    asyncio.run(load(running.target, mode, WARM_UP, AT_ONCE))
    reading, cpu_ms = timed(running, mode, runs, at_once)
    found = {"cpu_ms": cpu_ms, "wall": reading.wall, "resident": running.usage().resident}
    if reading.first_events:
        events = sorted(reading.first_events)
        found |= {"first_p50": quantile(events, 0.5) * 1e3, "first_p99": quantile(events, 0.99) * 1e3}
    return found


def timed(running: Running, mode: str, runs: int, at_once: int) -> tuple[Reading, float]:
    before = running.usage().cpu
    reading = asyncio.run(load(running.target, mode, runs, at_once))
    return reading, (running.usage().cpu - before) * 1e3 / runs


def quantile(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))]


MEASURES = {
    "idle": idle,
    "wait": loaded("wait"),
    "stream": loaded("stream"),
    "thread": loaded("thread"),
    "first": first,
    "burst": burst,
    "subscribers": subscribers,
    "growth": growth,
    "pressure": under_pressure,
}


def conditions(began: float, repetitions: int) -> str:
    """What the numbers were made on."""
    model = re.search(r"model name\s*: (.*)", read("/proc/cpuinfo"))
    memory = re.search(r"MemTotal:\s*(\d+)", read("/proc/meminfo"))
    machine = [
        f"{os.cpu_count()} × {model[1] if model else platform.machine()}",
        f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "",
        f"{platform.system()} {platform.release()}",
        version(["rustc", "--version"]),
        f"Python {platform.python_version()}",
        f"PostgreSQL {version(['psql', servers.POSTGRES, '-Atc', 'SHOW server_version'])}",
        ", ".join((HERE / "requirements.txt").read_text(encoding="utf-8").split()),
    ]
    today = datetime.datetime.now(datetime.timezone.utc).date()
    return (
        f"Measured {today} ({version(['git', '-C', str(ROOT), 'rev-parse', '--short', 'HEAD'])}); {repetitions} repetitions "
        f"in turns, each with a server that was just started in an empty place: the middle, and the least and the most in "
        f"brackets; load when it began {began:.1f}, when it ended {os.getloadavg()[0]:.1f}.\n\n"
        f"Machine: {'; '.join(filter(None, machine))}."
    )


def read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
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

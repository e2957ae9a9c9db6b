#!/usr/bin/env python3
"""Profiles the main job, one sentence to a checked story with the offline model, and writes its part of docs/benchmarks.md.

Where the processor's time goes is told by `perf`, where the bytes go by SQLite's `dbstat`. With --before PROGRAM the same is
measured of another build, in turns, and shown beside it.
"""

import argparse
import collections
import datetime
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from report import write_section  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENT = "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术"

# By whom a symbol is, the first that fits.
OWNERS = [
    ("memory given and taken back", r"^_rjem|tikv_jemalloc|__rust_(de|re)?alloc|^(_int_|__?libc_)?(malloc|free|realloc|calloc)|_int_malloc|_int_free|malloc_consolidate|unlink_chunk|sysmalloc"),
    ("copying and filling", r"^_*mem(cpy|move|set|cmp|chr)"),
    ("SQLite", r"^(sqlite3|fts5|vdbe|btree|pager|wal|moveToChild|balance|pcache|unix[A-Z]|dbMalloc|yy|row?Set)"),
    ("JSON and schemas", r"serde|schemars|jsonschema|simdutf8|jiff::fmt"),
    ("templates", r"minijinja"),
    ("words and vectors", r"qingyu_knowledge"),
    ("texts of the program (fluent)", r"fluent|intl_"),
    ("regular expressions", r"regex|aho_corasick"),
    ("hashes", r"sha2|sha256|blake|md5|rustc_hash"),
    ("tokio", r"tokio|mio::"),
    ("the story and its checker", r"qingyu_story"),
    ("the engine", r"qingyu_graph"),
    ("agents", r"qingyu_agents"),
    ("models and their wires", r"qingyu_llm|reqwest|hyper|rustls"),
    ("the offline model", r"qingyu_offline"),
    ("other parts of Qingyu", r"qingyu"),
    ("loading the program", r"^(_dl_|do_lookup|elf_|dl_)"),
]


@dataclass
class Job:
    """One run of the main job."""

    cpu_ms: float
    wall_ms: float
    written: int
    memory_mib: float


@dataclass
class Build:
    """What was measured of one program."""

    program: Path
    jobs: list[Job] = field(default_factory=list)
    tables: dict[str, int] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)
    owners: dict[str, float] = field(default_factory=dict)

    def middle(self, what: str) -> float:
        return statistics.median(getattr(job, what) for job in self.jobs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, help="the build to measure (a release build of this tree)")
    parser.add_argument("--before", type=Path, help="another build to compare with")
    parser.add_argument("--jobs", type=int, default=20, help="how many jobs of each build (20)")
    parser.add_argument("--dry", action="store_true", help="print, and leave the document alone")
    asked = parser.parse_args()
    builds = [Build(program.resolve()) for program in (asked.program or release(), asked.before) if program]
    with tempfile.TemporaryDirectory(prefix="qingyu-profile-", dir=ROOT / ".local") as folder:
        for turn in range(asked.jobs + 1):
            for build in builds:
                home = Path(folder) / f"{builds.index(build)}-{turn}"
                job = run(build, home)
                # The first of each brings the program into memory.
                if turn > 0:
                    build.jobs.append(job)
                if turn == asked.jobs:
                    look(build, home)
                shutil.rmtree(home)
            say(f"{turn} of {asked.jobs} jobs")
        for build in builds:
            build.owners = sampled(build, Path(folder))
    text = markdown(*builds)
    print(text)
    if not asked.dry:
        write_section("bench-profile", text)


def release() -> Path:
    say("building the release")
    subprocess.run(["cargo", "build", "--locked", "--quiet", "--release", "-p", "qingyu-cli"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "qingyu"


def command(build: Build, home: Path) -> list[str]:
    return [str(build.program), "--home", str(home), "create", REQUIREMENT, "--model", "offline-rules-1", "--yes"]


def run(build: Build, home: Path) -> Job:
    began = time.monotonic()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(build, home), **quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # 3: done, with findings that are left.
    if process.returncode not in (0, 3):
        raise SystemExit(f"{build.program} ended with {process.returncode}")
    cpu = used.ru_utime + used.ru_stime
    return Job(cpu * 1000, (time.monotonic() - began) * 1000, used.ru_oublock * 512, used.ru_maxrss / 1024)


def look(build: Build, home: Path) -> None:
    """Where the bytes are that a job leaves behind."""
    for file in sorted(path for path in home.rglob("*") if path.is_file()):
        kind = file.relative_to(home).parts[0] if file.parent != home else file.name
        build.files[kind] = build.files.get(kind, 0) + file.stat().st_size
    database = sqlite3.connect(home / "qingyu.db")
    rows = "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name"
    build.tables = dict(database.execute(rows))
    database.close()


def sampled(build: Build, folder: Path) -> dict[str, float]:
    """Shares of the processor's time, by owner; none without `perf`."""
    if not shutil.which("perf"):
        return {}
    record, times = folder / "perf.data", collections.Counter()
    for turn in range(5):
        home = folder / f"perf-{turn}"
        perf = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "9999", "-o", str(record), "--", *command(build, home)]
        subprocess.run(perf, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        report = ["perf", "report", "-q", "-i", str(record), "--no-children", "--sort", "symbol", "-F", "sample,symbol"]
        lines = subprocess.run(report, capture_output=True, text=True, check=True).stdout.splitlines()
        for line in filter(None, map(str.strip, lines)):
            samples, space, symbol = re.match(r"(\d+)\s+\[(.)\]\s+(.*)", line).groups()
            times[owner(space, symbol)] += int(samples)
        shutil.rmtree(home)
    return {name: count / times.total() for name, count in times.most_common()}


def owner(space: str, symbol: str) -> str:
    if space == "k":
        return "the kernel"
    return next((name for name, pattern in OWNERS if re.search(pattern, symbol)), "everything else")


def markdown(now: Build, before: Build | None = None) -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    lines = [f"Measured {datetime.date.today()} ({commit}), the middle of {len(now.jobs)} jobs, each in an empty folder.", ""]
    columns = ["", "now"] + (["before", "now / before"] if before else [])
    table = [columns, ["---"] + ["--:"] * (len(columns) - 1)]

    def row(name: str, show, value) -> None:
        cells = [name, show(value(now))]
        if before:
            cells += [show(value(before)), f"{value(now) / value(before):.2f}" if value(before) else "–"]
        table.append(cells)

    row("CPU, ms", "{:.0f}".format, lambda build: build.middle("cpu_ms"))
    row("wall, ms", "{:.0f}".format, lambda build: build.middle("wall_ms"))
    row("most memory, MiB", "{:.1f}".format, lambda build: build.middle("memory_mib"))
    row("written to the disk, KiB", kib, lambda build: build.middle("written"))
    row("left on the disk, KiB", kib, lambda build: sum(build.files.values()))
    for name in largest(now.files, before and before.files):
        row(f"– file `{name}`", kib, lambda build, name=name: build.files.get(name, 0))
    for name in largest(now.tables, before and before.tables):
        row(f"– table `{name}`", kib, lambda build, name=name: build.tables.get(name, 0))
    for name in largest(now.owners, before and before.owners):
        row(f"CPU in {name}", "{:.1%}".format, lambda build, name=name: build.owners.get(name, 0.0))
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in table])


def largest(*counts: dict[str, float] | None, most: int = 10) -> list[str]:
    together = collections.Counter()
    for one in filter(None, counts):
        together.update(one)
    return [name for name, _ in together.most_common(most)]


def kib(size: float) -> str:
    return f"{size / 1024:,.0f}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

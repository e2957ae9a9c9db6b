#!/usr/bin/env python3
"""Measures search beside qdrant-edge, chromadb and bm25s with jieba, on the same data in the same run, and writes the section
"Retrieval" of docs/benchmarks.md.

What cannot be measured here is named with its reason. With a list of works only these are measured, and nothing is written.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from table import Results, markdown, qualities

HERE = Path(__file__).parent
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
from report import write_section  # noqa: E402

ROOT = HERE.parents[1]
LOCAL = ROOT / ".local" / "bench" / "retrieval"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
CARGO = os.environ.get("CARGO", "cargo")

MANY, SOME = 100_000, 10_000
WORKS = ["edit", "indexing", "hybrid", "quality"]


class Missing(Exception):
    """Why something cannot be measured here."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("works", nargs="*", metavar="work", help=", ".join(WORKS))
    asked = parser.parse_args()
    results = Results()
    load = os.getloadavg()[0]
    LOCAL.mkdir(parents=True, exist_ok=True)
    for work in asked.works or WORKS:
        for program, words in programs(work):
            say(f"{work}: {program}")
            try:
                results.add(work, program, words())
            except Missing as missing:
                results.lack(work, program, str(missing))
                say(f"not measured: {missing}")
    text = f"{markdown(results)}\n\n{qualities(results)}"
    print(f"\n{text}")
    if not asked.works:
        write_section("bench-retrieval", f"{conditions(load)}\n\n{text}")


def programs(work: str) -> list[tuple]:
    """Who does the work, and how it is called."""
    data = LOCAL / "data"
    return {
        "edit": [("ours", lambda: ours("edit", "2000", "4000", "50"))],
        "indexing": [
            ("ours", lambda: ours("indexing", made(data / "some", SOME) / "passages.jsonl")),
            ("bm25s", lambda: peer("bm25s", made(data / "some", SOME) / "passages.jsonl")),
        ],
        "hybrid": [
            ("ours", lambda: ours("hybrid", made(data / "many", MANY))),
            ("qdrant", lambda: peer("qdrant", made(data / "many", MANY))),
            ("chroma", lambda: peer("chroma", made(data / "many", MANY))),
        ],
        "quality": [("ours", lambda: quality(data / "questions"))],
    }[work]


def quality(folder: Path) -> dict:
    """The rank of the right passage for each question, with its kind."""
    run([sys.executable, HERE / "questions" / "novel.py", "--check"], "the questions are not what their maker makes")
    embedded(folder)
    kinds = [json.loads(line)["kind"] for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return {"ranks": ours("quality", folder), "kinds": kinds}


def embedded(folder: Path) -> None:
    """The question set, with vectors of e5 if they can be made: ten minutes the first time, then they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("passages.jsonl", "questions.jsonl"):
        shutil.copy(HERE / "questions" / name, folder)
    for stale in folder.glob("*.f32"):
        stale.unlink()
    try:
        run([python(), HERE / "embed.py", folder, LOCAL / "e5"], "e5 made no vectors")
    except Missing as missing:
        say(f"without e5: {missing}")


def made(folder: Path, count: int) -> Path:
    """A folder of data.py, made once for each version of the maker."""
    makers = [HERE / "data.py", *sorted((HERE / "questions").glob("*.py"))]
    version = str(max(maker.stat().st_mtime_ns for maker in makers))
    stamp = folder / "version"
    if not stamp.exists() or stamp.read_text() != version:
        run([python(), HERE / "data.py", folder, str(count)], "the data could not be made")
        stamp.write_text(version)
    return folder


def ours(*words) -> dict:
    return json.loads(run([example("qingyu-store", "retrieval"), *words], "it failed"))


def peer(*words) -> dict:
    return json.loads(run([python(), HERE / "peers.py", *words], "it failed").splitlines()[-1])


def example(package: str, name: str) -> Path:
    command = [CARGO, "build", "--release", "--locked", "--quiet", "-p", package, "--example", name]
    run(command, "it did not build", cwd=ROOT)
    return TARGET / "release" / "examples" / name


def python() -> Path:
    """The interpreter of an environment that has the peers."""
    wanted, environment = HERE / "requirements.txt", LOCAL / "venv"
    interpreter, installed = environment / "bin" / "python", environment / "requirements.txt"
    if not installed.exists() or installed.read_text() != wanted.read_text():
        say("installing the peers")
        run([sys.executable, "-m", "venv", environment], "no virtual environment could be made")
        run([interpreter, "-m", "pip", "install", "--quiet", "-r", wanted], "the peers could not be installed")
        shutil.copy(wanted, installed)
    return interpreter


def run(command: list, failure: str, **settings) -> str:
    """Runs `command` to its end and returns what it printed."""
    try:
        ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, **settings)
    except OSError as error:
        raise Missing(f"{failure}: {error}") from error
    if ended.returncode != 0:
        last = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-1:]
        raise Missing(f"{failure}: {' '.join(last)[:200]}")
    return ended.stdout


def conditions(load: float) -> str:
    """What the numbers were made on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) if Path("/proc/cpuinfo").exists() else None
    commit = run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], "no commit").strip()
    today = datetime.datetime.now(datetime.timezone.utc).date()
    rust = run(["rustc", "--version"], "no compiler").strip()
    return (
        f"Measured {today} ({commit}); load when it began {load:.1f}, when it ended {os.getloadavg()[0]:.1f}.\n\n"
        f"Machine: {os.cpu_count()} × {model[1] if model else platform.machine()}; {platform.system()} {platform.release()}; "
        f"{rust}; Python {platform.python_version()}; {', '.join((HERE / 'requirements.txt').read_text().split())}."
    )


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

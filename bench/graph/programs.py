"""The programs that are measured: how they are made, and how one is run."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOCAL = ROOT / ".local" / "bench"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
CARGO = os.environ.get("CARGO", "cargo")


class Missing(Exception):
    """Why something cannot be measured here."""


def make(name: str) -> list[str]:
    """Builds or installs the program and returns the words that start it."""
    makers = {"ours": make_ours, "juncture": make_peer, "adk": make_peer, "langgraph": make_langgraph}
    return makers[name](name)


def make_ours(_: str) -> list[str]:
    return [build(HERE, TARGET, "qingyu-graph-bench")]


def make_peer(name: str) -> list[str]:
    return [build(HERE / "peers" / name, TARGET / "peers", f"qingyu-bench-{name}")]


def build(package: Path, target: Path, binary: str) -> str:
    must(
        [CARGO, "build", "--release", "--locked", "--quiet", "--manifest-path", package / "Cargo.toml"],
        "it did not build",
        env=os.environ | {"CARGO_TARGET_DIR": str(target)},
    )
    return str(target / "release" / binary)


def make_langgraph(_: str) -> list[str]:
    wanted = HERE / "langgraph" / "requirements.txt"
    environment = LOCAL / "langgraph"
    python, installed = environment / "bin" / "python", environment / "requirements.txt"
    if not installed.exists() or installed.read_text() != wanted.read_text():
        must([sys.executable, "-m", "venv", environment], "no virtual environment could be made")
        must([python, "-m", "pip", "install", "--quiet", "-r", wanted], "its packages could not be installed")
        shutil.copy(wanted, installed)
    return [str(python), str(HERE / "langgraph" / "bench.py")]


def must(command: list, failure: str, **settings) -> str:
    """Runs `command` to its end and returns what it printed."""
    try:
        ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, **settings)
    except OSError as error:
        raise Missing(f"{failure}: {error}") from error
    if ended.returncode != 0:
        last = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-1:]
        raise Missing(f"{failure}: {' '.join(last)[:200]}")
    return ended.stdout


def measured(command: list[str]) -> dict:
    """Runs a program that prints one line of JSON, in an empty folder that `FOLDER` stands for. `born_us` is the time
    from its birth to its line."""
    folder = LOCAL / "data"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [str(folder) if word == "FOLDER" else word for word in command]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        line = running.stdout.readline()
        born_us = (time.perf_counter() - began) * 1e6
        complaint = running.stderr.read().strip().splitlines()[-1:]
    shutil.rmtree(folder, ignore_errors=True)
    if running.returncode != 0:
        raise Missing(f"it failed: {' '.join(complaint)[:200]}")
    return json.loads(line) | {"born_us": born_us}


@contextlib.contextmanager
def undisturbed():
    """Gives what is started inside real-time priority, where that is allowed, so that no other program on the machine
    comes between a commit and the one who waits for it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except (AttributeError, PermissionError):
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def may_be_undisturbed() -> bool:
    with undisturbed():
        return hasattr(os, "SCHED_FIFO") and os.sched_getscheduler(0) == os.SCHED_FIFO

"""The servers that are measured: how they are made, started in a fresh place, looked at and stopped."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from dataclasses import dataclass
from pathlib import Path

from load import Target

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOCAL = ROOT / ".local" / "bench" / "server"
HOMES = LOCAL / "homes"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
CARGO = os.environ.get("CARGO", "cargo")
POSTGRES = os.environ.get("QINGYU_BENCH_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")
TICKS = os.sysconf("SC_CLK_TCK")
# How many runs the peer works on at once; one by itself, which is slower and costs it more.
JOBS = 16


class Missing(Exception):
    """Why something cannot be measured here."""


@dataclass
class Usage:
    """What a process and its children have used so far: seconds of the processor, and MiB of memory now, at most, and without
    the pages of files, such as those of the program."""

    cpu: float
    resident: float
    peak: float
    own: float


class Running:
    """A server at work."""

    def __init__(self, process: subprocess.Popen, target: Target) -> None:
        self.process, self.target = process, target

    def usage(self) -> Usage:
        usage = Usage(0.0, 0.0, 0.0, 0.0)
        for pid in family(self.process.pid):
            with contextlib.suppress(OSError):
                times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                usage.cpu += (int(times[11]) + int(times[12])) / TICKS
                sizes = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
                usage.resident += int(sizes["VmRSS"].split()[0]) / 1024
                usage.peak += int(sizes["VmHWM"].split()[0]) / 1024
                usage.own += int(sizes["RssAnon"].split()[0]) / 1024
        return usage

    def forget_peak(self) -> None:
        """From now on the peak is that of what follows."""
        for pid in family(self.process.pid):
            with contextlib.suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text("5")


def family(pid: int) -> list[int]:
    """A process and all that come from it."""
    found = [pid]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def build() -> Path:
    must(
        [CARGO, "build", "--release", "--locked", "--quiet", "-p", "qingyu-cli", "--features", "bench"],
        "it did not build",
        cwd=ROOT,
    )
    return TARGET / "release" / "qingyu"


def peer_environment() -> Path:
    """The folder of programs of an environment that has the peer."""
    wanted, environment = HERE / "requirements.txt", LOCAL / "venv"
    programs, installed = environment / "bin", environment / "requirements.txt"
    if not installed.exists() or installed.read_text() != wanted.read_text():
        must([sys.executable, "-m", "venv", environment], "no virtual environment could be made")
        must([programs / "python", "-m", "pip", "install", "--quiet", "-r", wanted], "the peer could not be installed")
        shutil.copy(wanted, installed)
    return programs


@contextlib.contextmanager
def ours(program: Path, store: str):
    """Our server in an empty folder, on SQLite or in an empty schema of PostgreSQL, with the offline model."""
    home, schema = fresh("ours"), f"bench_{uuid.uuid4().hex[:12]}"
    settings = '[models]\ndefault = "offline-rules-1"\n'
    if store == "postgres":
        settings += f'[storage]\nurl = "{POSTGRES}"\nschema = "{schema}"\n'
    (home / "config.toml").write_text(settings)
    command = [program, "--home", home, "--json", "serve", "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QINGYU_")}
    with started(command, cwd=home, env=environment, stdout=subprocess.PIPE) as process:
        told = read_document(process)
        port = int(told["url"].rsplit(":", 1)[1])
        ready(f"http://127.0.0.1:{port}/readyz", process)
        yield Running(process, Target(port, "/langgraph"))
    if store == "postgres":
        psql(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


@contextlib.contextmanager
def langgraph(programs: Path):
    """The peer in a fresh copy of its folder: it loads again what an earlier one has left."""
    home = fresh("peer")
    shutil.copytree(HERE / "peer", home, dirs_exist_ok=True)
    port = free_port()
    command = [programs / "langgraph", "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1"]
    command += ["--port", port, "--n-jobs-per-worker", JOBS]
    quiet = {"LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1", "LOG_LEVEL": "WARNING"}
    path = {"PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    with started(command, cwd=home, env=os.environ | quiet | path, stdout=subprocess.DEVNULL) as process:
        ready(f"http://127.0.0.1:{port}/ok", process)
        yield Running(process, Target(port))


@contextlib.contextmanager
def started(command: list, **settings):
    log = (LOCAL / "server.log").open("w")
    words = [str(word) for word in command]
    try:
        process = subprocess.Popen(words, stderr=log, text=True, start_new_session=True, **settings)
    except OSError as error:
        raise Missing(f"it does not start: {error}") from error
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.close()


def read_document(process: subprocess.Popen) -> dict:
    """The JSON document that is printed first, on however many lines."""
    text = ""
    while line := process.stdout.readline():
        text += line
        with contextlib.suppress(json.JSONDecodeError):
            return json.loads(text)
    raise Missing(f"it did not say where it is: {complaint()}")


def ready(url: str, process: subprocess.Popen) -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(url, timeout=2) as answer:
                if answer.status == 200:
                    return
        time.sleep(0.1)
    raise Missing(f"it was never ready: {complaint()}")


def complaint() -> str:
    return " ".join((LOCAL / "server.log").read_text(errors="replace").strip().splitlines()[-1:])[:200]


def fresh(name: str) -> Path:
    """An empty folder. What was there before stays until all is measured: an ext4 without a journal looks through the inodes
    of files that were deleted in the last half minute whenever a file is made, at many times the cost."""
    folder = HOMES / f"{name}-{uuid.uuid4().hex[:12]}"
    folder.mkdir(parents=True)
    return folder


def clear() -> None:
    """Removes what the servers have left."""
    shutil.rmtree(HOMES, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def psql(statement: str) -> str:
    return must(["psql", POSTGRES, "-qAtc", statement], "PostgreSQL does not answer").strip()


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

"""Our server as a process of its own: started, looked at, killed, frozen and told to go."""

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from wire import GONE, Connection

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOCAL = ROOT / ".local"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
POSTGRES = os.environ.get("QINGYU_ENDURANCE_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
TICKS = os.sysconf("SC_CLK_TCK")
# How long a server may take to be ready, however busy the machine is.
READY = 60.0


class Failed(Exception):
    """Why a harness cannot go on, or what it has found."""


@dataclass
class Usage:
    """What a process has just now; memory in MiB, the processor in seconds so far."""

    anonymous: float
    file: float
    descriptors: int
    threads: int
    cpu: float


def usage(pid: int) -> Usage | None:
    """None if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        status = dict(line.split(":", 1) for line in lines if ":" in line)
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        anonymous, file = (int(status[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    except (OSError, KeyError, ValueError):
        return None
    cpu = (int(times[11]) + int(times[12])) / TICKS
    return Usage(anonymous, file, descriptors, int(status["Threads"]), cpu)


class Server:
    """One server with a data folder; its process may come and go."""

    def __init__(self, name: str, program: Path, home: Path, environment: dict[str, str] | None = None) -> None:
        self.name, self.program, self.home = name, program, home
        self.environment = environment or {}
        self.process: subprocess.Popen | None = None
        self.port = 0
        # Whether clients should come.
        self.is_open = False
        self.starts = 0

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    @property
    def log(self) -> Path:
        return self.home.parent / f"{self.home.name}.{self.name}.log"

    async def start(self) -> float:
        """Gives after how many seconds it was ready."""
        began = time.perf_counter()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("QINGYU_")}
        # Warnings and what is taken over say enough.
        kept["QINGYU_LOG"] = os.environ.get("QINGYU_LOG", "warn,qingyu=info")
        command = [self.program, "--home", self.home, "--json", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                stdout=subprocess.PIPE,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=kept | self.environment,
            )
        self.starts += 1
        told = await self.told()
        if "url" not in told:
            self.process.wait()
            raise Failed(f"{self.name} does not start: {json.dumps(told, ensure_ascii=False)[:300]}")
        self.port = int(told["url"].rsplit(":", 1)[1])
        until = began + READY
        connection = Connection(self.port)
        while time.perf_counter() < until:
            with contextlib.suppress(*GONE):
                if (await connection.ask("GET", "/readyz")).status == 200:
                    connection.close()
                    self.is_open = True
                    return time.perf_counter() - began
            self.must_live()
            await asyncio.sleep(0.01)
        raise Failed(f"{self.name} was never ready: {self.complaint()}")

    async def told(self) -> dict:
        """The JSON document that it prints first."""
        loop, text = asyncio.get_running_loop(), ""
        while line := await loop.run_in_executor(None, self.process.stdout.readline):
            text += line.decode()
            with contextlib.suppress(json.JSONDecodeError):
                return json.loads(text)
        self.process.wait()
        raise Failed(f"{self.name} did not say where it is: {self.complaint()}")

    def must_live(self) -> None:
        if self.process.poll() is not None:
            raise Failed(f"{self.name} ended with {self.process.returncode}: {self.complaint()}")

    def complaint(self) -> str:
        return " ".join(self.log.read_text(errors="replace").strip().splitlines()[-3:])[-600:]

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    async def ended(self, patience: float = 30.0) -> int:
        """Waits until its process is gone."""
        self.is_open = False
        until = time.monotonic() + patience
        while self.process.poll() is None:
            if time.monotonic() > until:
                raise Failed(f"{self.name} did not end within {patience:.0f} s")
            await asyncio.sleep(0.005)
        self.process.stdout.close()
        return self.process.returncode

    async def kill(self) -> None:
        self.signal(signal.SIGKILL)
        await self.ended()

    async def go(self) -> None:
        """Tells it to go, and waits until it is gone; kills it if it does not."""
        if self.process is None or self.process.poll() is not None:
            return
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            await self.ended()
        except Failed:
            await self.kill()
            raise

    def __del__(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def home(folder: Path, settings: str) -> Path:
    """An empty data folder with these settings."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(settings)
    return folder


def arguments(about: str, folder: str) -> argparse.ArgumentParser:
    """What every harness is told: the program, the seed, and where it keeps its things."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--program", default="debug", help="`debug`, `release` or the path of a binary")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder", type=Path, default=LOCAL / folder)
    return parser


def find_program(kind: str) -> Path:
    """The binary of a build; a name with a slash is a binary itself."""
    program = Path(kind) if "/" in kind else TARGET / kind / "qingyu"
    if not program.exists():
        raise Failed(f"{program} is not there: build it first")
    return program


def psql(statement: str, database: str = "postgres", url: str = POSTGRES) -> str:
    command = ["psql", f"{url}/{database}", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode != 0:
        raise Failed(f"PostgreSQL: {ended.stderr.strip()[:300]}")
    return ended.stdout.strip()

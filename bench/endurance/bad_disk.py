#!/usr/bin/env python3
"""Fills the disk of a server on SQLite, and lets its disk fail at random writes and flushes, under load.

The shim of powercut.c makes writes fail with ENOSPC while the disk is full, or with EIO by chance. Meanwhile what is written
fails with a clear error and what is read is answered; when the disk is well again, the server goes on by itself, everything
acknowledged is there, and nothing is half written.
"""

import argparse
import asyncio
import json
import mmap
import random
import shutil
import struct
import time
from collections import Counter
from pathlib import Path

from authors import Load, Pace
from clients import Client, Site
from ledger import Checker, Ledger
from models import ENVIRONMENT, Models, settings
from power_cut import examine, shim
from servers import Failed, Server, arguments, find_program, home

NOTHING, NO_SPACE, BAD_DISK = range(3)
# How writes and what belongs to them may be refused, with what the disk does.
REFUSED = {
    NO_SPACE: {(507, "disk_full")},
    BAD_DISK: {(500, "storage"), (500, "corrupt"), (507, "disk_full")},
}
AUTHORS = {"project": 1, "chapters": 3, "drafts": 1, "runs": 4, "cancels": 1, "answers": 1, "memories": 2, "watchers": 1}
# For how long the disk is bad and well, in seconds; a write or flush of a bad disk fails with this chance in 65536.
BAD, WELL = (0.3, 2.0), (0.5, 1.5)
CHANCE = 400


class Control:
    """What both sides have mapped."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(16))
        with path.open("r+b") as file:
            self.map = mmap.mmap(file.fileno(), 16)

    def set(self, mode: int, chance: int, seed: int) -> None:
        self.map[4:8] = struct.pack("<I", chance)
        self.map[12:16] = struct.pack("<I", seed)
        self.map[0:4] = struct.pack("<I", mode)

    @property
    def hits(self) -> int:
        return struct.unpack("<I", self.map[8:12])[0]


def main() -> None:
    parser = arguments(__doc__, "bad-disk")
    parser.add_argument("--times", type=int, default=10, help="how often each of the two happens")
    asked = parser.parse_args()
    raise SystemExit(asyncio.run(run(asked)))


async def run(asked: argparse.Namespace) -> int:
    shutil.rmtree(asked.folder, ignore_errors=True)
    asked.folder.mkdir(parents=True)
    library, chance, problems = shim(asked.folder), random.Random(asked.seed), []
    for mode, name in ((NO_SPACE, "a full disk"), (BAD_DISK, "a disk that fails")):
        disk = BadDisk(asked, library, mode, chance)
        problems += [f"{name}: {problem}" for problem in await disk.run(name)]
    print("\n".join(problems[:40]))
    return 1 if problems else 0


class BadDisk:
    def __init__(self, asked: argparse.Namespace, library: Path, mode: int, chance: random.Random) -> None:
        self.asked, self.library, self.mode, self.random = asked, library, mode, chance
        self.reads: Counter[tuple[int, str]] = Counter()
        self.recoveries: list[float] = []
        self.problems: list[str] = []
        self.restarts = 0

    async def run(self, name: str) -> list[str]:
        models = Models((0.005, 0.1), self.random.getrandbits(32))
        await models.start()
        place = home(self.asked.folder / "home", settings(models.url))
        control = Control(self.asked.folder / "control")
        told = {
            "LD_PRELOAD": str(self.library),
            "POWERCUT_FOLDER": str(place),
            "POWERCUT_CONTROL": str(self.asked.folder / "control"),
        }
        server, ledger = Server("server", find_program(self.asked.program), place, ENVIRONMENT | told), Ledger()
        site = Site([server], self.random.getrandbits(32), cuts=0.0)
        site.passing |= REFUSED[self.mode]
        load = Load(site, ledger, Pace(AUTHORS, (0.0, 0.05), calm=60.0), self.random.getrandbits(32), is_healing=True)
        try:
            await server.start()
            load.begin()
            for _ in range(self.asked.times):
                await asyncio.sleep(self.random.uniform(*WELL))
                control.set(self.mode, CHANCE, self.random.getrandbits(32))
                await self.bad_time(site, load, server)
                control.set(NOTHING, 0, 0)
                await self.recovers(server, site)
            await load.finish()
            checker = Checker(ledger, Client(site, patience=60.0), models)
            await checker.all()
            self.problems += checker.problems + site.wrong + [f"unexplained: {it}" for it in site.unexplained]
            self.problems += [f"a read was answered with {kind}" for kind in self.reads if kind[0] != 200]
            self.report(name, control, ledger, site)
        finally:
            control.set(NOTHING, 0, 0)
            await server.go()
            models.stop()
        self.problems += examine(place / "qingyu.db")
        return self.problems

    async def bad_time(self, site: Site, load: Load, server: Server) -> None:
        """Reads go on while the disk is bad."""
        until = time.monotonic() + self.random.uniform(*BAD)
        reader = Client(site, patience=10.0)
        while time.monotonic() < until:
            paths = ["/projects", "/runs", *(f"/projects/{book}/chapters/1/text" for book in load.books[-1:])]
            for path in paths:
                answer = await reader.once("read while it is bad", "GET", path, None, None)
                self.reads[answer.status, "" if answer.status == 200 else answer.code] += 1
            server.must_live()
            await asyncio.sleep(0.05)
        reader.close()

    async def recovers(self, server: Server, site: Site) -> None:
        """The next write is taken soon, by the same process."""
        began, client = time.monotonic(), Client(site, patience=10.0)
        while True:
            body = {"title": f"recovery-{self.random.getrandbits(40)}"}
            answer = await client.once("recover", "POST", "/projects", body, None)
            if answer.status == 200:
                break
            if time.monotonic() - began > 15:
                raise Failed(f"it takes no write {time.monotonic() - began:.0f} s after its disk is well: {answer}")
            await asyncio.sleep(0.02)
        client.close()
        server.must_live()
        self.recoveries.append(time.monotonic() - began)

    def report(self, name: str, control: Control, ledger: Ledger, site: Site) -> None:
        refused = Counter()
        for (_, status, code), count in site.answers.items():
            if status >= 500:
                refused[status, code] += count
        print(
            f"{name}, {self.asked.times} times, seed {self.asked.seed}: {control.hits} writes failed; "
            + ", ".join(f"{count} requests were told {status} {code}" for (status, code), count in sorted(refused.items()))
            + f"; {sum(self.reads.values())} reads meanwhile, {self.reads[200, '']} answered; the first write afterwards within "
            f"{1000 * max(self.recoveries):.0f} ms; {ledger.acknowledged} acknowledged things, {len(ledger.runs)} runs"
        )


if __name__ == "__main__":
    main()

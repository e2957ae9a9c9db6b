#!/usr/bin/env python3
"""Cuts the power of a server on SQLite: what was acknowledged is there, whatever became of what was not flushed.

A load runs once under a shim (powercut.c) that logs every write, flush and name. Then the power is cut at random places
of that log: each time the folder is made as a disk may have left it (replay.py), the real server is started in it, and
what had been acknowledged before that place is looked for. The same with `durability = "relaxed"`, and on a disk that
says it has flushed and has not, must lose something: else the harness is blind.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import sqlite3
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import replay
from authors import Load, Pace
from clients import Client, Site
from ledger import Ledger, digest
from models import ENVIRONMENT, Models, settings
from servers import HERE, Failed, Server, arguments, find_program, home

AUTHORS = {"project": 1, "chapters": 3, "drafts": 1, "runs": 4, "answers": 1, "memories": 2}
# How long a load runs, in seconds, and how often the power is cut somewhere in it.
LOAD = 6.0
CUTS_A_LOAD = 50


@dataclass
class Acknowledged:
    """Something that was acknowledged when the log was so long."""

    at: int
    kind: str
    name: object
    value: object = None


class Notes(Ledger):
    """A ledger that knows how long the log was when something was acknowledged."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self.log, self.notes = log, []
        # When somebody last set out to change a memory: then it may be otherwise already.
        self.touched: dict[str, list[int]] = {}

    def write(self, kind: str, name: object, value: object = None) -> None:
        self.notes.append(Acknowledged(self.log.stat().st_size, kind, name, value))

    def project(self, title: str, project: str) -> None:
        super().project(title, project)
        self.write("project", project)

    def run(self, run: str, tag: str, ends: set[str]):
        self.write("run", run)
        book = super().run(run, tag, ends)
        book.seen = Seen(self, run)
        return book

    def edited(self, place, version, change, text) -> None:
        super().edited(place, version, change, text)
        self.write("chapter", place, (version, digest(text)))

    def remembered(self, memory: str, text: str | None) -> None:
        super().remembered(memory, text)
        self.write("memory", memory, text)

    def note(self, kind: str, name: object) -> None:
        super().note(kind, name)
        # An answer was taken.
        if kind == "run" and self.runs[name].ends == {"done"} and self.runs[name].tag.startswith("asks"):
            self.write("answer", name)


class Seen(dict):
    """The events that were told, each acknowledged by being told."""

    def __init__(self, notes: Notes, run: str) -> None:
        super().__init__()
        self.notes, self.run = notes, run

    def setdefault(self, number: int, said: int) -> int:
        if number not in self:
            self.notes.write("event", self.run, (number, said))
        return super().setdefault(number, said)


@dataclass
class Result:
    cuts: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    cuts_with_losses: int = 0
    broken: list[str] = field(default_factory=list)
    writes_lost: int = 0
    flushes: int = 0
    opened: list[float] = field(default_factory=list)
    seconds: float = 0.0


def main() -> None:
    parser = arguments(__doc__, "power-cut")
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--blind", type=int, default=20, help="how many cuts each of the proofs that losses are seen has at most")
    asked = parser.parse_args()
    raise SystemExit(asyncio.run(PowerCuts(asked).run()))


def shim(folder: Path) -> Path:
    """The shim, built by the C compiler that there is."""
    library = folder / "powercut.so"
    command = [os.environ.get("CC", "cc"), "-O2", "-Wall", "-shared", "-fPIC", "-o", library, HERE / "powercut.c", "-lpthread"]
    subprocess.run([str(word) for word in command], check=True)
    return library


class PowerCuts:
    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.folder = asked, asked.folder
        self.program = find_program(asked.program)
        self.random = random.Random(asked.seed)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.shim = shim(self.folder)

    async def run(self) -> int:
        strict = await self.many(self.asked.cuts, "strict", False)
        proofs = {}
        if self.asked.blind:
            # Of a few cuts, it is enough to know that a loss would have been seen.
            is_enough = self.asked.cuts < self.asked.blind
            proofs["relaxed durability"] = await self.many(self.asked.blind, "relaxed", False, is_enough)
            proofs["a disk that lies"] = await self.many(self.asked.blind, "strict", True, is_enough)
        strict.opened.sort()
        p50, p99 = (1000 * strict.opened[round((len(strict.opened) - 1) * share)] for share in (0.5, 0.99))
        print(
            f"{strict.cuts} power cuts, seed {self.asked.seed}, {1000 * strict.seconds / strict.cuts:.0f} ms each: "
            f"{strict.acknowledged:,} times something acknowledged was looked for, {len(strict.lost)} lost, "
            f"{len(strict.broken)} databases broken; {strict.writes_lost:,} unflushed writes dropped or torn, "
            f"{strict.flushes:,} flushes kept; opened in p50 {p50:.0f} ms, p99 {p99:.0f} ms"
        )
        problems = strict.lost + strict.broken
        for name, proof in proofs.items():
            print(
                f"with {name}: {proof.cuts_with_losses} of {proof.cuts} cuts lose something, {len(proof.lost):,} of "
                f"{proof.acknowledged:,}; {len(proof.broken)} databases broken"
            )
            if proof.cuts_with_losses == 0 and not proof.broken:
                problems.append(f"nothing is lost with {name}: the harness is blind")
        report = {name: vars(result) for name, result in {"strict": strict, **proofs}.items()}
        (self.folder / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False))
        print("\n".join(problems[:40]))
        return 1 if problems else 0

    async def many(self, cuts: int, durability: str, is_lying: bool, until_lost: bool = False) -> Result:
        """Cuts the power so often, or until a cut has lost something or broken a database."""
        result, began = Result(), time.monotonic()
        is_over = lambda: result.cuts >= cuts or (until_lost and bool(result.cuts_with_losses or result.broken))
        while not is_over():
            models = Models((0.005, 0.1), self.random.getrandbits(32))
            await models.start()
            try:
                place, base, notes = await self.load(models, durability)
                changes = replay.read(notes.log)
                for _ in range(CUTS_A_LOAD):
                    if is_over():
                        break
                    await self.cut(result, changes, place, base, notes, is_lying)
            finally:
                models.stop()
        result.seconds = time.monotonic() - began
        return result

    async def load(self, models: Models, durability: str) -> tuple[Path, Path, Notes]:
        """Lets a load run for a while and kills its server; gives its folder, what was there before, and the notes."""
        storage = f'[storage]\ndurability = "{durability}"\n'
        place = home(self.folder / "home", settings(models.url) + storage)
        base = self.folder / "base"
        shutil.rmtree(base, ignore_errors=True)
        shutil.copytree(place, base)
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        told = {"LD_PRELOAD": str(self.shim), "POWERCUT_FOLDER": str(place), "POWERCUT_LOG": str(log)}
        server, notes = Server("loaded", self.program, place, ENVIRONMENT | told), Notes(log)
        site = Site([server], self.random.getrandbits(32), cuts=0.0)
        load = Load(site, notes, Pace(AUTHORS, (0.0, 0.05)), self.random.getrandbits(32))
        await server.start()
        load.begin()
        await asyncio.sleep(LOAD)
        for task in load.tasks:
            task.cancel()
        await server.kill()
        if site.wrong or site.unexplained:
            raise Failed(f"the load itself went wrong: {site.wrong + site.unexplained}")
        return place, base, notes

    async def cut(self, result, changes, place: Path, base: Path, notes: Notes, is_lying: bool) -> None:
        at = self.random.randint(changes[0].at, changes[-1].at)
        seed = self.random.getrandbits(32)
        left = self.folder / "left"
        shutil.rmtree(left, ignore_errors=True)
        left.mkdir()
        disk = replay.cut(changes, at, base, place, left, seed, is_lying)
        result.cuts += 1
        result.writes_lost += disk.lost
        result.flushes += disk.flushes
        shutil.copy(base / "config.toml", left / "config.toml")
        server = Server("opened", self.program, left, ENVIRONMENT)
        name = f"cut {result.cuts} at {at}, seed {seed}"
        before = len(result.lost)
        try:
            result.opened.append(await server.start())
            seen = Look(Client(Site([server], seed, cuts=0.0), patience=20.0), notes, at)
            await seen.all()
            result.acknowledged += seen.looked
            result.lost += [f"{name}: {it}" for it in seen.lost]
            result.broken += [f"{name}: {it}" for it in seen.broken]
            await server.kill()
            result.broken += [f"{name}: {it}" for it in examine(left / "qingyu.db")]
        except Failed as failed:
            result.broken.append(f"{name}: {failed}")
        finally:
            if server.process.poll() is None:
                await server.kill()
        result.cuts_with_losses += len(result.lost) > before


def examine(database: Path) -> list[str]:
    """What SQLite itself says of the file."""
    connection = sqlite3.connect(database)
    try:
        rows = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        foreign = connection.execute("PRAGMA foreign_key_check").fetchall()
        return [row for row in rows if row != "ok"] + [f"foreign key: {row}" for row in foreign]
    finally:
        connection.close()


class Look:
    """Looks in an opened folder for what was acknowledged before the cut."""

    def __init__(self, client: Client, notes: Notes, at: int) -> None:
        self.client, self.notes, self.at = client, notes, at
        self.before = [note for note in notes.notes if note.at <= at]
        self.lost: list[str] = []
        self.broken: list[str] = []
        self.looked = len(self.before)

    def of(self, kind: str) -> list[Acknowledged]:
        return [note for note in self.before if note.kind == kind]

    async def get(self, path: str) -> object:
        answer = await self.client.ask("check", "GET", path)
        return answer.json if answer.status == 200 else None

    async def all(self) -> None:
        projects = {row["project"] for row in await self.get("/projects")}
        self.lost += [f"project {note.name}" for note in self.of("project") if note.name not in projects]
        runs = {row["run"]: row["status"] for row in await self.get("/runs")}
        self.lost += [f"run {note.name}" for note in self.of("run") if note.name not in runs]
        for note in self.of("answer"):
            if runs.get(note.name) == "waiting":
                self.lost.append(f"the answer to {note.name}")
        await self.memories()
        for place in dict.fromkeys(note.name for note in self.of("chapter")):
            await self.chapter(place)
        for run in dict.fromkeys(note.name for note in self.of("event")):
            await self.events(run)

    async def memories(self) -> None:
        rows = {row["id"]: row["text"] for row in await self.get("/memories")}
        last = {note.name: note for note in self.notes.notes if note.kind == "memory"}
        for note in self.of("memory"):
            # One that was changed once more may be otherwise, acknowledged or not.
            is_last = last[note.name] is note and note.name not in self.notes.unsure
            if is_last and rows.get(note.name) != note.value:
                self.lost.append(f"memory {note.name}: {rows.get(note.name)!r} instead of {note.value!r}")

    async def chapter(self, place: tuple[str, int]) -> None:
        project, number = place
        chapter = await self.get(f"/projects/{project}/chapters/{number}/text")
        found = await self.get(f"/projects/{project}/documents/{chapter['id']}/versions") if chapter else None
        if found is None:
            self.lost.append(f"chapter {number} of {project}")
            return
        items = sorted(found["data"]["items"], key=lambda item: item["made"]["version"])
        texts = [digest(item["text"]) for item in items]
        for note in self.of("chapter"):
            version, text = note.value
            if note.name == place and (version > len(texts) or texts[version - 1] != text):
                self.lost.append(f"version {version} of chapter {number} of {project}")

    async def events(self, run: str) -> None:
        events: list[dict] = []
        while page := await self.get(f"/runs/{run}/log?after={len(events)}"):
            events += page
        if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
            self.broken.append(f"the log of {run} has a gap")
        kept = {event["seq"]: digest(event) for event in events}
        for note in self.of("event"):
            if note.name == run and kept.get(note.value[0]) != note.value[1]:
                self.lost.append(f"event {note.value[0]} of {run}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Kills a server on SQLite at random moments under load, and looks after each restart for what was acknowledged.

A counting provider of models stands behind the runs: a call that was under way when the server died may be made again,
no other.
"""

import argparse
import asyncio
import json
import random
import shutil
import time
from collections import Counter

from authors import Load, Pace
from clients import Client, Site
from ledger import Checker, Ledger
from models import ENVIRONMENT, PURPOSES, Models, settings
from servers import Failed, Server, arguments, find_program, home

# After how many kills another data folder is begun, so that a restart is not measured over an ever longer past.
A_FOLDER = 1000
# How long a server lives at most before it is killed, in seconds.
LIFE = 0.25
# How often it is killed before it is ready.
EARLY = 0.1
AUTHORS = {"project": 2, "chapters": 6, "drafts": 1, "runs": 8, "cancels": 2, "answers": 3, "memories": 3, "readers": 1, "watchers": 2}


def main() -> None:
    parser = arguments(__doc__, "kill")
    parser.add_argument("--kills", type=int, default=50)
    asked = parser.parse_args()
    raise SystemExit(asyncio.run(Kills(asked).run()))


class Kills:
    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.folder = asked, asked.folder
        self.program = find_program(asked.program)
        self.random = random.Random(asked.seed)
        self.restarts: list[float] = []
        self.counts: Counter[str] = Counter()
        self.answers: Counter[tuple[str, int, str]] = Counter()
        self.problems: list[str] = []

    async def run(self) -> int:
        began = time.monotonic()
        shutil.rmtree(self.folder, ignore_errors=True)
        while self.counts["kills"] < self.asked.kills and not self.problems:
            await self.one_folder(min(A_FOLDER, self.asked.kills - self.counts["kills"]))
        seconds = time.monotonic() - began
        self.restarts.sort()
        report = {
            "program": str(self.program),
            "seed": self.asked.seed,
            "seconds": seconds,
            "ms_a_kill": 1000 * seconds / max(self.counts["kills"], 1),
            "restart_ms": {name: 1000 * at(self.restarts, share) for name, share in SHARES.items()},
            **self.counts,
            "answers": [[*kind, count] for kind, count in sorted(self.answers.items())],
            "problems": self.problems,
        }
        (self.folder / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False))
        print(text(report))
        return 1 if self.problems else 0

    async def one_folder(self, kills: int) -> None:
        models = Models((0.002, 0.03), self.random.getrandbits(32))
        await models.start()
        place = home(self.folder / "home", settings(models.url))
        server, ledger = Server("server", self.program, place, ENVIRONMENT), Ledger()
        site = Site([server], self.random.getrandbits(32), cuts=0.01, impatience=0.7)
        load = Load(site, ledger, Pace(AUTHORS, (0.0, 0.2), calm=60.0), self.random.getrandbits(32))
        checker = Checker(ledger, Client(site, patience=60.0), models)
        try:
            self.restarts.append(await server.start())
            load.begin()
            while len(load.books) < 1:
                await asyncio.sleep(0.05)
            for kill in range(kills):
                await asyncio.sleep(self.random.uniform(0, LIFE))
                await server.kill()
                self.counts["kills"] += 1
                if self.random.random() < EARLY:
                    await self.kill_early(server)
                self.restarts.append(await server.start())
                await checker.recent()
                if (kill + 1) % 100 == 0:
                    print(f"{self.counts['kills']} kills, {ledger.acknowledged} acknowledged", flush=True)
                if checker.lost or checker.doubled or site.wrong:
                    break
            await load.finish()
            await checker.all()
            self.count(load, site, checker, models)
        finally:
            await server.go()
            models.stop()
            if not self.problems:
                shutil.rmtree(place, ignore_errors=True)

    async def kill_early(self, server: Server) -> None:
        starting = asyncio.create_task(server.start())
        await asyncio.sleep(self.random.uniform(0, 0.04))
        self.counts["killed while starting"] += 1
        server.process.kill()
        try:
            await starting
        except (Failed, OSError):
            server.is_open = False
            return
        await server.ended()

    def count(self, load: Load, site: Site, checker: Checker, models: Models) -> None:
        ledger = load.ledger
        self.answers += site.answers
        paid = [book.tag for book in ledger.runs.values() if book.tag.startswith("run-")]
        self.counts.update(
            {
                "acknowledged": ledger.acknowledged,
                "looked for": checker.looked,
                "runs": len(ledger.runs),
                "versions": sum(len(book.acknowledged) for book in ledger.chapters.values()),
                "events": sum(len(book.seen) for book in ledger.runs.values()),
                "lost": len(checker.lost),
                "doubled": len(checker.doubled),
                "made twice under one key": len(checker.made_twice),
                "paid runs": len(paid),
                "calls needed": len(paid) * len(PURPOSES),
                "calls made again": sum(models.repeated(tag) for tag in paid),
            }
        )
        self.problems += [f"unexplained: {it}" for it in site.unexplained] + site.wrong + checker.problems
        missing = [tag for tag in paid if models.purposes(tag) != set(PURPOSES)]
        self.problems += [f"{tag} did not ask for all that it has" for tag in missing]


SHARES = {"p50": 0.5, "p99": 0.99, "most": 1.0}


def at(values: list[float], share: float) -> float:
    return values[round((len(values) - 1) * share)]


def text(report: dict) -> str:
    restart = ", ".join(f"{name} {value:.0f} ms" for name, value in report["restart_ms"].items())
    lines = [
        f"{report['kills']:,} kills ({report.get('killed while starting', 0)} more while starting), seed {report['seed']}, "
        f"{report['seconds']:.0f} s, {report['ms_a_kill']:.0f} ms a kill",
        f"{report['acknowledged']:,} acknowledged things ({report['runs']:,} runs, {report['versions']:,} versions of chapters, "
        f"{report['events']:,} events): {report['lost']} lost, {report['doubled']} doubled, {report['made twice under one key']} made twice under one key",
        f"restarts: {restart}",
        f"model calls: {report['calls needed']:,} needed by {report['paid runs']:,} runs, {report['calls made again']:,} made again",
        *report["problems"][:40],
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

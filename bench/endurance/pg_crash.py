#!/usr/bin/env python3
"""Crashes a PostgreSQL of its own under two servers, and cuts their connections while commits are on their way.

The cluster is made in a temporary folder, stopped with `-m immediate` at random moments and started again. Between it and
the servers stands a proxy that breaks connections off right after a commit was sent, so that nobody knows what has become
of it. Nothing acknowledged may be lost, nothing doubled, and every run must come to its end.
"""

import argparse
import asyncio
import contextlib
import glob
import json
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from authors import Load, Pace
from clients import Client, Site
from ledger import Checker, Ledger
from models import ENVIRONMENT, Models, settings
from proxy import Proxy
from servers import Failed, Server, arguments, find_program, home

AUTHORS = {"project": 1, "chapters": 4, "drafts": 1, "runs": 5, "cancels": 1, "answers": 2, "memories": 2, "readers": 1, "watchers": 2}
# For how long PostgreSQL works until it crashes, and how long it is away, in seconds.
WORKS, AWAY = (2.0, 6.0), (0.0, 2.0)


class Cluster:
    """A PostgreSQL in a folder of its own, which belongs to a user who is not root."""

    def __init__(self) -> None:
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin")) or [os.path.dirname(shutil.which("initdb") or "")]
        if not programs[-1]:
            raise Failed("there is no initdb here")
        self.programs = Path(programs[-1])
        self.folder = Path(tempfile.mkdtemp(prefix="qingyu-postgres-"))
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.data = self.folder / "data"
        self.run("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--data-checksums", "-E", "UTF8", "--locale=C")
        settings = f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
        settings += "max_connections = 60\ncheckpoint_timeout = 30s\nlog_min_messages = fatal\n"
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(settings)

    def run(self, program: str, *words: object) -> None:
        command = [str(self.programs / program), *map(str, words)]
        if os.geteuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        log = self.folder / "commands.log"
        with log.open("ab") as file:
            # Not through a pipe: the server that is started keeps it open.
            if subprocess.run(command, stdout=file, stderr=file, cwd=self.folder).returncode != 0:
                raise Failed(f"{program}: {log.read_text(errors='replace')[-300:]}")

    def start(self) -> None:
        self.run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "start")

    def crash(self) -> None:
        self.run("pg_ctl", "-D", self.data, "-w", "-m", "immediate", "stop")

    def remove(self) -> None:
        with contextlib.suppress(Failed):
            self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> None:
    parser = arguments(__doc__, "pg-crash")
    parser.add_argument("--crashes", type=int, default=20)
    parser.add_argument("--share", type=float, default=0.01, help="how many of the commits are cut off")
    asked = parser.parse_args()
    raise SystemExit(asyncio.run(run(asked)))


async def run(asked: argparse.Namespace) -> int:
    chance, loop = random.Random(asked.seed), asyncio.get_running_loop()
    shutil.rmtree(asked.folder, ignore_errors=True)
    cluster, models = Cluster(), Models((0.05, 0.5), chance.getrandbits(32))
    proxy = Proxy(cluster.port, asked.share, chance.getrandbits(32))
    servers: list[Server] = []
    try:
        cluster.start()
        await models.start()
        url = f"postgresql://postgres@127.0.0.1:{await proxy.start()}/postgres"
        place = home(asked.folder / "home", settings(models.url) + f'[storage]\nurl = "{url}"\n')
        # Tables are made without cuts: a start that fails is not what is tried here.
        proxy.is_cutting = False
        servers = [Server(name, find_program(asked.program), place, ENVIRONMENT) for name in ("first", "second")]
        for server in servers:
            await server.start()
        proxy.is_cutting = True
        ledger, site = Ledger(), Site(servers, chance.getrandbits(32), cuts=0.01)
        load = Load(site, ledger, Pace(AUTHORS, (0.0, 0.1), calm=120.0), chance.getrandbits(32))
        load.begin()
        began = time.monotonic()
        for crash in range(asked.crashes):
            await asyncio.sleep(chance.uniform(*WORKS))
            await loop.run_in_executor(None, cluster.crash)
            await asyncio.sleep(chance.uniform(*AWAY))
            await loop.run_in_executor(None, cluster.start)
            for server in servers:
                server.must_live()
            print(f"{crash + 1} crashes, {ledger.acknowledged} acknowledged, {len(ledger.runs)} runs, {dict(proxy.cuts)} cuts", flush=True)
        proxy.is_cutting = False
        calm = time.monotonic()
        await load.finish()
        calmed = time.monotonic() - calm
        checker = Checker(ledger, Client(site, patience=60.0), models)
        await checker.all()
        problems = [*site.wrong, *(f"unexplained: {it}" for it in site.unexplained), *checker.problems]
        report = {
            "seed": asked.seed,
            "crashes": asked.crashes,
            "seconds": time.monotonic() - began,
            "commits": proxy.commits,
            "cuts": dict(proxy.cuts),
            "acknowledged": ledger.acknowledged,
            "runs": len(ledger.runs),
            "versions": sum(len(book.acknowledged) for book in ledger.chapters.values()),
            "events": sum(len(book.seen) for book in ledger.runs.values()),
            "calm": calmed,
            "calls_repeated": sum(models.repeated(book.tag) for book in ledger.runs.values()),
            "answers": [[*kind, count] for kind, count in sorted(site.answers.items())],
            "problems": problems,
        }
        (asked.folder / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False))
        print(
            f"{asked.crashes} crashes of PostgreSQL, {sum(proxy.cuts.values())} of {proxy.commits:,} commits cut off ({dict(proxy.cuts)}), "
            f"seed {asked.seed}: {ledger.acknowledged:,} acknowledged things, {report['runs']} runs, {report['versions']} versions, "
            f"{report['events']:,} events; {len(checker.lost)} lost, {len(checker.doubled)} doubled, {len(checker.made_twice)} made twice; "
            f"{report['calls_repeated']} model calls made again; all ended {calmed:.0f} s after the last crash"
        )
        print("\n".join(problems[:40]))
        return 1 if problems else 0
    finally:
        for server in servers:
            await server.go()
        models.stop()
        await proxy.stop()
        cluster.remove()


if __name__ == "__main__":
    main()

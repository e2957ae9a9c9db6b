#!/usr/bin/env python3
"""Three servers on one PostgreSQL under moderate load for hours, two of which are killed, frozen and sent away.

The third one only loses connections, so that the slope of its memory means something. In the end everything that was
acknowledged must be there, every run must have come to its end, and every answer that was no success must be expected.
"""

import argparse
import asyncio
import datetime
import os
import re
import resource
import time

from authors import Load, Pace
from clients import Client, Site
from faults import Faults
from ledger import Checker, Ledger
from measures import Measures, of_server, slope
from models import ENVIRONMENT, Models, settings
from servers import POSTGRES, Failed, Server, arguments, find_program, home, psql
from wire import Connection

EVERY = 10.0
# The first part of the time, in which caches fill; its slope is not counted.
WARM = 0.2
# What may grow in an hour, in MiB of the process's own memory. It is not held in short soaks, which see caches fill.
MOST_GROWTH = 1.0
HELD_FROM = 60.0
# How many descriptors more than at the beginning may be open at the end: those of the pool of the database.
AT_REST = 10
AUTHORS = {
    "project": 1,
    "chapters": 4,
    "drafts": 1,
    "runs": 3,
    "cancels": 1,
    "answers": 1,
    "memories": 1,
    "readers": 2,
    "watchers": 2,
}


def main() -> None:
    parser = arguments(__doc__, "soak")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--rest", type=float, default=3.0, help="how long an author rests at most, in seconds")
    parser.add_argument("--database", default="qingyu_soak")
    asked = parser.parse_args()
    raise SystemExit(asyncio.run(Soak(asked).run()))


class Soak:
    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.folder, self.database = asked, asked.folder, asked.database
        self.program = find_program(asked.program)
        self.problems: list[str] = []
        self.gauges: list[dict] = []

    async def run(self) -> int:
        self.folder.mkdir(parents=True, exist_ok=True)
        psql(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')
        psql(f'CREATE DATABASE "{self.database}"')
        models = Models((0.2, 2.0), self.asked.seed)
        await models.start()
        storage = f'[storage]\nurl = "{POSTGRES}/{self.database}"\n'
        place = home(self.folder / "home", settings(models.url, record=True) + storage)
        servers = [Server(name, self.program, place, ENVIRONMENT) for name in ("steady", "first", "second")]
        try:
            for server in servers:
                server.log.unlink(missing_ok=True)
                await server.start()
            return await self.soak(servers, models)
        finally:
            for server in servers:
                await server.go()
            models.stop()
            psql(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')

    async def soak(self, servers: list[Server], models: Models) -> int:
        began = time.monotonic()
        measures, ledger = Measures(self.database), Ledger()
        site = Site(servers, self.asked.seed)
        pace = Pace(AUTHORS, (self.asked.rest / 4, self.asked.rest), calm=120.0)
        load = Load(site, ledger, pace, self.asked.seed + 1)
        between = (30.0, 60.0) if self.asked.minutes > 5 else (5.0, 12.0)
        faults = Faults(servers[1:], self.database, between, self.asked.seed)
        load.begin()
        measuring = asyncio.create_task(self.measure(measures, servers, site, ledger))
        await faults.torment(began + 60 * self.asked.minutes)
        calm = time.monotonic()
        await load.finish()
        calmed = time.monotonic() - calm
        measuring.cancel()
        # What they hold when everybody has gone.
        await asyncio.sleep(5)
        measures.take(servers)
        self.gauges.append(await self.read_gauges(servers[0]))
        checker = Checker(ledger, Client(site, patience=300.0), models)
        await checker.all()
        report = self.report(measures, site, ledger, faults, checker, models, calmed)
        measures.save(self.folder, report)
        text = markdown(report)
        (self.folder / "report.md").write_text(text)
        print(text)
        return 1 if report["problems"] else 0

    async def measure(self, measures: Measures, servers: list[Server], site: Site, ledger: Ledger) -> None:
        for turn in range(1_000_000):
            try:
                measures.take(servers)
                if turn % 6 == 0:
                    self.gauges.append(await self.read_gauges(servers[0]))
                    measures.save(self.folder, {"minutes": measures.now / 60, "wrong": site.wrong})
                    last = measures.of("steady")[-1]
                    print(
                        f"{measures.now / 60:6.1f} min: {ledger.acknowledged} acknowledged, {len(ledger.runs)} runs, "
                        f"steady {last.anonymous:.1f} MiB, {last.descriptors} fds, "
                        f"wrong {len(site.wrong)}, unexplained {len(site.unexplained)}",
                        flush=True,
                    )
            except (Failed, OSError) as error:
                print(f"not measured: {error}", flush=True)
            await asyncio.sleep(max(0.0, EVERY * (turn + 1) - measures.now))

    async def read_gauges(self, server: Server) -> dict:
        """What the steady server says of itself."""
        connection = Connection(server.port)
        text = (await connection.ask("GET", "/metrics")).body.decode()
        connection.close()
        wanted = ("qingyu_http_connections", "qingyu_http_streams", "qingyu_runs_at_work")
        found = {name: re.search(rf"^{name} ([\d.e+]+)$", text, re.M) for name in wanted}
        counted = re.findall(r'^qingyu_notices_total\{kind="(\w+)"\} (\d+)$', text, re.M)
        return {name: float(value[1]) for name, value in found.items() if value} | {"notices": dict(counted)}

    def report(self, measures, site, ledger, faults, checker, models, calmed) -> dict:
        steady = of_server(measures.of("steady"), WARM * measures.now)
        problems = [*site.wrong, *checker.problems]
        problems += [f"unexplained: {it}" for it in site.unexplained]
        if self.asked.minutes >= HELD_FROM and steady["anonymous_slope_last_half"] > MOST_GROWTH:
            grown = steady["anonymous_slope_last_half"]
            problems.append(f"the steady server grows by {grown:.2f} MiB an hour in the second half of the time")
        # Everybody has gone: what is open now beside what was open at first, stays open.
        open_at_rest = steady["descriptors_last"] - measures.of("steady")[0].descriptors
        if open_at_rest > AT_REST or self.gauges[-1].get("qingyu_http_streams"):
            problems.append(f"{open_at_rest} descriptors stay open: {self.gauges[-1]}")
        stores = [(row["at"], row["database"]) for row in measures.stores if row["at"] >= WARM * measures.now]
        return {
            "date": datetime.date.today().isoformat(),
            "program": str(self.program),
            "seed": self.asked.seed,
            "minutes": measures.now / 60,
            "load_average": os.getloadavg(),
            "servers": {name: of_server(measures.of(name), WARM * measures.now) for name in ("steady", "first", "second")},
            "starts": {server.name: server.starts for server in site.servers},
            "client_cpu": sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) / measures.now,
            "database": {
                "first": measures.stores[0],
                "last": measures.stores[-1],
                "slope": slope(stores),
                "tables": measures.tables(),
                "wal_files_most": max(row["wal_files"] for row in measures.stores),
                "connections_most": max(row["connections"] for row in measures.stores),
            },
            "gauges": self.gauges[-1],
            "faults": dict(faults.counts),
            "cut_connections": faults.cut_connections,
            "restart_seconds": sorted(faults.restarts),
            "calm_seconds": calmed,
            "acknowledged": ledger.acknowledged,
            "runs": len(ledger.runs),
            "versions": sum(len(book.acknowledged) for book in ledger.chapters.values()),
            "events": sum(len(book.seen) for book in ledger.runs.values()),
            "looked": checker.looked,
            "calls": sum(models.asked.values()),
            "calls_repeated": sum(models.repeated(book.tag) for book in ledger.runs.values()),
            "answers": [[*kind, count] for kind, count in sorted(site.answers.items())],
            "problems": problems,
        }


def markdown(report: dict) -> str:
    lines = [
        f"{report['date']}, {report['minutes']:.0f} minutes, seed {report['seed']}: "
        + ", ".join(f"{count} {kind}s" for kind, count in report["faults"].items())
        + f" ({report['cut_connections']} connections to the database cut). {report['acknowledged']:,} acknowledged things, "
        f"{report['runs']:,} runs, {report['versions']:,} versions of chapters, {report['events']:,} events, all looked for in the end; "
        f"{report['calls']:,} model calls, {report['calls_repeated']} of them made again. "
        f"After the last fault everything had ended in {report['calm_seconds']:.0f} s.",
        "",
        "| server | minutes | own memory, first and second half (MiB) | slope (MiB/h) | slope of the second half | most | "
        "descriptors first, last, most | threads | CPU |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, it in report["servers"].items():
        halves = " → ".join(f"{value:.1f}" for value in it["anonymous_halves"])
        lines.append(
            f"| {name} ({report['starts'][name]} starts) | {it['minutes']:.0f} | {halves} | {it['anonymous_slope']:+.2f} | "
            f"{it['anonymous_slope_last_half']:+.2f} | {it['anonymous_most']:.1f} | {it['descriptors_first']}, "
            f"{it['descriptors_last']}, {it['descriptors_most']} | {it['threads_most']} | {it['cpu_share']:.0%} |"
        )
    store = report["database"]
    lines += [
        "",
        f"Database {store['first']['database']:.0f} → {store['last']['database']:.0f} MiB ({store['slope']:+.0f} MiB/h: nothing "
        "that was begun is ever deleted, and its history is kept by design; the largest tables are "
        + ", ".join(f"`{name}` {size:.0f}" for name, size in store["tables"].items())
        + "); "
        f"{store['last']['wal_written']:.0f} MiB of WAL written (by everybody on that PostgreSQL), at most "
        f"{store['wal_files_most']:.0f} MiB of it on disk; at most {store['connections_most']} connections.",
        "",
        f"The clients used {report['client_cpu']:.0%} of a core.",
        "",
        "Answers that were no success: "
        + ", ".join(f"{what} {status or 'no answer'} {code} × {count}" for what, status, code, count in report["answers"] if not 200 <= status < 300)
        + ".",
        "",
        "Problems: " + ("none." if not report["problems"] else f"{len(report['problems'])}."),
        *(f"- {problem}" for problem in report["problems"][:40]),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

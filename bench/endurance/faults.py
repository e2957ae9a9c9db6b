"""What happens to servers, and when."""

import asyncio
import contextlib
import random
import signal
import time
from collections import Counter

from servers import Failed, Server, psql

# Longer than the lease of six seconds.
FROZEN = (8.0, 11.0)


class Faults:
    """Kills, freezes and bids farewell to some servers, and cuts connections of all to the database."""

    def __init__(self, mortals: list[Server], database: str, between: tuple[float, float], seed: int) -> None:
        self.mortals, self.database, self.between = mortals, database, between
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.restarts: list[float] = []
        self.cut_connections = 0
        self.log: list[tuple[float, str]] = []

    async def torment(self, until: float) -> None:
        """One after the other until then, by the monotonic clock."""
        kinds = ["kill", "freeze", "farewell", "cut", "kill", "cut"]
        while True:
            await asyncio.sleep(self.random.uniform(*self.between))
            if time.monotonic() >= until:
                return
            # The first ones are of every kind, however few there are.
            kind = kinds[sum(self.counts.values())] if sum(self.counts.values()) < 4 else self.random.choice(kinds)
            server = self.random.choice(self.mortals)
            self.log.append((time.time(), f"{kind} {server.name}"))
            await getattr(self, kind)(server)
            self.counts[kind] += 1

    async def kill(self, server: Server) -> None:
        await server.kill()
        await asyncio.sleep(self.random.uniform(0, 3))
        self.restarts.append(await server.start())

    async def freeze(self, server: Server) -> None:
        """Its clients find out by themselves."""
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(*FROZEN))
        server.signal(signal.SIGCONT)

    async def farewell(self, server: Server) -> None:
        server.is_open = False
        server.signal(signal.SIGTERM)
        await server.ended()
        self.restarts.append(await server.start())

    async def cut(self, _: Server) -> None:
        """Each connection of every server with the same chance; sometimes all."""
        share = self.random.choice([0.2, 0.5, 1.0])
        ended = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() "
            f"AND pid <> pg_backend_pid() AND random() < {share}"
        )
        with contextlib.suppress(Failed):
            self.cut_connections += int(psql(ended, self.database))

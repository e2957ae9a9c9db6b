"""Where clients go: servers of which each may be away, and an account of every answer that is not a success."""

import asyncio
import random
from collections import Counter
from typing import AsyncIterator

from servers import Server
from wire import GONE, PATIENCE, Answer, Connection, Told

# How long to wait before somebody else is asked, and before a request is sent again that is being carried out.
PAUSE = 0.02
AT_WORK = 0.2
# How long a stream may say nothing: it says that it is there every ten seconds.
SILENCE = 14.0
# Answers that mean that the request is to be sent again: what was asked for has not been done, or is being done.
AGAIN = {
    (503, "database_unreachable"),
    (503, "database_busy"),
    (503, "overloaded"),
    (503, "stopping"),
    (409, "request_at_work"),
}
# What else is expected, by what was asked.
EXPECTED = {
    "edit": {(409, "chapter_changed")},
    "answer": {(409, "nothing_to_resume"), (409, "not_waiting"), (409, "thread_busy")},
    "resume": {(409, "nothing_to_resume"), (409, "thread_busy")},
    "start": {(409, "thread_busy")},
    # Who was told that a memory is forgotten, and had not heard it, is told that it is not there.
    "forget": {(404, "unknown_memory")},
}


class Unknown(Exception):
    """What has become of a request is not known."""


class Site:
    """The servers as clients see them."""

    def __init__(self, servers: list[Server], seed: int, cuts: float = 0.02, impatience: float = 0.0) -> None:
        self.servers, self.random, self.cuts = servers, random.Random(seed), cuts
        # Closed while somebody looks for what was acknowledged, so that it does not take long.
        self.gate = asyncio.Event()
        self.gate.set()
        # How readily clients leave a request whose server has died for good: another one takes its key only after ten seconds.
        self.impatience = impatience
        # How often what was answered, by what was asked, status and code; a connection that broke has the status 0.
        self.answers: Counter[tuple[str, int, str]] = Counter()
        # More codes that are expected of everybody, such as those of a full disk.
        self.expected: set[tuple[int, str]] = set()
        # Among them those after which it is worth asking again.
        self.passing: set[tuple[int, str]] = set(AGAIN)
        self.unexplained: list[str] = []
        # What must never be, found while asking.
        self.wrong: list[str] = []

    async def server(self) -> Server:
        """One that is there."""
        while True:
            there = [server for server in self.servers if server.is_open]
            if there:
                return self.random.choice(there)
            await asyncio.sleep(0.003)

    def account(self, what: str, answer: Answer) -> None:
        code = "" if answer.status < 300 else answer.code
        self.answers[what, answer.status, code] += 1
        kind = (answer.status, code)
        is_expected = kind in AGAIN | self.expected | self.passing | EXPECTED.get(what, set())
        if answer.status >= 300 and not is_expected:
            self.unexplained.append(f"{what}: {answer.status} {answer.body[:300].decode(errors='replace')}")

    def must(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            self.wrong.append(otherwise)
            print(f"WRONG: {otherwise}", flush=True)


class Client:
    """Somebody who asks, one thing after the other, wherever somebody answers."""

    def __init__(self, site: Site, patience: float = PATIENCE) -> None:
        self.site, self.patience = site, patience
        # Whoever is patient does not go away either.
        self.cuts = site.cuts if patience == PATIENCE else 0.0
        self.connections: dict[int, Connection] = {}

    def connection(self, server: Server) -> Connection:
        connection = self.connections.get(server.port)
        if connection is None:
            connection = self.connections[server.port] = Connection(server.port)
        return connection

    async def once(self, what: str, method: str, path: str, body: object, key: str | None) -> Answer:
        """One try. Raises `Unknown` if no answer comes."""
        if self.patience == PATIENCE:
            await self.site.gate.wait()
        server = await self.site.server()
        connection = self.connection(server)
        headers = {"idempotency-key": key} if key else {}
        asking = connection.ask(method, f"/api/v1{path}", body, headers, self.patience)
        try:
            if self.site.random.random() < self.cuts:
                # The client goes while it waits.
                answer = await asyncio.wait_for(asking, self.site.random.uniform(0, 0.02))
            else:
                answer = await asking
        except GONE as gone:
            self.site.answers[what, 0, type(gone).__name__] += 1
            raise Unknown from gone
        self.site.account(what, answer)
        return answer

    async def ask(self, what: str, method: str, path: str, body: object = None, key: str | None = None) -> Answer:
        """Asks until there is an answer; what is asked for must be the same however often it is done.

        Raises `Unknown` if the client has lost its patience.
        """
        while True:
            try:
                answer = await self.once(what, method, path, body, key)
                if (answer.status, "" if answer.status < 300 else answer.code) not in self.site.passing:
                    return answer
            except Unknown:
                await asyncio.sleep(PAUSE)
                continue
            if answer.status == 409 and self.site.random.random() < self.site.impatience:
                raise Unknown
            await asyncio.sleep(AT_WORK if answer.status == 409 else PAUSE)

    async def events(self, run: str, after: int) -> AsyncIterator[Told]:
        """One stream of a run, from one server; it may break off at any time. Its end is told."""
        server = await self.site.server()
        connection = Connection(server.port)
        try:
            async for told in connection.events(run, after, SILENCE):
                if isinstance(told, Answer):
                    self.site.account("events", told)
                    return
                if told.name == "error":
                    answer = Answer(told.data["status"], b"")
                    self.site.answers["events", answer.status, told.data["code"]] += 1
                    if (answer.status, told.data["code"]) not in self.site.passing | self.site.expected:
                        self.site.unexplained.append(f"events: {told.data}")
                    return
                yield told
        except GONE as gone:
            self.site.answers["events", 0, type(gone).__name__] += 1
        finally:
            connection.cut()

    def close(self) -> None:
        for connection in self.connections.values():
            connection.close()
        self.connections.clear()

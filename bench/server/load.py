"""The load: the same HTTP requests for whichever server, from one process, to this machine only."""

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "shared"))
import connection as shared  # noqa: E402

NODES = 10
# What every request may take.
PATIENCE = 300.0


class Refused(Exception):
    """An answer that is not what was asked for."""


@dataclass
class Target:
    """A server, and where its LangGraph door is."""

    port: int
    prefix: str = ""


@dataclass
class Reading:
    """What one load came to. Times are in seconds."""

    runs: int = 0
    wall: float = 0.0
    latencies: list[float] = field(default_factory=list)
    first_events: list[float] = field(default_factory=list)


class Connection(shared.Connection):
    """One whose answers are seen as they come."""

    async def ask(self, method: str, path: str, body: object = None, seen=None) -> bytes:
        """The body of the answer. `seen` is called with all that has come of it whenever more has come."""
        await self.send(method, path, body)
        status, fields = await self.head()
        answer = bytearray()
        async for piece in self.pieces(fields):
            answer += piece
            if seen is not None:
                seen(answer)
        if fields.get("connection") == "close":
            self.close()
        if status not in (200, 201):
            raise Refused(f"{method} {path}: {status} {bytes(answer[:200])!r}")
        return bytes(answer)


async def wait(connection: Connection, target: Target, reading: Reading) -> None:
    """A run in a thread of its own, whose end is the answer."""
    order = {"assistant_id": "noop", "input": {"n": 0}}
    counted(await connection.ask("POST", f"{target.prefix}/runs/wait", order))


async def stream(connection: Connection, target: Target, reading: Reading) -> None:
    """A run whose events are followed to its end."""
    began, first = time.perf_counter(), None

    def seen(answer: bytearray) -> None:
        nonlocal first
        if first is None and b"event: updates" in answer:
            first = time.perf_counter() - began

    order = {"assistant_id": "noop", "input": {"n": 0}, "stream_mode": ["updates"]}
    answer = await connection.ask("POST", f"{target.prefix}/runs/stream", order, seen)
    updates = answer.count(b"event: updates")
    if updates != NODES:
        raise Refused(f"{updates} updates instead of {NODES}")
    reading.first_events.append(first)


async def thread(connection: Connection, target: Target, reading: Reading) -> None:
    """A thread that is made first, and a run in it."""
    made = json.loads(await connection.ask("POST", f"{target.prefix}/threads", {}))["thread_id"]
    order = {"assistant_id": "noop", "input": {"n": 0}}
    counted(await connection.ask("POST", f"{target.prefix}/threads/{made}/runs/wait", order))


MODES = {"wait": wait, "stream": stream, "thread": thread}


def counted(answer: bytes) -> None:
    state = json.loads(answer)
    if state.get("n") != NODES:
        raise Refused(f"n is {state.get('n')} instead of {NODES}: {answer[:200]!r}")


async def load(target: Target, mode: str, runs: int, at_once: int) -> Reading:
    """`runs` runs, `at_once` of them at a time. Fails with the first that is not what it should be."""
    reading, left = Reading(runs=runs), runs

    async def one_after_the_other(connection: Connection) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            began = time.perf_counter()
            await asyncio.wait_for(MODES[mode](connection, target, reading), PATIENCE)
            reading.latencies.append(time.perf_counter() - began)
        connection.close()

    connections = [Connection(target.port) for _ in range(at_once)]
    for connection in connections:
        await connection.open()
    began = time.perf_counter()
    await asyncio.gather(*map(one_after_the_other, connections))
    reading.wall = time.perf_counter() - began
    return reading


async def subscribe(target: Target, subscribers: int, pause_millis: int, between) -> dict:
    """`subscribers` follow one run of ours; everybody has to get every event, once and in order.

    `between` is called when all are there. Gives when the last of them had come, in seconds after the run began, how
    many events each got, and how long after the run's end the last of them knew.
    """
    starter = Connection(target.port)
    body = {"start": {"kind": "noop", "n": 0, "pause_millis": pause_millis}}
    run = json.loads(await starter.ask("POST", "/api/v1/runs", body))["run"]
    began, ended, there = time.perf_counter(), [], 0
    all_there = asyncio.Event()

    async def follow() -> list[int]:
        nonlocal there
        connection, is_there = Connection(target.port), False

        def seen(answer: bytearray) -> None:
            nonlocal is_there, there
            if not is_there and b"data: " in answer:
                is_there, there = True, there + 1
                if there == subscribers:
                    all_there.set()

        answer = await connection.ask("GET", f"/api/v1/runs/{run}/events", None, seen)
        ended.append(time.perf_counter())
        connection.close()
        if b"event: end" not in answer:
            raise Refused(f"a stream broke off: {answer[-200:]!r}")
        return [int(line[4:]) for line in answer.split(b"\n") if line.startswith(b"id: ")]

    followers = [asyncio.create_task(follow()) for _ in range(subscribers)]
    await asyncio.wait_for(all_there.wait(), PATIENCE)
    arrived = time.perf_counter() - began
    between()
    numbers = await asyncio.wait_for(asyncio.gather(*followers), PATIENCE)
    starter.close()
    expected = list(range(1, len(numbers[0]) + 1))
    if len(expected) < NODES + 2 or any(got != expected for got in numbers):
        raise Refused("somebody did not get every event once and in order")
    return {"arrived": arrived, "events": len(expected), "spread": max(ended) - min(ended)}

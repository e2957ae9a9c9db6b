"""HTTP and event streams, as far as the harnesses need them: from one process, to this machine only."""

import asyncio
import contextlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import AsyncIterator
from urllib.parse import quote

sys.path.append(str(Path(__file__).parents[1] / "shared"))
import connection as shared  # noqa: E402

# How long an answer may take to come. A frozen server says nothing, and somebody else is asked.
PATIENCE = 4.0
# What a connection that is gone looks like.
GONE = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.LimitOverrunError, EOFError)


@dataclass
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> object:
        return json.loads(self.body) if self.body else None

    @property
    def code(self) -> str:
        """The stable code of a problem."""
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            return self.json.get("code", "")
        return ""


@dataclass
class Told:
    """An event of a stream; its end has no data."""

    number: int | None
    name: str | None
    data: object


class Connection(shared.Connection):
    """One that asks, follows runs, and can be cut."""

    def __init__(self, port: int) -> None:
        super().__init__(port, PATIENCE)

    def cut(self) -> None:
        """Closes it without a farewell."""
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None

    async def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None, patience=PATIENCE
    ) -> Answer:
        """Fails with one of `GONE` if no whole answer comes; then what has become of the request is not known."""
        try:
            await self.send(method, path, body, headers)
            return await asyncio.wait_for(self.answer(), patience)
        except BaseException:
            self.cut()
            raise

    async def answer(self) -> Answer:
        status, fields = await self.head()
        answer = bytearray()
        async for piece in self.pieces(fields):
            answer += piece
        if fields.get("connection") == "close":
            self.close()
        return Answer(status, bytes(answer))

    async def events(self, run: str, after: int, silence: float) -> AsyncIterator[Told | Answer]:
        """What a run tells after the event `after`; an answer that is no stream comes by itself."""
        await self.send("GET", f"/api/v1/runs/{quote(run)}/events", None, {"last-event-id": str(after)})
        status, fields = await asyncio.wait_for(self.head(), PATIENCE)
        pieces, come = self.pieces(fields), bytearray()
        if status != 200:
            async for piece in pieces:
                come += piece
            yield Answer(status, bytes(come))
            return
        while True:
            try:
                come += await asyncio.wait_for(anext(pieces), silence)
            except StopAsyncIteration:
                return
            while (end := come.find(b"\n\n")) >= 0:
                block = bytes(come[:end])
                del come[: end + 2]
                if told := parse(block):
                    yield told


def parse(block: bytes) -> Told | None:
    fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line and line[0] != ":")
    if "data" not in fields:
        return None
    number = int(fields["id"]) if "id" in fields else None
    return Told(number, fields.get("event"), json.loads(fields["data"]))

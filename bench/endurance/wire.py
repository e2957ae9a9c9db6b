"""HTTP and event streams, as far as the harnesses need them: from one process, to this machine only."""

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import AsyncIterator
from urllib.parse import quote

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


class Connection:
    """One connection that is kept for request after request."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        if self.writer is None:
            opening = asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
            self.reader, self.writer = await asyncio.wait_for(opening, PATIENCE)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    def cut(self) -> None:
        """Closes it without a farewell."""
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None

    async def send(self, method: str, path: str, body: object, headers: dict[str, str]) -> None:
        await self.open()
        sent = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        head = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self.port}", f"content-length: {len(sent)}"]
        if body is not None:
            head.append("content-type: application/json")
        head += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*head, "", ""]).encode() + sent)
        await asyncio.wait_for(self.writer.drain(), PATIENCE)

    async def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None, patience=PATIENCE
    ) -> Answer:
        """Fails with one of `GONE` if no whole answer comes; then what has become of the request is not known."""
        try:
            await self.send(method, path, body, headers or {})
            return await asyncio.wait_for(self.answer(), patience)
        except BaseException:
            self.cut()
            raise

    async def answer(self) -> Answer:
        status, fields = head(await self.reader.readuntil(b"\r\n\r\n"))
        answer = bytearray()
        async for piece in self.pieces(fields):
            answer += piece
        if fields.get("connection") == "close":
            self.close()
        return Answer(status, bytes(answer))

    async def pieces(self, fields: dict[str, str]) -> AsyncIterator[bytes]:
        if "content-length" in fields:
            yield await self.reader.readexactly(int(fields["content-length"]))
            return
        while line := await self.reader.readline():
            if (size := int(line.split(b";")[0], 16)) == 0:
                await self.reader.readline()
                return
            yield (await self.reader.readexactly(size + 2))[:-2]
        raise EOFError("the body has no end")

    async def events(self, run: str, after: int, silence: float) -> AsyncIterator[Told | Answer]:
        """What a run tells after the event `after`; an answer that is no stream comes by itself."""
        await self.send("GET", f"/api/v1/runs/{quote(run)}/events", None, {"last-event-id": str(after)})
        status, fields = head(await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE))
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


def head(raw: bytes) -> tuple[int, dict[str, str]]:
    first, *lines = raw.decode("latin-1").strip().split("\r\n")
    pairs = (line.split(":", 1) for line in lines)
    return int(first.split()[1]), {name.lower(): value.strip().lower() for name, value in pairs}


def parse(block: bytes) -> Told | None:
    fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line and line[0] != ":")
    if "data" not in fields:
        return None
    number = int(fields["id"]) if "id" in fields else None
    return Told(number, fields.get("event"), json.loads(fields["data"]))

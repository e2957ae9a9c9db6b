"""HTTP/1.1 to this machine, as far as the benches and harnesses need it."""

import asyncio
import json
from typing import AsyncIterator


class Connection:
    """One connection that is kept for request after request. `patience` is how long in seconds it may take to open and to send."""

    def __init__(self, port: int, patience: float | None = None) -> None:
        self.port, self.patience = port, patience
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        if self.writer is None:
            opening = asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
            self.reader, self.writer = await asyncio.wait_for(opening, self.patience)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    async def send(self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> None:
        await self.open()
        sent = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        lines = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self.port}", f"content-length: {len(sent)}"]
        if body is not None:
            lines.append("content-type: application/json")
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + sent)
        await asyncio.wait_for(self.writer.drain(), self.patience)

    async def head(self) -> tuple[int, dict[str, str]]:
        """The status of the answer, and its fields in small letters."""
        raw = await self.reader.readuntil(b"\r\n\r\n")
        first, *lines = raw.decode("latin-1").strip().split("\r\n")
        pairs = (line.split(":", 1) for line in lines)
        return int(first.split()[1]), {name.lower(): value.strip().lower() for name, value in pairs}

    async def pieces(self, fields: dict[str, str]) -> AsyncIterator[bytes]:
        """The body, as it comes; what is cut off has no end."""
        if "content-length" in fields:
            yield await self.reader.readexactly(int(fields["content-length"]))
            return
        while line := await self.reader.readline():
            if (size := int(line.split(b";")[0], 16)) == 0:
                await self.reader.readline()
                return
            yield (await self.reader.readexactly(size + 2))[:-2]
        raise EOFError("the body has no end")

"""A way between our servers and PostgreSQL that breaks off at the worst moment: when a commit is on its way."""

import asyncio
import contextlib
import random
import struct
from collections import Counter

from wire import GONE

# What a client may begin with instead of the message that names its user.
SSL, CANCEL, GSS = 80877103, 80877102, 80877104
# For how long PostgreSQL is still heard after its client was cut off, so that it carries out what it was sent.
LINGER = 0.2


class Proxy:
    """Cuts a connection at each commit with the chance `share`: before the commit is sent, or after."""

    def __init__(self, port: int, share: float, seed: int) -> None:
        self.port, self.share, self.random = port, share, random.Random(seed)
        self.cuts: Counter[str] = Counter()
        self.commits = 0
        self.server: asyncio.Server | None = None
        self.is_cutting = True
        self.connections: set[asyncio.Task] = set()

    async def start(self) -> int:
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0, limit=1 << 24)
        return self.server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self.server.close()
        for connection in self.connections:
            connection.cancel()
        await asyncio.gather(*self.connections, return_exceptions=True)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.create_task(self.serve(reader, writer))
        self.connections.add(connection)
        connection.add_done_callback(self.connections.discard)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        except OSError:
            writer.transport.abort()
            return
        answers = asyncio.create_task(self.pass_on(there, writer))
        try:
            with contextlib.suppress(*GONE):
                await self.listen(reader, writer, back)
        finally:
            writer.transport.abort()
            with contextlib.suppress(asyncio.TimeoutError, *GONE):
                await asyncio.wait_for(answers, LINGER)
            back.transport.abort()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(*GONE):
            while data := await reader.read(1 << 16):
                # Whoever was cut off hears nothing any more, but PostgreSQL is listened to.
                if not writer.is_closing():
                    writer.write(data)
                    await writer.drain()
        writer.close()

    async def listen(self, reader, writer, back) -> None:
        """Passes on what a client says, message by message."""
        while True:
            length = await reader.readexactly(4)
            rest = await reader.readexactly(struct.unpack("!I", length)[0] - 4)
            back.write(length + rest)
            await back.drain()
            if struct.unpack("!I", rest[:4])[0] not in (SSL, GSS):
                break
        is_dirty = False
        while True:
            kind = await reader.readexactly(1)
            length = await reader.readexactly(4)
            rest = await reader.readexactly(struct.unpack("!I", length)[0] - 4)
            # What is not read alone: a statement by itself is committed when it is synchronised.
            is_dirty = is_dirty or kind == b"E"
            commits = (kind == b"Q" and rest.upper().startswith(b"COMMIT")) or (kind == b"S" and is_dirty)
            if commits:
                is_dirty = False
                self.commits += 1
                if self.is_cutting and self.random.random() < self.share:
                    if self.random.random() < 0.3:
                        self.cuts["before"] += 1
                        return
                    self.cuts["after"] += 1
                    # From here on the client is deaf: the outcome is not known to it.
                    writer.transport.abort()
                    back.write(kind + length + rest)
                    await back.drain()
                    return
            back.write(kind + length + rest)
            await back.drain()

"""What a power cut may leave of a folder: works it out from the log of the shim.

What was flushed is there. Of what was not, each write is kept, dropped, or torn at borders of 512 bytes; each change of a
length is kept or dropped; of the changes of names that no flush of their folder followed, the first ones are there.
"""

import random
import struct
from dataclasses import dataclass, field
from pathlib import Path

NEW, LENGTH, WRITE, SYNC, SYNC_FOLDER, RENAME, UNLINK, LINK = range(1, 9)
RECORD = struct.Struct("<IIQII")
SECTOR = 512


@dataclass
class Change:
    at: int
    kind: int
    file: int
    offset: int
    name: str
    data: memoryview


@dataclass
class File:
    # What a cut leaves for certain, and what was not flushed.
    kept: bytearray = field(default_factory=bytearray)
    pending: list[Change] = field(default_factory=list)


def read(log: Path) -> list[Change]:
    data, at, changes = memoryview(log.read_bytes()), 0, []
    while at + RECORD.size <= len(data):
        kind, file, offset, name_length, size = RECORD.unpack_from(data, at)
        begin = at + RECORD.size
        end = begin + name_length + size
        name = bytes(data[begin : begin + name_length]).decode()
        changes.append(Change(end, kind, file, offset, name, data[begin + name_length : end]))
        at = end
    return changes


def write(kept: bytearray, offset: int, data: memoryview | bytes) -> None:
    if len(kept) < offset:
        kept.extend(bytes(offset - len(kept)))
    kept[offset : offset + len(data)] = data


def shorten(kept: bytearray, length: int) -> None:
    if len(kept) < length:
        kept.extend(bytes(length - len(kept)))
    del kept[length:]


def carry_out(kept: bytearray, change: Change) -> None:
    if change.kind == WRITE:
        write(kept, change.offset, change.data)
    else:
        shorten(kept, change.offset)


def tear(kept: bytearray, change: Change, chance: random.Random) -> None:
    """Some of its sectors."""
    begin, end = change.offset, change.offset + len(change.data)
    at = begin
    while at < end:
        border = min(end, (at // SECTOR + 1) * SECTOR)
        if chance.random() < 0.5:
            write(kept, at, change.data[at - begin : border - begin])
        at = border


class Disk:
    """The disk under a folder: what is on it, and what is only on its way."""

    def __init__(self, base: Path, is_lying: bool) -> None:
        self.base, self.is_lying = base, is_lying
        self.files: dict[int, File] = {}
        self.names: dict[str, int] = {}
        self.pending: list[Change] = []
        self.flushes = self.lost = 0

    def carry_out(self, change: Change) -> None:
        if change.kind == NEW:
            self.files[change.file] = File()
            if change.offset:
                source = self.base / Path(change.name).name
                self.files[change.file].kept += source.read_bytes() if source.exists() else b""
                self.names[change.name] = change.file
            else:
                self.pending.append(change)
        elif change.kind in (WRITE, LENGTH):
            self.files[change.file].pending.append(change)
        elif self.is_lying and change.kind in (SYNC, SYNC_FOLDER):
            # A disk that says it has written what it has not does so after some time all the same; here, never.
            self.flushes += 1
        elif change.kind == SYNC:
            self.flushes += 1
            file = self.files[change.file]
            for pending in file.pending:
                carry_out(file.kept, pending)
            file.pending.clear()
        elif change.kind == SYNC_FOLDER:
            self.flushes += 1
            for pending in self.pending:
                self.rename(pending)
            self.pending.clear()
        else:
            self.pending.append(change)

    def rename(self, change: Change) -> None:
        to = bytes(change.data).decode()
        if change.kind == NEW:
            self.names[change.name] = change.file
        elif change.kind == UNLINK:
            self.names.pop(change.name, None)
        elif change.name in self.names:
            file = self.names[change.name] if change.kind == LINK else self.names.pop(change.name)
            self.names[to] = file

    def cut(self, chance: random.Random, folder: Path, to: Path) -> None:
        """Writes what is left of `folder` to `to`."""
        for change in self.pending[: chance.randint(0, len(self.pending))]:
            self.rename(change)
        for file in self.files.values():
            for change in file.pending:
                fate = chance.randrange(3)
                self.lost += fate != 0
                if fate == 0:
                    carry_out(file.kept, change)
                elif fate == 1 and change.kind == WRITE:
                    tear(file.kept, change, chance)
        for name, number in self.names.items():
            place = to / Path(name).relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.files[number].kept)


def cut(changes: list[Change], at: int, base: Path, folder: Path, to: Path, seed: int, is_lying: bool = False) -> Disk:
    """What is left after a cut at the place `at` of the log, written to `to`."""
    disk = Disk(base, is_lying)
    for change in changes:
        if change.at > at:
            break
        disk.carry_out(change)
    disk.cut(random.Random(seed), folder, to)
    return disk

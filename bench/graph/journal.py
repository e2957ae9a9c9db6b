"""Reads what the engine left in a SQLite file, with another program than the engine: Python's own SQLite."""

import json
import sqlite3
import struct
import subprocess
from pathlib import Path


def prove(program: str, file: Path) -> dict:
    """Has `program` run a chain on `file`, kills it, and reads the file as the crash has left it."""
    writer = subprocess.Popen([program, "journal", str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        answer(writer)
        before = commits_in(Path(f"{file}-wal"))
        writer.stdin.write("\n")
        writer.stdin.flush()
        supersteps = answer(writer)["supersteps"]
        commits = commits_in(Path(f"{file}-wal")) - before
    finally:
        writer.kill()
        writer.wait()
        writer.stdin.close()
        writer.stdout.close()
    return {"commits": commits, "supersteps": supersteps, "found": supersteps_in(file)}


def answer(writer: subprocess.Popen) -> dict:
    line = writer.stdout.readline()
    if not line:
        raise RuntimeError("the program that writes the journal ended early")
    return json.loads(line)


def commits_in(wal: Path) -> int:
    """Counts the frames of a write-ahead log that end a transaction; they alone tell the size of the database."""
    log = wal.read_bytes()
    page_size, salts = struct.unpack(">I", log[8:12])[0], log[16:24]
    commits = 0
    for frame in range(32, len(log), 24 + page_size):
        size, frame_salts = struct.unpack(">I", log[frame + 4 : frame + 8])[0], log[frame + 8 : frame + 16]
        if frame_salts != salts:
            break
        commits += size > 0
    return commits


def supersteps_in(file: Path) -> int:
    """How many supersteps the journal holds without a gap, each with its own record on the one before, each with the
    state that it must have led to."""
    found = 0
    with sqlite3.connect(file) as database:
        records = database.execute(
            "SELECT position, parent, kind, body FROM graph_record"
            " WHERE kind IN ('snapshot', 'delta') ORDER BY position"
        ).fetchall()
    head, counted = 0, None
    for expected, (position, parent, kind, body) in enumerate(records, start=-1):
        body = json.loads(body)
        counted = body["state"]["n"] if kind == "snapshot" else dict(body["delta"])["n"]["set"]
        if parent != head or body["mark"]["superstep"] != expected or counted != expected + 1:
            raise RuntimeError(f"the record at {position} does not continue the one before: {body}")
        head = position
        found = expected + 1
    return found

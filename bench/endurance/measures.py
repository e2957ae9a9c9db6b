"""What is measured while the soak goes on, and the lines that are laid through it."""

import csv
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

from servers import Server, psql, usage

MIB = 1024 * 1024


@dataclass
class Sample:
    at: float
    server: str
    pid: int
    anonymous: float
    file: float
    descriptors: int
    threads: int
    cpu: float


@dataclass
class Measures:
    """Everything that was read, by time in seconds since the beginning."""

    database: str
    began: float = field(default_factory=time.monotonic)
    samples: list[Sample] = field(default_factory=list)
    stores: list[dict] = field(default_factory=list)
    first_wal: int | None = None

    @property
    def now(self) -> float:
        return time.monotonic() - self.began

    def take(self, servers: list[Server]) -> None:
        for server in servers:
            if found := usage(server.pid):
                sizes = (found.anonymous, found.file, found.descriptors, found.threads, found.cpu)
                self.samples.append(Sample(self.now, server.name, server.pid, *sizes))
        asked = (
            "SELECT pg_database_size(current_database()), (SELECT sum(size) FROM pg_ls_waldir()), "
            "pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, "
            "(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) - 1"
        )
        size, wal, written, connections = map(int, psql(asked, self.database).split("|"))
        self.first_wal = written if self.first_wal is None else self.first_wal
        self.stores.append(
            {
                "at": self.now,
                "database": size / MIB,
                "wal_files": wal / MIB,
                "wal_written": (written - self.first_wal) / MIB,
                "connections": connections,
            }
        )

    def tables(self) -> dict[str, float]:
        """The largest tables with their indexes, in MiB."""
        asked = (
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' "
            "ORDER BY 2 DESC LIMIT 6"
        )
        rows = (line.split("|") for line in psql(asked, self.database).splitlines())
        return {name: int(size) / MIB for name, size in rows}

    def of(self, server: str) -> list[Sample]:
        """Those of the server's last process."""
        samples = [sample for sample in self.samples if sample.server == server]
        return [sample for sample in samples if sample.pid == samples[-1].pid]

    def save(self, folder: Path, report: dict) -> None:
        with (folder / "samples.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["at", "server", "pid", "anonymous", "file", "descriptors", "threads", "cpu"])
            writer.writerows(
                [f"{it.at:.1f}", it.server, it.pid, f"{it.anonymous:.2f}", f"{it.file:.2f}", it.descriptors]
                + [it.threads, f"{it.cpu:.2f}"]
                for it in self.samples
            )
        with (folder / "stores.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(self.stores[0]))
            writer.writeheader()
            writer.writerows({name: f"{value:.2f}" for name, value in row.items()} for row in self.stores)
        (folder / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False))


def slope(points: list[tuple[float, float]]) -> float:
    """By least squares, in units an hour; nothing of fewer than three points."""
    if len(points) < 3:
        return 0.0
    mean_at = sum(at for at, _ in points) / len(points)
    mean = sum(value for _, value in points) / len(points)
    over = sum((at - mean_at) * (value - mean) for at, value in points)
    under = sum((at - mean_at) ** 2 for at, _ in points)
    return 3600 * over / under if under else 0.0


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def of_server(samples: list[Sample], warm: float) -> dict:
    """What came of one process, without what it took to become warm."""
    after = [sample for sample in samples if sample.at >= warm] or samples
    begin, end = after[0].at, after[-1].at
    half = (begin + end) / 2
    last_half = [sample for sample in after if sample.at >= half]
    line = lambda samples, name: slope([(sample.at, getattr(sample, name)) for sample in samples])
    halves = lambda name: [
        mean([getattr(sample, name) for sample in after if sample.at < half]),
        mean([getattr(sample, name) for sample in last_half]),
    ]
    return {
        "minutes": (samples[-1].at - samples[0].at) / 60,
        "samples": len(after),
        "anonymous_first": samples[0].anonymous,
        "anonymous_halves": halves("anonymous"),
        "anonymous_slope": line(after, "anonymous"),
        "anonymous_slope_last_half": line(last_half, "anonymous"),
        "anonymous_most": max(sample.anonymous for sample in samples),
        "file_last": samples[-1].file,
        "file_slope": line(after, "file"),
        "descriptors_first": after[0].descriptors,
        "descriptors_last": after[-1].descriptors,
        "descriptors_most": max(sample.descriptors for sample in samples),
        "descriptors_slope": line(after, "descriptors"),
        "threads_most": max(sample.threads for sample in samples),
        "threads_slope": line(after, "threads"),
        "cpu_share": (samples[-1].cpu - samples[0].cpu) / max(samples[-1].at - samples[0].at, 1e-9),
    }

"""What was measured, the goals, and the table that says which of them are met."""

from statistics import median
from typing import Callable

NAMES = {"sqlite": "ours on SQLite", "postgres": "ours on PostgreSQL", "langgraph": "langgraph dev"}


class NotMeasured(Exception):
    """Why a number is not there."""


class Results:
    """Every reading, by work and server."""

    def __init__(self) -> None:
        self.readings: dict[tuple[str, str], list[dict]] = {}
        self.missing: dict[tuple[str, str], str] = {}

    def add(self, work: str, server: str, reading: dict) -> None:
        self.readings.setdefault((work, server), []).append(reading)

    def lack(self, work: str, server: str, why: str) -> None:
        self.missing[work, server] = why

    def all(self, work: str, server: str, key: str) -> list[float]:
        """The readings in order of size; raises `NotMeasured` if there are none."""
        if (work, server) not in self.readings:
            raise NotMeasured(f"{NAMES[server]}: {self.missing.get((work, server), 'left out of this run')}")
        return sorted(reading[key] for reading in self.readings[work, server])

    def middle(self, work: str, server: str, key: str) -> float:
        return median(self.all(work, server, key))

    def spread(self, work: str, server: str, key: str, digits: int = 2) -> str:
        """The middle, and the least and the most beside it."""
        values = self.all(work, server, key)
        text = f"{median(values):.{digits}f}"
        return text if len(values) == 1 else f"{text} ({values[0]:.{digits}f}–{values[-1]:.{digits}f})"


def markdown(results: Results) -> str:
    head = ["| work | goal | ours | langgraph dev | ratio | verdict |", "|---|---|---|---|---|---|"]
    return "\n".join(head + [line(results, *row) for row in ROWS])


def line(results: Results, work: str, goal: str, measure: Callable[[Results], tuple]) -> str:
    try:
        ours, others, ratio, met = measure(results)
        verdict = met if isinstance(met, str) else "met" if met else "**missed**"
    except NotMeasured as why:
        ours, others, ratio, verdict = "", "", "", f"not measured: {why}"
    return f"| {work} | {goal} | {ours} | {others} | {ratio} | {verdict} |"


def fraction(work: str, key: str, part: float, server: str = "sqlite", digits: int = 2):
    """Ours is at most 1/`part` of what the peer needs, middle against middle."""

    def measure(results: Results) -> tuple:
        ours, theirs = (results.middle(work, who, key) for who in (server, "langgraph"))
        shown = [results.spread(work, who, key, digits) for who in (server, "langgraph")]
        return *shown, f"1/{theirs / ours:.1f}", ours * part <= theirs

    return measure


def within(work: str, key: str, limit: float, server: str = "sqlite", digits: int = 1):
    def measure(results: Results) -> tuple:
        value = results.middle(work, server, key)
        return results.spread(work, server, key, digits), "", f"{value / limit:.2f} of the limit", value <= limit

    return measure


def beside(work: str, key: str):
    """Ours and the peer's, without a goal."""

    def measure(results: Results) -> tuple:
        ours, theirs = (results.middle(work, who, key) for who in ("sqlite", "langgraph"))
        shown = [results.spread(work, who, key, 1) for who in ("sqlite", "langgraph")]
        return *shown, f"1/{theirs / ours:.1f}", "–"

    return measure


def burst(server: str):
    """All runs came to their end, or there is no reading."""

    def measure(results: Results) -> tuple:
        try:
            theirs = burst_of(results, "langgraph")
        except NotMeasured as why:
            theirs = f"not measured: {why}"
        return burst_of(results, server), theirs, "", True

    return measure


def burst_of(results: Results, server: str) -> str:
    wall, cpu, peak = (results.middle("burst", server, key) for key in ("wall", "cpu", "peak"))
    return f"{wall:.2f} s wall, {cpu:.2f} s CPU, peak {peak:.0f} MiB"


def subscribers(server: str):
    """Every event came to everybody, or there is no reading."""

    def measure(results: Results) -> tuple:
        names = ("events", "cpu_join", "cpu_events", "peak", "spread")
        events, join, told, peak, spread = (results.middle("subscribers", server, key) for key in names)
        shown = f"{events:.0f} events to each; {join:.2f} s CPU to come, {told:.2f} s CPU for all events; "
        shown += f"peak {peak:.0f} MiB; the last knows the end {spread * 1e3:.0f} ms after the first"
        return shown, "", "", True

    return measure


def first_event(at_once: int):
    def measure(results: Results) -> tuple:
        shown = []
        for server in ("sqlite", "langgraph"):
            p50, p99 = (results.middle(f"stream-{at_once}", server, key) for key in ("first_p50", "first_p99"))
            shown.append(f"p50 {p50:.1f}, p99 {p99:.1f}")
        return *shown, "", "–"

    return measure


def growth(server: str):
    def measure(results: Results) -> tuple:
        windows = [results.middle("growth", server, f"cpu_{runs}") for runs in GROWTH]
        shown = ", ".join(f"{cpu:.2f} at {runs:,}" for cpu, runs in zip(windows, GROWTH))
        return shown, "", f"{windows[-1] / windows[0]:.2f}×", windows[-1] <= 1.3 * windows[0]

    return measure


# After how many runs in one store another 200 are measured.
GROWTH = (200, 1000, 5000)

ROWS = [
    ("`/runs/wait`, 16 at once: ms of CPU a run", "≤ 1/15", fraction("wait", "cpu_ms", 15)),
    ("`/runs/stream`", "≤ 1/15", fraction("stream-16", "cpu_ms", 15)),
    ("`/threads`, then `/threads/{id}/runs/wait`", "≤ 1/15", fraction("thread", "cpu_ms", 15)),
    ("`/runs/wait` with PostgreSQL, without its own processes", "≤ 1/15", fraction("wait", "cpu_ms", 15, "postgres")),
    ("`/runs/stream` with PostgreSQL", "≤ 1/15", fraction("stream-16", "cpu_ms", 15, "postgres")),
    ("`/threads` and a run with PostgreSQL", "≤ 1/15", fraction("thread", "cpu_ms", 15, "postgres")),
    ("memory idle, MiB", "≤ 30", within("idle", "resident", 30)),
    ("", "≤ 1/4", fraction("idle", "resident", 4, digits=1)),
    ("of it the process's own, without pages of files", "none", beside("idle", "own")),
    ("memory idle with PostgreSQL", "≤ 30", within("idle", "resident", 30, "postgres")),
    ("memory after the runs of `/runs/wait`, MiB", "none", beside("wait", "resident")),
    ("1,000 runs begun at once", "all end", burst("sqlite")),
    ("the same with PostgreSQL", "all end", burst("postgres")),
    ("5,000 subscribers of one run", "every event, once, in order", subscribers("sqlite")),
    ("the same with PostgreSQL", "every event, once, in order", subscribers("postgres")),
    ("ms from `/runs/stream` to the first update, 1 at a time", "none", first_event(1)),
    ("the same, 16 at a time", "none", first_event(16)),
    ("ms of CPU a run beside runs that were there before", "≤ 1.3 × at 200", growth("sqlite")),
    ("the same with PostgreSQL", "≤ 1.3 × at 200", growth("postgres")),
]

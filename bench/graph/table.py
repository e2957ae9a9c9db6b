"""The goals, and the table that says which of them are met."""

from dataclasses import dataclass
from typing import Callable

NAMES = {
    "ours": "qingyu-graph",
    "langgraph": "LangGraph 1.2.22",
    "juncture": "juncture 0.4.0",
    "adk": "adk-graph 2.3.0",
}


@dataclass
class Row:
    work: str
    goal: str
    ours: str
    others: str
    ratio: str
    verdict: str

    def __str__(self) -> str:
        return f"| {self.work} | {self.goal} | {self.ours} | {self.others} | {self.ratio} | {self.verdict} |"


class Results:
    """Every reading, by work and program; and why there is none."""

    def __init__(self) -> None:
        self.readings: dict[tuple[str, str], list[dict]] = {}
        self.missing: dict[tuple[str, str], str] = {}

    def add(self, work: str, program: str, reading: dict) -> None:
        self.readings.setdefault((work, program), []).append(reading)

    def lack(self, work: str, program: str, why: str) -> None:
        self.missing[work, program] = why

    def least(self, work: str, program: str, key: str) -> float | None:
        """The least disturbed reading: other programs on the machine can only add to it."""
        readings = self.readings.get((work, program))
        return min(reading[key] for reading in readings) if readings else None

    def median(self, work: str, program: str, key: str) -> float | None:
        """The reading in the middle, where the disk decides."""
        readings = sorted(reading[key] for reading in self.readings.get((work, program), []))
        return readings[len(readings) // 2] if readings else None

    def why_not(self, work: str, *programs: str) -> str:
        whys = [f"{NAMES[program]}: {self.missing[work, program]}" for program in programs if (work, program) in self.missing]
        return "not measured: " + ("; ".join(whys) or "left out of this run")


def time(microseconds: float) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds:.3g} µs"


def size(count: float) -> str:
    return f"{count / 1e6:.3g} MB" if count >= 1e6 else f"{count / 1e3:.3g} kB"


def memory(mebibytes: float) -> str:
    return f"{mebibytes:.1f} MiB"


def plain(value: float) -> str:
    return f"{value:g}"


def share(ours: float, other: float) -> str:
    return f"1/{other / ours:.3g}" if other > ours else f"{ours / other:.3g}×"


def within(results: Results, work: str, title: str, key: str, limit: float, show: Callable, unit: str = "", take: str = "least") -> Row:
    """A row whose goal is a limit."""
    value = getattr(results, take)(work, "ours", key)
    goal = f"≤ {show(limit)}{unit}"
    if value is None:
        return Row(title, goal, "", "", "", results.why_not(work, "ours"))
    others = [
        f"{NAMES[other]} {show(theirs)}"
        for other in ("langgraph", "juncture", "adk")
        if (theirs := getattr(results, take)(work, other, key)) is not None
    ]
    return Row(title, goal, show(value), ", ".join(others), f"{value / limit:.2f} of the limit", verdict(value <= limit))


def fraction(results: Results, work: str, others: tuple[str, ...], part: float, key: str = "cpu_us") -> Row:
    """A row whose goal is to need at most 1/`part` of what the best of `others` needs."""
    best = "of the best Rust peer" if len(others) > 1 else f"of {NAMES[others[0]].split()[0]}"
    goal = f"CPU ≤ 1/{part:g} {best}"
    ours = results.least(work, "ours", key)
    theirs = {other: value for other in others if (value := results.least(work, other, key)) is not None}
    if ours is None or len(theirs) < len(others):
        return Row("", goal, "" if ours is None else time(ours), "", "", results.why_not(work, "ours", *others))
    shown = ", ".join(f"{NAMES[other]} {time(value)}" for other, value in theirs.items())
    least = min(theirs.values())
    return Row("", goal, time(ours), shown, share(ours, least), verdict(ours * part <= least))


def told(results: Results, work: str, title: str, key: str, show: Callable) -> Row:
    """A row without a goal."""
    shown = {program: value for program in NAMES if (value := results.least(work, program, key)) is not None}
    others = ", ".join(f"{NAMES[other]} {show(value)}" for other, value in shown.items() if other != "ours")
    if "ours" not in shown:
        return Row(title, "none", "", others, "", results.why_not(work, "ours"))
    ratios = ", ".join(share(shown["ours"], value) for other, value in shown.items() if other != "ours")
    return Row(title, "none", show(shown["ours"]), others, ratios, "–")


def verdict(met: bool) -> str:
    return "met" if met else "**missed**"


def rows(results: Results) -> list[Row]:
    return [
        within(results, "chain", "chain of 10 nodes, small state, no store", "cpu_us", 20, time, " CPU a run"),
        fraction(results, "chain", ("langgraph",), 140),
        fraction(results, "chain", ("juncture", "adk"), 2.5),
        told(results, "loop", "1,000 supersteps of one node (ours on a thread in memory, theirs kept nowhere): CPU a superstep", "cpu_us", time),
        *beside_bare_commits(results, "chain-sqlite", "the same with SQLite FULL, alone"),
        fraction(results, "chain-sqlite", ("langgraph",), 20),
        recovered(results),
        *beside_bare_commits(results, "chain-postgres", "the same with PostgreSQL"),
        fraction(results, "chain-postgres", ("langgraph",), 15),
        within(results, "fanout", "1,000 tasks at once, and a join", "cpu_us", 5000, time, " CPU"),
        fraction(results, "fanout", ("langgraph",), 50),
        fraction(results, "fanout", ("juncture",), 4),
        exactly(results, "fanout", "copies of the state", "copies", 0),
        within(results, "threads", "1,000 threads of 10 supersteps at once, SQLite FULL", "wall_us", 3e6, time, " wall", "median"),
        grouped(results),
        *growing(results, "growth-sqlite", "2,000 supersteps appending 600 bytes, SQLite FULL"),
        *growing(results, "growth-postgres", "the same with PostgreSQL"),
        within(results, "startup", "birth of the process to the end of its first chain", "born_us", 1e4, time),
        within(results, "startup", "most memory until then", "memory_mib", 15, memory),
        *built(results),
    ]


def beside_bare_commits(results: Results, work: str, title: str) -> list[Row]:
    goal = "wall ≤ 1.3 × as many bare commits"
    ratio = results.median(work, "ours", "ratio")
    if ratio is None:
        return [Row(title, goal, "", "", "", results.why_not(work, "ours"))]
    wall, floor = results.median(work, "ours", "wall_us"), results.median(work, "ours", "floor_us")
    commits = f"{results.least(work, 'ours', 'commits'):g} bare commits {time(floor)}"
    theirs = results.median(work, "langgraph", "wall_us")
    others = commits if theirs is None else f"{commits}; {NAMES['langgraph']} {time(theirs)}"
    return [Row(title, goal, time(wall), others, f"{ratio:.2f}×", verdict(ratio <= 1.3))]


def recovered(results: Results) -> Row:
    title, goal = "", "one commit a superstep; another program reads them all after `kill -9`"
    proof = results.readings.get(("journal", "ours"))
    if not proof:
        return Row(title, goal, "", "", "", results.why_not("journal", "ours"))
    commits, supersteps, found = (proof[0][key] for key in ("commits", "supersteps", "found"))
    # The lease, the input, and giving the lease back are commits of their own.
    met = commits == supersteps + 3 and found == supersteps
    ours = f"{commits} commits for lease, input, {supersteps} supersteps, release; {found} found by Python's sqlite3"
    return Row(title, goal, ours, "", "", verdict(met))


def exactly(results: Results, work: str, title: str, key: str, wanted: float) -> Row:
    value = results.least(work, "ours", key)
    if value is None:
        return Row(title, plain(wanted), "", "", "", results.why_not(work, "ours"))
    return Row(title, plain(wanted), plain(value), "", "", verdict(value == wanted))


def grouped(results: Results) -> Row:
    title, goal = "", "commits are grouped"
    supersteps = results.least("threads", "ours", "supersteps")
    if supersteps is None:
        return Row(title, goal, "", "", "", results.why_not("threads", "ours"))
    bare = results.median("threads", "ours", "bare_commits_in_that_time")
    ours = f"{supersteps:g} supersteps in the time of {bare:g} bare commits"
    return Row(title, goal, ours, "", share(bare, supersteps), verdict(bare < supersteps))


def growing(results: Results, work: str, title: str) -> list[Row]:
    goals = ("stored ≤ 3 × the payload", "last 100 supersteps ≤ 1.3 × the first 100", "newest state read in ≤ 2 ms")
    both = {program: (lambda key, program=program: results.least(work, program, key)) for program in ("ours", "langgraph")}
    ours, theirs = both["ours"], both["langgraph"]
    if ours("stored") is None:
        return [Row(title, goal, "", "", "", results.why_not(work, "ours")) for goal in goals]

    def stored(of: Callable) -> float:
        return of("stored") / of("payload")

    def pace(program: str, clock: str) -> float:
        readings = results.readings[work, program]
        return sorted(reading[f"last_{clock}_us"] / reading[f"first_{clock}_us"] for reading in readings)[len(readings) // 2]

    def paces(program: str) -> str:
        return f"{pace(program, 'wall'):.2f}× wall, {pace(program, 'cpu'):.2f}× CPU"

    has_theirs = theirs("stored") is not None
    name = NAMES["langgraph"]
    return [
        Row(title, goals[0], size(ours("stored")), f"{name} {size(theirs('stored'))}" if has_theirs else "", f"{stored(ours):.2f}×", verdict(stored(ours) <= 3)),
        Row("", goals[1], paces("ours"), f"{name} {paces('langgraph')}" if has_theirs else "", f"{pace('ours', 'wall'):.2f}×", verdict(pace("ours", "wall") <= 1.3)),
        Row("", goals[2], time(ours("read_us")), f"{name} {time(theirs('read_us'))}" if has_theirs else "", "", verdict(ours("read_us") <= 2000)),
    ]


def built(results: Results) -> list[Row]:
    title, goals = "clean release build of the crate alone, with SQLite", ("≤ 40 s on 2 idle cores", "≤ 60 crates")
    counts = {program: results.least("crates", program, "crates") for program in NAMES}
    shown = ", ".join(f"{NAMES[peer]} {counts[peer]:g}" for peer in ("juncture", "adk") if counts[peer] is not None)
    if counts["ours"] is None:
        crates = Row("", goals[1], "", shown, "", results.why_not("crates", "ours"))
    else:
        crates = Row("", goals[1], f"{counts['ours']:g}", f"{shown} (no store)" if shown else "", "", verdict(counts["ours"] <= 60))
    build = results.readings.get(("build", "ours"))
    if not build:
        return [Row(title, goals[0], "", "", "", results.why_not("build", "ours")), crates]
    wall, cpu, cores = (build[0][key] for key in ("wall_us", "cpu_us", "cores"))
    # Whoever else was at work cannot be told from a slow build.
    was_idle = wall * min(cores, 2) < 1.3 * cpu
    met = verdict(wall <= 40e6) if was_idle or wall <= 40e6 else "open: the machine was not idle"
    return [Row(title, goals[0], f"{time(wall)} wall, {time(cpu)} CPU", "", "", met), crates]


def markdown(rows: list[Row]) -> str:
    head = ["| work | goal | ours | others | ratio | verdict |", "|---|---|---|---|---|---|"]
    return "\n".join(head + [str(row) for row in rows])

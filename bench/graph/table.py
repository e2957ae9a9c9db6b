"""The goals, and the table that says which of them are met."""

from typing import Callable, NamedTuple

from results import NAMES, NotMeasured, Results


class Cells(NamedTuple):
    """What stands in a row beside its goal."""

    ours: str
    others: str
    ratio: str
    met: bool | str


def markdown(results: Results) -> str:
    head = ["| work | goal | ours | others | ratio | verdict |", "|---|---|---|---|---|---|"]
    return "\n".join(head + [line(results, *row) for row in ROWS])


def line(results: Results, work: str, goal: str, measure: Callable[[Results], Cells]) -> str:
    try:
        ours, others, ratio, met = measure(results)
        verdict = met if isinstance(met, str) else "met" if met else "**missed**"
    except NotMeasured as why:
        ours, others, ratio, verdict = "", "", "", f"not measured: {why}"
    return f"| {work} | {goal} | {ours} | {others} | {ratio} | {verdict} |"


def within(work: str, key: str, limit: float, show: Callable) -> Callable[[Results], Cells]:
    """The least disturbed reading is at most `limit`."""

    def measure(results: Results) -> Cells:
        value = results.least(work, "ours", key)
        others = theirs(results, work, key, show)
        return Cells(show(value), others, f"{value / limit:.2f} of the limit", value <= limit)

    return measure


def fraction(work: str, part: float, *others: str) -> Callable[[Results], Cells]:
    """The processor time is at most 1/`part` of what the best of `others` needs."""

    def measure(results: Results) -> Cells:
        ours = results.least(work, "ours", "cpu_us")
        best = min(results.least(work, other, "cpu_us") for other in others)
        return Cells(time(ours), theirs(results, work, "cpu_us", time, others), share(ours, best), ours * part <= best)

    return measure


def looped(results: Results) -> Cells:
    ours = results.least("loop", "ours", "cpu_us")
    return Cells(f"{time(ours)} CPU a superstep", theirs(results, "loop", "cpu_us", time), "", "–")


def beside_bare_commits(work: str) -> Callable[[Results], Cells]:
    def measure(results: Results) -> Cells:
        ratio, wall, floor = (results.median(work, "ours", key) for key in ("ratio", "wall_us", "floor_us"))
        commits, floor_cpu = (results.least(work, "ours", key) for key in ("commits", "floor_cpu_us"))
        others = [f"{commits:g} bare commits {time(floor)} ({time(floor_cpu)} CPU)"]
        if results.has(work, "langgraph"):
            others.append(f"{NAMES['langgraph']} {time(results.median(work, 'langgraph', 'wall_us'))}")
        return Cells(time(wall), ", ".join(others), f"{ratio:.2f}×", ratio <= 1.3)

    return measure


def recovered(results: Results) -> Cells:
    commits, supersteps, found = (results.least("journal", "ours", key) for key in ("commits", "supersteps", "found"))
    ours = f"{commits} commits: lease, input, {supersteps} supersteps, release; Python's sqlite3 finds {found}"
    return Cells(ours, "", "", commits == supersteps + 3 and found == supersteps)


def not_copied(results: Results) -> Cells:
    copies = results.least("fanout", "ours", "copies")
    return Cells(f"{copies:g}", "", "", copies == 0)


def at_once(results: Results) -> Cells:
    def both(program: str) -> str:
        return f"{time(wall(program))} ({time(results.least('threads', program, 'cpu_us'))} CPU)"

    def wall(program: str) -> float:
        return results.median("threads", program, "wall_us")

    others, ratio = "", ""
    if results.has("threads", "langgraph"):
        others, ratio = f"{NAMES['langgraph']} {both('langgraph')}", share(wall("ours"), wall("langgraph"))
    return Cells(both("ours"), others, ratio, wall("ours") <= 3e6)


def grouped(results: Results) -> Cells:
    supersteps = results.least("threads", "ours", "supersteps")
    bare = results.median("threads", "ours", "bare_commits_in_that_time")
    ours = f"{supersteps:g} supersteps in the time of {bare:g} bare commits"
    return Cells(ours, "", share(bare, supersteps), bare < supersteps)


def stored(work: str) -> Callable[[Results], Cells]:
    def measure(results: Results) -> Cells:
        bytes_stored = results.least(work, "ours", "stored")
        factor = bytes_stored / results.least(work, "ours", "payload")
        return Cells(size(bytes_stored), theirs(results, work, "stored", size), f"{factor:.2f}×", factor <= 3)

    return measure


def flat(work: str) -> Callable[[Results], Cells]:
    def measure(results: Results) -> Cells:
        first, last = (results.median(work, "ours", f"{stretch}_wall_us") for stretch in ("first", "last"))
        pace, cpu_pace = (results.median(work, "ours", key) for key in ("pace", "cpu_pace"))
        others = theirs(results, work, "pace", lambda slower: f"{slower:.2f}×")
        return Cells(f"{time(first)} → {time(last)}", others, f"{pace:.2f}× (CPU {cpu_pace:.2f}×)", pace <= 1.3)

    return measure


def built(results: Results) -> Cells:
    wall, cpu, cores = (results.least("build", "ours", key) for key in ("wall_us", "cpu_us", "cores"))
    # A slow build does not tell whether the compiler or somebody else was at work.
    was_idle = wall * min(cores, 2) < 1.3 * cpu
    met = wall <= 40e6 if was_idle or wall <= 40e6 else "open: the machine was not idle"
    return Cells(f"{time(wall)} ({time(cpu)} CPU)", "", "", met)


def crates(results: Results) -> Cells:
    count = results.least("crates", "ours", "crates")
    others = theirs(results, "crates", "crates", lambda others_count: f"{others_count:g} (no store)")
    return Cells(f"{count:g}", others, "", count <= 60)


def growing(work: str, title: str) -> list[tuple]:
    return [
        (title, "stored ≤ 3 × the payload", stored(work)),
        ("", "last 100 supersteps ≤ 1.3 × the first 100", flat(work)),
        ("", "newest state read in ≤ 2 ms", within(work, "read_us", 2000, time)),
    ]


def theirs(results: Results, work: str, key: str, show: Callable, others: tuple[str, ...] = ()) -> str:
    """The least readings of those that we compare with."""
    measured = [other for other in others or NAMES if other != "ours" and results.has(work, other)]
    return ", ".join(f"{NAMES[other]} {show(results.least(work, other, key))}" for other in measured)


def share(ours: float, other: float) -> str:
    return f"1/{other / ours:.3g}" if other > ours else f"{ours / other:.3g}×"


def time(microseconds: float) -> str:
    for unit, length in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= length:
            return f"{significant(microseconds / length)} {unit}"
    return f"{significant(microseconds)} µs"


def size(count: float) -> str:
    return f"{significant(count / 1e6)} MB"


def memory(mebibytes: float) -> str:
    return f"{significant(mebibytes)} MiB"


def significant(value: float) -> str:
    """Three digits, and no more than a table needs."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


ROWS = [
    ("chain of 10 nodes, small state, no store", "≤ 20 µs CPU a run", within("chain", "cpu_us", 20, time)),
    ("", "CPU ≤ 1/140 of LangGraph", fraction("chain", 140, "langgraph")),
    ("", "CPU ≤ 1/2.5 of the best Rust peer", fraction("chain", 2.5, "juncture", "adk")),
    ("1,000 supersteps of one node; ours on a thread in memory, theirs kept nowhere", "none", looped),
    ("the chain with SQLite FULL, alone", "wall ≤ 1.3 × as many bare commits", beside_bare_commits("chain-sqlite")),
    ("", "CPU ≤ 1/20 of LangGraph", fraction("chain-sqlite", 20, "langgraph")),
    ("", "one commit a superstep; after `kill -9` another program reads them all", recovered),
    ("the chain with PostgreSQL, alone", "wall ≤ 1.3 × as many bare commits", beside_bare_commits("chain-postgres")),
    ("", "CPU ≤ 1/15 of LangGraph", fraction("chain-postgres", 15, "langgraph")),
    ("1,000 tasks at once, and a join", "≤ 5 ms CPU", within("fanout", "cpu_us", 5000, time)),
    ("", "CPU ≤ 1/50 of LangGraph", fraction("fanout", 50, "langgraph")),
    ("", "CPU ≤ 1/4 of juncture", fraction("fanout", 4, "juncture")),
    ("", "copies of the state: none", not_copied),
    ("1,000 threads of 10 supersteps at once, SQLite FULL", "≤ 3 s wall", at_once),
    ("", "commits are grouped", grouped),
    *growing("growth-sqlite", "2,000 supersteps appending 600 bytes, SQLite FULL"),
    *growing("growth-postgres", "the same with PostgreSQL"),
    ("birth of the process to the end of its first chain", "≤ 10 ms", within("startup", "born_us", 10_000, time)),
    ("most memory until then", "≤ 15 MiB", within("startup", "memory_mib", 15, memory)),
    ("clean release build of the crate alone, with SQLite", "≤ 40 s on 2 idle cores", built),
    ("", "≤ 60 crates", crates),
]
"""Work, goal, and how it is told whether the goal is met; a work without a title is the one above."""

"""The goals, and the tables that say which of them are met."""

from typing import Callable, NamedTuple


class NotMeasured(Exception):
    """Why a number is not there."""


class Results:
    """What was measured, by work and program, and why something was not."""

    def __init__(self) -> None:
        self.measured: dict[tuple[str, str], dict] = {}
        self.missing: dict[tuple[str, str], str] = {}

    def add(self, work: str, program: str, result: dict) -> None:
        self.measured[work, program] = result

    def lack(self, work: str, program: str, why: str) -> None:
        self.missing[work, program] = why

    def of(self, work: str, program: str = "ours") -> dict:
        if (work, program) not in self.measured:
            raise NotMeasured(f"{program}: {self.missing.get((work, program), 'left out of this run')}")
        return self.measured[work, program]


class Cells(NamedTuple):
    """What stands in a row beside its goal."""

    ours: str
    others: str
    met: bool


def markdown(results: Results) -> str:
    head = ["| work | goal | ours | others | verdict |", "|---|---|---|---|---|"]
    return "\n".join(head + [line(results, *row) for row in ROWS])


def line(results: Results, work: str, goal: str, measure: Callable[[Results], Cells]) -> str:
    try:
        ours, others, met = measure(results)
        verdict = "met" if met else "**missed**"
    except NotMeasured as why:
        ours, others, verdict = "", "", f"not measured: {why}"
    return f"| {work} | {goal} | {ours} | {others} | {verdict} |"


def asked(filter_at: int, limit: float) -> Callable[[Results], Cells]:
    """A hybrid query with the filter of that place among the filters by share."""

    def measure(results: Results) -> Cells:
        name, ours = with_filter(results.of("hybrid"), filter_at)
        hybrid, keyword, vector = ours["hybrid"], ours["keyword"], ours["vector"]
        text = f"p50 {ms(hybrid['p50_ms'])}, p99 {ms(hybrid['p99_ms'])}; words alone {ms(keyword['p50_ms'])}, vectors alone "
        text += f"{ms(vector['p50_ms'])}, their recall {vector['recall']:.4f}"
        return Cells(text, peers(results, name), hybrid["p50_ms"] <= limit)

    return measure


def recalled(results: Results) -> Cells:
    recalls = {name: one["vector"]["recall"] for name, one in results.of("hybrid")["filters"].items()}
    return Cells(", ".join(f"{name}: {recall:.4f}" for name, recall in recalls.items()), "", min(recalls.values()) >= 0.999)


def faster(filter_at: int) -> Callable[[Results], Cells]:
    """The vector side beside those who have nothing else."""

    def measure(results: Results) -> Cells:
        name, ours = with_filter(results.of("hybrid"), filter_at)
        least = min(results.of("hybrid", peer)["filters"][name]["p50_ms"] for peer in ("qdrant", "chroma"))
        mine = ours["vector"]["p50_ms"]
        return Cells(f"{ms(mine)}, {ratio(mine, least)} of the best", peers(results, name), mine < least)

    return measure


def with_filter(result: dict, at: int) -> tuple[str, dict]:
    """The filters by share: none, 60 %, 1 %."""
    by_limit = sorted((name for name in result["filters"] if " " in name), key=lambda name: -int(name.rsplit(" ", 1)[1]))
    name = ["all", *by_limit][at]
    return name, result["filters"][name]


def peers(results: Results, name: str) -> str:
    told = []
    for peer, title in (("qdrant", "qdrant-edge exact"), ("chroma", "chromadb HNSW")):
        try:
            one = results.of("hybrid", peer)["filters"][name]
            told.append(f"{title} {ms(one['p50_ms'])}, p99 {ms(one['p99_ms'])}, recall {one['recall']:.3f}")
        except NotMeasured as why:
            told.append(str(why))
    return "; ".join(told)


def of_a_book(results: Results) -> Cells:
    book = results.of("hybrid")["filters"]["book"]
    hybrid = book["hybrid"]
    text = f"p50 {ms(hybrid['p50_ms'])}, p99 {ms(hybrid['p99_ms'])}; words alone {ms(book['keyword']['p50_ms'])}"
    return Cells(text, "", hybrid["p50_ms"] <= 1.5)


def indexed(results: Results) -> Cells:
    ours, theirs = results.of("indexing"), results.of("indexing", "bm25s")
    alone = ours["whole_cpu_ms"] - ours["embedding_cpu_ms"]
    mine, other = ours["megabytes"] * 1e3 / alone, theirs["megabytes"] * 1e3 / theirs["whole_cpu_ms"]
    with_vectors = ours["megabytes"] * 1e3 / ours["whole_cpu_ms"]
    text = f"{mine:.2f} MB/s on disk ({with_vectors:.2f} with lexical vectors)"
    return Cells(text, f"bm25s with jieba {other:.2f} MB/s in memory, {ratio(other, mine)} of ours", mine >= 3 * other)


def edited(results: Results) -> Cells:
    edit = results.of("edit")
    text = f"p50 {ms(edit['save']['p50_ms'])}, p99 {ms(edit['save']['p99_ms'])} for the whole save; the first search after it "
    return Cells(text + ms(edit["search_after"]["p50_ms"]), "", edit["save"]["p50_ms"] <= 20)


def fused(sides: tuple[str, str]) -> Callable[[Results], Cells]:
    """The hybrid finds more in its first five than either of its sides."""

    def measure(results: Results) -> Cells:
        ranks = results.of("quality")["ranks"]
        both = " + ".join(sides)
        if both not in ranks:
            raise NotMeasured("e5 made no vectors")
        found = {way: among(ranks[way], 5) for way in (*sides, both)}
        better = all(found[both] > found[side] for side in sides)
        return Cells(f"{found[both]:.3f}", ", ".join(f"{side} {found[side]:.3f}" for side in sides), better)

    return measure


def qualities(results: Results) -> str:
    """How well each way of searching answers the questions, those written by hand also alone."""
    try:
        quality = results.of("quality")
    except NotMeasured as why:
        return f"Quality: not measured: {why}."
    by_hand = [kind == "hand" for kind in quality["kinds"]]
    head = [
        f"{len(by_hand)} questions, {sum(by_hand)} of them by hand without the words of their passage:",
        "",
        "| found by | recall@1 | recall@5 | MRR@10 | by hand: recall@1 | recall@5 | MRR@10 |",
        "|---|---|---|---|---|---|---|",
    ]
    lines = []
    for way in filter(quality["ranks"].__contains__, WAYS):
        ranks = quality["ranks"][way]
        hand = [rank for rank, is_by_hand in zip(ranks, by_hand) if is_by_hand]
        numbers = [f"{number:.3f}" for some in (ranks, hand) for number in (among(some, 1), among(some, 5), reciprocal(some))]
        lines.append(f"| {WAYS[way]} | {' | '.join(numbers)} |")
    return "\n".join(head + lines)


def among(ranks: list[int], first: int) -> float:
    """The share of questions whose passage is among the first; rank 0 means that it was not found."""
    return sum(0 < rank <= first for rank in ranks) / len(ranks)


def reciprocal(ranks: list[int]) -> float:
    return sum(1 / rank for rank in ranks if rank) / len(ranks)


def ms(value: float) -> str:
    return f"{value:.2f} ms"


def ratio(mine: float, other: float) -> str:
    return f"1/{other / mine:.1f}" if mine < other else f"{mine / other:.1f}×"


WAYS = {
    "keyword": "words (BM25 over pairs of characters)",
    "lexical": "vectors of hashed characters and pairs",
    "keyword + lexical": "both",
    "model": "vectors of e5-small",
    "keyword + model": "words and e5-small",
}

ROWS = [
    ("hybrid query over 100,000 chunks of 384 dimensions, filter lets 60 % through", "≤ 12 ms CPU", asked(1, 12)),
    ("the same, filter lets 1 % through", "≤ 12 ms CPU", asked(2, 12)),
    ("the same without filter", "≤ 12 ms CPU", asked(0, 12)),
    ("recall@10 of the vectors against exact floats", "≥ 0.999", recalled),
    ("vectors alone, 60 %", "faster than both", faster(1)),
    ("vectors alone, 1 %", "faster than both", faster(2)),
    ("hybrid query in one book of 10,000 chunks, in the same database", "≤ 1.5 ms CPU", of_a_book),
    ("indexing Chinese prose, embedding left out", "≥ 3 × bm25s with jieba", indexed),
    ("edit of one chapter in a book of 2,000 (25 MB)", "≤ 20 ms CPU", edited),
    ("recall@5 of words and hashed vectors together", "above both", fused(("keyword", "lexical"))),
    ("recall@5 of words and e5 together", "above both", fused(("keyword", "model"))),
]
"""Work, goal, and how it is told whether the goal is met."""

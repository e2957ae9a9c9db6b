"""Writes what a bench has measured into its part of docs/benchmarks.md."""

import sys
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


def write_section(name: str, text: str) -> None:
    """Puts the text between the marks of the bench of that name, such as `bench-graph`."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    DOCUMENT.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
    print(f"written to docs/{DOCUMENT.name}", file=sys.stderr, flush=True)

#!/usr/bin/env python3
"""Measures what a book remembers of the recorded run, beside expectations written by hand, and writes its part of docs/benchmarks.md.

Usage: run.py [FOLDER]. With the folder of another run (see `prompts.py`), also prints what the story keeps of it, what stands in
its prompts, and what its chapters cost.
"""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "shared"))

from report import write_section  # noqa: E402

EXAMPLE = [os.environ.get("CARGO", "cargo"), "run", "--locked", "--quiet", "-p", "qingyu-story", "--example", "memory"]


def main() -> None:
    table = subprocess.run(EXAMPLE, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    print(table)
    write_section("bench-memory", f"\n{table}\n")
    for folder in sys.argv[1:2]:
        folder = str(Path(folder).resolve())
        subprocess.run([*EXAMPLE, "--", folder], cwd=ROOT, check=True)
        subprocess.run([sys.executable, ROOT / "bench" / "memory" / "prompts.py", folder], check=True)


main()

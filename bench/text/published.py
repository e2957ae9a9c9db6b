#!/usr/bin/env python3
"""What Qingyu reads in, and says of, books that were written elsewhere.

    published.py PROGRAM FOLDER BOOK...

Imports every book into an empty data folder inside FOLDER, checks it, and prints how many chapters it has, how many people are
proposed for the cast, how many facts are read without a model, and how many findings there are by rule. With every book a file
of all facts and findings with their sentences is written into FOLDER, for a person to judge. No text leaves FOLDER.
"""

import collections
import json
import os
import subprocess
import sys
from pathlib import Path


def run(program, home, *arguments):
    environment = dict(os.environ, QINGYU_HOME=str(home), QINGYU_UI_LANG="en")
    ended = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, env=environment)
    try:
        return json.loads(ended.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(arguments)}: {ended.stdout[-300:]} {ended.stderr[-300:]}")


def main():
    program, folder, books = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    home = folder / "data"
    for book in books:
        brought = run(program, home, "import", book)
        if not brought.get("project"):
            sys.exit(f"{book}: {brought}")
        project, settled = brought["project"]["project"], brought["settled"]
        checked = run(program, home, "check", project)
        findings = [finding["issue"] for finding in checked["findings"]]
        cast = settled.get("cast", [])
        sure = sum(one["is_sure"] for one in cast)
        rules = collections.Counter(issue["code"] for issue in findings)
        counts = ", ".join(f"{code} {count}" for code, count in sorted(rules.items()))
        print(
            f"{Path(book).name}: {settled['chapters']} chapters, {sure} people and {len(cast) - sure} perhaps, "
            f"{settled['facts']} facts, score {checked['score']}, {len(findings)} findings: {counts}"
        )
        facts = run(program, home, "ask-facts", project)
        report = {"cast": cast, "facts": facts, "findings": findings}
        (folder / f"{Path(book).stem}.json").write_text(json.dumps(report, ensure_ascii=False, indent=1))


main()

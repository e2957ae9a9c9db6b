#!/usr/bin/env python3
"""Runs the tests of the workspace: most in a process each (cargo-nextest), those that share costly tables in one per binary.

Arguments are those of cargo's build. The tests of the binaries below read forms, vocabularies and prompts, which a process per
test would parse again, for about twice their processor time. All tests run, whatever fails before.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# As cargo-nextest names them.
SHARED = (
    *("qingyu-story", "qingyu-story::it", "qingyu-agents", "qingyu-studio", "qingyu-studio::it", "qingyu-offline::it"),
    *("qingyu-formats::it", "qingyu-knowledge", "qingyu-text", "qingyu-production", "qingyu-tools"),
)
NEXTEST = [*shlex.split(os.environ.get("CARGO", "cargo")), "nextest"]
RESULT = re.compile(r"(\d+) passed; (\d+) failed")


def main() -> None:
    build = sys.argv[1:]
    # This compiles them all.
    listed = subprocess.run([*NEXTEST, "list", *build, "--list-type", "binaries-only", "--message-format", "json"], cwd=ROOT, stdout=subprocess.PIPE)
    if listed.returncode != 0:
        sys.exit(1)
    binaries = json.loads(listed.stdout)["rust-binaries"]
    others = "not (" + " | ".join(f"binary_id(={name})" for name in SHARED) + ")"
    failed = subprocess.run([*NEXTEST, "run", *build, "--no-fail-fast", "-E", others], cwd=ROOT).returncode != 0
    for name in SHARED:
        failed |= not passes(name, binaries[name]["binary-path"])
    sys.exit(1 if failed else 0)


def passes(name: str, binary: str) -> bool:
    """Runs the tests of a binary with as many threads as there are processors, and says how many passed."""
    began = time.monotonic()
    print(f"{name}: ", end="", flush=True)
    # Cargo starts tests in the folder of their crate, and names it to them.
    folder = ROOT / "crates" / name.split("::")[0]
    environment = os.environ | {"CARGO_MANIFEST_DIR": str(folder)}
    run = subprocess.run([binary, "--quiet"], cwd=folder, env=environment, capture_output=True, text=True)
    result = RESULT.search(run.stdout)
    count = f"{result[1]} passed, {result[2]} failed" if result else "no result"
    print(f"{count} in {time.monotonic() - began:.1f} s", flush=True)
    # A binary in which nothing ran has tested nothing.
    if run.returncode == 0 and result and int(result[1]) > 0:
        return True
    print(run.stdout + run.stderr, flush=True)
    return False


if __name__ == "__main__":
    main()

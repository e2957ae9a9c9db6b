#!/bin/sh
# Measures, prints and writes docs/benchmarks.md; asserts nothing. Run it on an idle machine.
set -eu
cd "$(dirname "$0")/.."

echo "machine: $(nproc) cores, $(uname -sm), $(date -u +%Y-%m-%d)"
echo
echo "== a plan's wall time against its critical path (every model call takes 1 s)"
cargo run --locked --quiet --release -p qingyu-offline --example parallelism
echo
echo "== the state graph, LangGraph and two Rust crates, in turns; the table goes to docs/benchmarks.md"
python3 bench/graph/run.py
echo
echo "== checking a story of 2,000 chapters and 60,000 facts, and checking it again after a change"
make --no-print-directory bench-check

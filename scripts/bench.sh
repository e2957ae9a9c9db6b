#!/bin/sh
# Measures, prints and writes docs/benchmarks.md; asserts nothing. Run it on an idle machine.
set -eu
cd "$(dirname "$0")/.."

echo "machine: $(nproc) cores, $(uname -sm), $(date -u +%Y-%m-%d)"
echo
echo "== a plan's wall time against its critical path (every model call takes 1 s)"
cargo run --locked --quiet --release -p qingyu-offline --example parallelism
echo
echo "== errors planted in clean stories: what the checker finds of them, and what it reports beside them"
cargo run --locked --quiet --release -p qingyu-story --example planted_errors
echo
echo "== the state graph, LangGraph and two Rust crates, in turns; the table goes to docs/benchmarks.md"
python3 bench/graph/run.py
echo
echo "== search, qdrant-edge, chromadb and bm25s with jieba; the tables go to docs/benchmarks.md"
python3 bench/retrieval/run.py
echo
echo "== the server under load, beside langgraph dev; the table goes to docs/benchmarks.md"
python3 bench/server/run.py
echo
echo "== the main job: where its processor time and its bytes go; the table goes to docs/benchmarks.md"
python3 bench/profile/run.py
echo
echo "== checking a story of 2,000 chapters and 60,000 facts, and checking it again after a change"
make --no-print-directory bench-check
echo
echo "== texts: the scan for sensitive words, one chapter against 2,000, figures"
scripts/bench-text.sh
echo
echo "== settling a chapter in a book of 2,000 chapters and 60,000 facts, and what the rules read"
make --no-print-directory bench-settle

#!/bin/sh
# Measures and prints; asserts nothing. Run it on an idle machine.
set -eu
cd "$(dirname "$0")/.."

echo "machine: $(nproc) cores, $(uname -sm), $(date -u +%Y-%m-%d)"
echo
echo "== a plan's wall time against its critical path (every model call takes 1 s)"
cargo run --locked --quiet --release -p qingyu-offline --example parallelism
echo
echo "== the engine: a chain of ten nodes"
cargo run --locked --quiet --release -p qingyu-graph --example bench_chain

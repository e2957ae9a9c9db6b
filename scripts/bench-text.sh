#!/bin/sh
# Measures what is counted and found in texts: the scan for sensitive words, one chapter against 2,000, the figures.
set -eu
cd "$(dirname "$0")/.."

for example in scan_speed originality_speed figures_speed; do
  echo "== $example"
  cargo run --locked --quiet --release -p qingyu-text --example "$example"
done

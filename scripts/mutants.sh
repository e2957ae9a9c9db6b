#!/usr/bin/env bash
# scripts/mutants.sh [PATH...]: changes the source in small ways, one at a time, and looks whether a test fails: the engine, the
# checker with its rules, and the meta-scheduler, or the files and folders that are named, such as
# crates/qingyu-graph/src/superstep.rs. SHARD=0/40 takes about a fortieth of the changes, AMONG=FILE only what the lines of that
# file end with, such as what survived once, WORKERS=3 tries three at once. What survives is listed, and it ends with 1; with 2 if
# it could not be tried. What came of each stands in .local/mutants/CRATE/outcomes.tsv, from when it is known. What is argued for
# instead of killed stands in crates/qingyu-mutants/argued.toml, with its reasons.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:?the program is built by \`make mutants\`}
export QINGYU_SEEDS=${QINGYU_SEEDS:-60} QINGYU_GRAPH_KILLS=${QINGYU_GRAPH_KILLS:-5} PROPTEST_CASES=${PROPTEST_CASES:-24} PROPTEST_RNG_SEED=20261122

# A mutant may go round for ever and take memory all the while: 12 GB is the most, where that can be said.
ulimit -v $((12 << 20)) 2>/dev/null || true

if [ $# = 0 ]; then
  story=crates/qingyu-story/src agents=crates/qingyu-agents/src
  set -- crates/qingyu-graph/src "$story/check" "$story/check.rs" "$story/rules" "$story/rules.rs" "$story/time" "$story/time.rs" \
    "$agents/meta_scheduler" "$agents/meta_scheduler.rs"
fi
status=0
for package in $(printf '%s\n' "$@" | cut -d/ -f2 | sort -u); do
  mapfile -t paths < <(printf '%s\n' "$@" | grep "^crates/$package/")
  code=0
  "$program" --package "$package" ${WORKERS:+--workers "$WORKERS"} ${SHARD:+--shard "$SHARD"} ${AMONG:+--among "$AMONG"} "${paths[@]}" || code=$?
  [ "$code" -le "$status" ] || status=$code
done
exit $status

#!/usr/bin/env bash
# scripts/mutants.sh [FILE...]: changes the source in small ways, one at a time, and looks whether a test fails: the engine, the
# checker with its rules, and the meta-scheduler, or the files that are named, such as crates/qingyu-graph/src/superstep.rs. Takes
# more than a day; SHARD=0/40 takes every fortieth place. What survives is listed at the end, and it fails. What is argued for
# instead of killed is left out by .cargo/mutants.toml, which says why.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/.local/mutants
# The tool, and what is built: with what else is built where that is said.
kept=${CARGO_TARGET_DIR:+$CARGO_TARGET_DIR/mutants}
kept=${kept:-$out}
mkdir -p "$out" "$kept"
kept=$(cd "$kept" && pwd)
if ! command -v cargo-mutants >/dev/null 2>&1 && [ ! -x "$kept/tool/bin/cargo-mutants" ]; then
  echo "installing cargo-mutants (four minutes, once)" >&2
  CARGO_TARGET_DIR=$kept/target cargo install --quiet --locked --debug cargo-mutants --root "$kept/tool"
fi
export PATH=$kept/tool/bin:$PATH
export QINGYU_SEEDS=${QINGYU_SEEDS:-60} QINGYU_GRAPH_KILLS=${QINGYU_GRAPH_KILLS:-5} PROPTEST_CASES=${PROPTEST_CASES:-24} PROPTEST_RNG_SEED=20261122
# The libraries are built once for all copies of the source. Nobody steps through a mutant.
export CARGO_TARGET_DIR=$kept/target CARGO_INCREMENTAL=1 CARGO_PROFILE_DEV_DEBUG=0

# A mutant may go round for ever and take memory all the while: 12 GB is the most, where that can be said.
ulimit -v $((12 << 20)) 2>/dev/null || true

survivors=$(mktemp)
trap 'rm -f "$survivors"' EXIT

# A crate, and the files of it that are changed.
run() {
  local crate=$1
  shift
  local files=()
  for file in "$@"; do files+=(--file "$file"); done
  local status=0
  # What is built and fetched is not copied. Without examples and those of the documentation, each of which is a program to link.
  cargo mutants --package "$crate" --test-package "$crate" --all-features --baseline skip --timeout 180 --no-shuffle --gitignore true \
    --cargo-arg=--lib --cargo-arg=--tests \
    ${SHARD:+--shard "$SHARD" --sharding round-robin} --colors never --output "$out/$crate" "${files[@]}" || status=$?
  # 2: some survived; 3: some never ended, which is noticed too.
  case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac
  cat "$out/$crate/mutants.out/missed.txt" >>"$survivors"
}

if [ $# -gt 0 ]; then
  for crate in $(printf '%s\n' "$@" | cut -d/ -f2 | sort -u); do
    mapfile -t files < <(printf '%s\n' "$@" | grep "^crates/$crate/")
    run "$crate" "${files[@]}"
  done
else
  run qingyu-graph 'crates/qingyu-graph/src/**/*.rs'
  run qingyu-story 'crates/qingyu-story/src/check/**/*.rs' 'crates/qingyu-story/src/rules/**/*.rs' 'crates/qingyu-story/src/time/**/*.rs'
  run qingyu-agents 'crates/qingyu-agents/src/meta_scheduler.rs' 'crates/qingyu-agents/src/meta_scheduler/prompt.rs'
fi

if [ -s "$survivors" ]; then
  echo "no test notices these:" >&2
  cat "$survivors" >&2
  exit 1
fi

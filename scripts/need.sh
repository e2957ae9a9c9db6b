#!/bin/sh
# Looks for what the build needs: a C compiler (for the bundled SQLite) and Rust 1.95 or newer.
# Installs what it can without asking (a compiler where apt-get runs as root), names the rest.
set -eu

wanted=1.95

if ! command -v cc >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing a C compiler" >&2
    apt-get update -qq >&2 && apt-get install -y -qq gcc libc6-dev >&2
  else
    echo "a C compiler is missing: install gcc or clang (Debian: apt-get install gcc libc6-dev; macOS: xcode-select --install)" >&2
    exit 1
  fi
fi

cargo_command=${CARGO:-cargo}
if ! command -v "$cargo_command" >/dev/null 2>&1; then
  if command -v rustup >/dev/null 2>&1; then
    rustup toolchain install stable --profile minimal -c clippy -c rustfmt >&2
  else
    echo "cargo is missing: install Rust $wanted or newer with rustup (https://rustup.rs), then run this again" >&2
    exit 1
  fi
fi

have=$("$cargo_command" --version | sed -E 's/^cargo ([0-9]+\.[0-9]+).*/\1/')
newest=$(printf '%s\n%s\n' "$wanted" "$have" | sort -t. -k1,1n -k2,2n | tail -n 1)
if [ "$newest" != "$have" ]; then
  echo "Rust $have is too old, $wanted or newer is needed: rustup update stable" >&2
  exit 1
fi

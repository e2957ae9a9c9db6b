#!/bin/sh
# Builds the program and shows how far it is: build.sh ABOUT [arguments of cargo build]. ABOUT says how long that takes at most where
# nothing is compiled yet. In a terminal cargo draws its own bar; elsewhere each crate is a line with its number.
set -eu
cd "$(dirname "$0")/.."
about=$1
shift
cargo_command=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}

if [ ! -x "$target/debug/qingyu" ]; then
    echo "compiling Qingyu: $about on two cores, once" >&2
fi
if [ -t 2 ]; then
    exec "$cargo_command" build --locked "$@"
fi
packages=$("$cargo_command" tree --locked --edges normal,build --prefix none --format '{p}' "$@" 2>/dev/null | sort -u | wc -l)
# The status of the build, not of what numbers its lines.
status=$(mktemp)
trap 'rm -f "$status"' EXIT
{ "$cargo_command" build --locked "$@" 2>&1 && echo 0 >"$status" || echo $? >"$status"; } |
    awk -v packages="$packages" '
        /^ *Compiling / { printf "[%d/%d] %s %s\n", ++number, packages, $2, $3; fflush(); next }
        { print; fflush() }' >&2
exit "$(cat "$status")"

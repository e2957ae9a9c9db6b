#!/bin/sh
# The studio's pages: their lints and unit tests, what they weigh, and journeys in a real browser against a server with the
# offline model that has them inside. Installs packages into web/node_modules, and Chromium with a Chinese font where apt-get
# runs as root; with FETCH_ONLY=1 nothing else. Pictures of the screens go to docs/screens with SCREENS=1. Says aloud what it
# skips.
set -eu
cd "$(dirname "$0")/.."

skipped() {
    echo "SKIPPED: the studio's pages were not tested: $1" >&2
    exit 0
}
command -v npm >/dev/null 2>&1 || skipped "npm is missing"
browser=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$browser" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing chromium and a Chinese font" >&2
    { apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk; } >/dev/null 2>&1 || true
fi
[ -z "${FETCH_ONLY:-}" ] || exit 0
scripts/node-modules.sh || skipped "the packages of web/package-lock.json cannot be had"
# Types and lints keep one processor busy.
npm --prefix web run --silent lint &
lints=$!
status=0
npm --prefix web test --silent || status=$?
wait "$lints" || status=$?
[ "$status" = 0 ] || exit "$status"
REQUIRED=1 scripts/pages.sh

[ -x "$browser" ] || skipped "Chromium is missing (set CHROMIUM to its path)"
"${CARGO:-cargo}" build --locked --quiet ${CLI_BUILD:--p qingyu-cli}
QINGYU=${CARGO_TARGET_DIR:-$PWD/target}/debug/qingyu CHROMIUM=$browser npm --prefix web run --silent e2e

#!/bin/sh
# Builds the studio's pages into web/dist, from where the next build of the server takes them. What was built from the same
# sources stays, and is kept with the tools of this machine for its next checkout. Without Node 20 it says so and goes on: the
# server then shows how to get the pages. With REQUIRED=1 it fails.
set -eu
cd "$(dirname "$0")/.."
. scripts/outside/common.sh

lacking() {
    echo "$1; the studio's pages are not built" >&2
    [ -z "${REQUIRED:-}" ] || exit 1
    exit 0
}
command -v npm >/dev/null 2>&1 || lacking "npm is missing (install Node 20 or newer)"
node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
    lacking "Node $(node --version) is too old, 20.19 or newer is needed"

sources=$(find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' -not -path 'web/test-results/*' -not -path 'web/e2e/*' | LC_ALL=C sort | xargs cat | cksum)
made=.local/pages
if [ -f web/dist/index.html ] && [ "$(cat "$made" 2>/dev/null)" = "$sources" ]; then
    exit 0
fi
mkdir -p .local
kept=$tools/pages-$(echo "$sources" | tr ' ' '-')
if [ -f "$kept/index.html" ]; then
    rm -rf web/dist
    # The copies get new modification times, so that the next build of the server takes them in: another checkout may have compiled
    # older pages into the same target directory. KEEP_TIMES, which CI sets for a target directory of its own, keeps their times.
    cp -R ${KEEP_TIMES:+-p} "$kept" web/dist
    echo "$sources" >"$made"
    exit 0
fi
scripts/node-modules.sh || lacking "the packages of web/package-lock.json cannot be had"
npm --prefix web run --silent build >.local/pages.log 2>&1 || { cat .local/pages.log >&2; exit 1; }
tail -n 1 .local/pages.log
echo "$sources" >"$made"
# Whole or not at all: it is renamed when it is complete.
mkdir -p "$tools"
rm -rf "$tools"/pages-*
cp -Rp web/dist "$kept.new.$$" && mv "$kept.new.$$" "$kept"

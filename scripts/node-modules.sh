#!/bin/sh
# Installs what web/package-lock.json names into web/node_modules, once for each state of that file. The installed folder is
# kept with the other tools of this machine, so that the next checkout links its files instead of fetching them again.
set -eu
cd "$(dirname "$0")/.."
. scripts/outside/common.sh
locked=$(cksum <web/package-lock.json)
if [ -d web/node_modules ] && [ "$(cat web/node_modules/.locked 2>/dev/null)" = "$locked" ]; then
    exit 0
fi
kept=$tools/node-modules-$(echo "$locked" | tr ' ' '-')
rm -rf web/node_modules
if [ -d "$kept" ]; then
    cp -al "$kept" web/node_modules 2>/dev/null || { rm -rf web/node_modules; cp -a "$kept" web/node_modules; }
    exit 0
fi
npm --prefix web ci --silent --no-audit --no-fund --fetch-retries 2 >&2
echo "$locked" >web/node_modules/.locked
# Whole or not at all: it is renamed when it is complete.
mkdir -p "$tools"
rm -rf "$tools"/node-modules-*
cp -a web/node_modules "$kept.new.$$" && mv "$kept.new.$$" "$kept"

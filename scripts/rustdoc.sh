#!/bin/sh
# Stands in for rustdoc where `cargo test --doc` calls it for a crate (RUSTDOC=scripts/rustdoc.sh): writes the documentation of
# the crate, warnings refused, while its examples run. `cargo doc` would check every dependency once more before the first page.
set -eu

pages() {
    value=
    for argument in "$@"; do
        shift
        if [ -n "$value" ]; then
            value=
            continue
        fi
        case $argument in
        --test | --no-run | --nocapture) continue ;;
        --test-run-directory | --test-args | --test-runtool | --test-runtool-arg)
            value=1
            continue
            ;;
        esac
        set -- "$@" "$argument"
    done
    rustdoc "$@" --deny warnings --out-dir "${CARGO_TARGET_DIR:-target}/doc"
}

case " $* " in
*" --test "*)
    # Cargo calls for one crate after the other, and each of the two mostly keeps one processor busy.
    pages "$@" &
    written=$!
    status=0
    rustdoc "$@" || status=$?
    wait "$written" || status=$?
    exit "$status"
    ;;
esac
exec rustdoc "$@"

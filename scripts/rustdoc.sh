#!/bin/sh
# Stands in for rustdoc where `cargo test --doc` calls it for a crate (RUSTDOC=scripts/rustdoc.sh): writes the documentation of
# the crate, warnings refused, and then runs its examples. `cargo doc` would check every dependency once more before the first page.
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
*" --test "*) pages "$@" ;;
esac
exec rustdoc "$@"

#!/bin/sh
# Tries install.sh against releases that are made up here, from a folder and over HTTP, and looks whether the release workflow, the
# metadata of `cargo binstall` and the script name the same archives. Takes some seconds and needs no network but loopback.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
tried=0

wrong() {
    echo "install-test: $1" >&2
    [ ! -f "$work/told" ] || sed 's/^/  | /' "$work/told" >&2
    exit 1
}

# Makes a release VERSION of programs that print their version, one for each target that is named.
release() {
    version=$1
    shift
    printf '#!/bin/sh\necho "qingyu %s"\n' "$version" >"$work/program"
    rm -rf "$work/new"
    for target in "$@"; do
        sh scripts/release/pack.sh "$work/program" "$target" "$version" "$work/new" >/dev/null
    done
    (cd "$work/new" && sha256sum ./* | sed 's| \./| |' >SHA256SUMS)
    mkdir -p "$work/releases/download" "$work/releases/latest"
    rm -rf "$work/releases/latest/download"
    cp -r "$work/new" "$work/releases/latest/download"
    mv "$work/new" "$work/releases/download/v$version"
}

# A machine: `uname` and what else its programs say.
machine() {
    rm -rf "$work/machine"
    mkdir "$work/machine"
    # shellcheck disable=SC2016 # $1 is for the script that is written
    printf '#!/bin/sh\n[ "$1" = -s ] && echo "%s" || echo "%s"\n' "$1" "$2" >"$work/machine/uname"
    printf '#!/bin/sh\necho "%s"\n' "${3:-ldd (GNU libc) 2.36}" >"$work/machine/ldd"
    printf '#!/bin/sh\necho "%s"\n' "${4:-0}" >"$work/machine/sysctl"
    chmod +x "$work/machine"/*
}

# Runs install.sh on that machine in an empty environment, and keeps what it tells.
install() {
    tried=$((tried + 1))
    # shellcheck disable=SC2086 # several variables; a shell may have an argument
    env -i HOME="$work/home of mine" PATH="$work/machine:$PATH" ${VARIABLES:-A=a} $shell "$root/install.sh" "$@" >"$work/told" 2>&1
}

# The program that was put there is the one of this version, and nothing else is left beside it.
installed() {
    [ "$("$1/${3:-qingyu}" --version)" = "qingyu $2" ] || wrong "$1 has not the program of $2"
    [ "$(find "$1" -mindepth 1 | wc -l)" = 1 ] || wrong "something is left in $1"
}

refused() {
    said=$1
    shift
    if install "$@"; then wrong "not refused: $*"; fi
    grep -q -- "$said" "$work/told" || wrong "not told of: $said"
}

targets=$(sed -n 's/^ *target: \([a-z0-9_]*-.*\)$/\1/p' .github/workflows/release.yml | sort)
[ "$(echo "$targets" | wc -l)" = 6 ] || wrong "the workflow builds for other targets than six: $targets"

# shellcheck disable=SC2086 # one word for each target
release 0.1.0 $targets
release 0.2.0-rc.1 x86_64-unknown-linux-gnu
mv "$work/releases" "$work/made"

# Each shell that may be /bin/sh.
for shell in sh bash "busybox sh"; do
    command -v "${shell%% *}" >/dev/null 2>&1 || continue
    rm -rf "$work/releases" "$work/home of mine"
    cp -r "$work/made" "$work/releases"
    bin="$work/home of mine/.local/bin"

    machine Linux x86_64
    install --from "$work/releases" || wrong "the newest release"
    installed "$bin" 0.2.0-rc.1
    for said in "checksum fits" "is not in PATH"; do
        grep -q "$said" "$work/told" || wrong "it does not say: $said"
    done
    install --version v0.1.0 --from "$work/releases/" || wrong "an older release over a newer one"
    installed "$bin" 0.1.0
    grep -q "in the place of qingyu 0.2.0-rc.1" "$work/told" || wrong "it does not say what it replaces"
    VARIABLES="QINGYU_VERSION=0.1.0 QINGYU_RELEASES=$work/releases QINGYU_INSTALL_DIR=$work/by-variable"
    install || wrong "told by variables"
    VARIABLES=
    installed "$work/by-variable" 0.1.0
    rm -rf "$work/by-variable"

    for named in "Linux aarch64 aarch64-unknown-linux-gnu" "Darwin arm64 aarch64-apple-darwin" \
        "Darwin x86_64 x86_64-apple-darwin" "MINGW64_NT-10.0 x86_64 x86_64-pc-windows-msvc" \
        "MSYS_NT-10.0-ARM64 aarch64 aarch64-pc-windows-msvc"; do
        # shellcheck disable=SC2086 # three words
        set -- $named
        machine "$1" "$2"
        case $3 in *windows*) program=qingyu.exe ;; *) program=qingyu ;; esac
        if [ $program = qingyu.exe ] && ! command -v unzip >/dev/null 2>&1; then
            refused "unzip is missing" --from "$work/releases" --version 0.1.0
            continue
        fi
        install --from "$work/releases" --version 0.1.0 --to "$work/elsewhere" || wrong "$named"
        grep -q "fetching qingyu-v0.1.0-$3\." "$work/told" || wrong "the archive of another machine for $named"
        installed "$work/elsewhere" 0.1.0 $program
        rm -rf "$work/elsewhere"
    done
    machine Darwin x86_64 "" 1
    install --from "$work/releases" --version 0.1.0 --to "$work/elsewhere" || wrong "a translated shell"
    grep -q "fetching .*-aarch64-apple-darwin" "$work/told" || wrong "the slower program for a translated shell"
    rm -rf "$work/elsewhere"

    machine FreeBSD amd64
    refused "no release for FreeBSD" --from "$work/releases"
    machine Linux riscv64
    refused "no release for riscv64" --from "$work/releases"
    machine Linux x86_64 "musl libc (x86_64)"
    refused "this system has musl" --from "$work/releases"

    machine Linux x86_64
    refused "nobody has said where the releases are"
    refused "list of checksums cannot be had" --from "$work/releases" --version 9.9.9
    refused "is no version" --from "$work/releases" --version "../0.1.0"
    refused "no option --force" --force
    refused "needs a value" --to
    echo mine >"$work/a-file"
    refused "the folder cannot be made" --from "$work/releases" --to "$work/a-file/bin"
    newest=$work/releases/latest/download
    archive=qingyu-v0.2.0-rc.1-x86_64-unknown-linux-gnu.tar.gz
    cp "$newest/$archive" "$work/whole"
    echo more >>"$newest/$archive"
    refused "not the one that was released" --from "$work/releases"
    rm "$newest/$archive"
    refused "archive cannot be had" --from "$work/releases"
    cp "$work/whole" "$newest/$archive"
    cp "$newest/SHA256SUMS" "$work/sums"
    sed 's/x86_64/riscv64/' "$work/sums" >"$newest/SHA256SUMS"
    refused "no archive for x86_64-unknown-linux-gnu" --from "$work/releases"
    printf '#!/bin/sh\necho "needs a newer system" >&2\nexit 1\n' >"$work/program"
    sh scripts/release/pack.sh "$work/program" x86_64-unknown-linux-gnu 0.2.0-rc.1 "$newest" >/dev/null
    (cd "$newest" && sha256sum "$archive" >SHA256SUMS)
    refused "needs a newer system" --from "$work/releases"
    # After all of that, the program that was there is still there.
    installed "$bin" 0.1.0
done

# Over HTTP, with whichever of the two programs there is.
shell="sh"
rm -rf "$work/releases"
cp -r "$work/made" "$work/releases"
python3 -u -m http.server --bind 127.0.0.1 --directory "$work/releases" 0 >"$work/port" 2>/dev/null &
server=$!
address=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    address=$(sed -n 's|.*(\(http://[^/]*\)/).*|\1|p' "$work/port")
    [ -z "$address" ] || break
    sleep 0.1
done
[ -n "$address" ] || wrong "no server for the made-up releases"
install --from "$address" --to "$work/over-http" || wrong "over HTTP"
installed "$work/over-http" 0.2.0-rc.1
refused "list of checksums cannot be had: $address/download/v9.9.9/SHA256SUMS" --from "$address" --version 9.9.9

# `cargo binstall` looks for the archives that pack.sh makes.
manifest=crates/qingyu-cli/Cargo.toml
for target in $targets; do
    ending=tar.gz format=tgz
    case $target in *-windows-*) ending=zip format=zip ;; esac
    [ -f "$work/releases/download/v0.1.0/qingyu-v0.1.0-$target.$ending" ] || wrong "no archive for $target"
    if [ $format = zip ]; then
        grep -A 1 "binstall.overrides.$target\]" $manifest | grep -q 'pkg-fmt = "zip"' || wrong "$manifest: $target is no zip"
    fi
done
grep -q 'releases/download/v{ version }/qingyu-v{ version }-{ target }{ archive-suffix }"' $manifest || wrong "$manifest: pkg-url"
grep -q 'bin-dir = "qingyu-v{ version }-{ target }/{ bin }{ binary-ext }"' $manifest || wrong "$manifest: bin-dir"

if command -v shellcheck >/dev/null 2>&1; then
    shellcheck install.sh scripts/install-test.sh scripts/release/*.sh
else
    echo "SKIPPED: no lints of install.sh: shellcheck is missing" >&2
fi
echo "install.sh: $tried installations and refusals as they should be"

#!/bin/sh
# Installs the qingyu command from a release: finds the archive for this machine, checks it against the list of checksums, and puts
# the program into one folder. Nothing else is changed, and no root is needed.
#
#   sh install.sh [--version VERSION] [--to FOLDER] [--from ADDRESS]
#
# Each option can be given by a variable as well: QINGYU_VERSION (the newest release), QINGYU_INSTALL_DIR (~/.local/bin),
# QINGYU_RELEASES (where the releases are: an address, or a folder laid out like one).
set -eu

# The release workflow puts the address of its repository here.
releases='@RELEASES@'

usage() {
    cat <<'END'
Installs the qingyu command from a release.

usage: sh install.sh [--version VERSION] [--to FOLDER] [--from ADDRESS]

  --version VERSION  that release, such as 0.1.0; the newest without it (QINGYU_VERSION)
  --to FOLDER        where the program goes; ~/.local/bin without it (QINGYU_INSTALL_DIR)
  --from ADDRESS     where the releases are: an address, or a folder (QINGYU_RELEASES)

It needs curl or wget, tar (unzip on Windows), and sha256sum, shasum or openssl. To uninstall, delete the program;
your books are in the data folder that `qingyu config path` shows, and stay.
END
}

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "error: $1"
    shift
    for line in "$@"; do say "  $line"; done
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

main() {
    version=${QINGYU_VERSION:-}
    folder=${QINGYU_INSTALL_DIR:-}
    from=${QINGYU_RELEASES:-$releases}
    while [ $# -gt 0 ]; do
        case $1 in
        --version | --to | --from)
            [ $# -ge 2 ] || fail "$1 needs a value" "sh install.sh --help shows how it is used"
            case $1 in
            --version) version=$2 ;;
            --to) folder=$2 ;;
            --from) from=$2 ;;
            esac
            shift 2
            ;;
        -h | --help)
            usage
            return 0
            ;;
        *) fail "there is no option $1" "sh install.sh --help shows how it is used" ;;
        esac
    done
    version=${version#v}
    case $version in
    *[!0-9A-Za-z.+-]*) fail "$version is no version" "a version is written like 0.1.0" ;;
    esac
    case $from in
    '' | @*) fail "nobody has said where the releases are" "name the address or a folder: --from ADDRESS" ;;
    esac
    from=${from%/}
    if [ -z "$folder" ]; then
        [ -n "${HOME:-}" ] || fail "HOME is not set" "name a folder for the program: --to FOLDER"
        folder=$HOME/.local/bin
    fi
    case $folder in /*) ;; *) folder=$(pwd)/$folder ;; esac

    target=$(target_of_this_machine) || exit 1
    case $target in
    *-windows-*) ending=zip program=qingyu.exe ;;
    *) ending=tar.gz program=qingyu ;;
    esac
    [ $ending = tar.gz ] || has unzip || fail "unzip is missing, which unpacks the archive"
    [ $ending = zip ] || has tar || fail "tar is missing, which unpacks the archive"
    has sha256sum || has shasum || has openssl ||
        fail "nothing here computes SHA-256" "install sha256sum (coreutils), shasum (perl) or openssl"
    if [ -n "$version" ]; then at=$from/download/v$version; else at=$from/latest/download; fi

    work=$(mktemp -d) || fail "no temporary folder can be made"
    part=
    trap 'rm -rf "$work"; [ -z "$part" ] || rm -f "$part"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM

    say "looking for ${version:-the newest release} for $target at $from"
    get "$at/SHA256SUMS" "$work/SHA256SUMS" ||
        fail "the list of checksums cannot be had: $at/SHA256SUMS" "$(reason)" \
            "is there such a release, and does the network let you there?"
    archive=$(archive_in "$work/SHA256SUMS" "$target.$ending")
    [ -n "$archive" ] || fail "this release has no archive for $target" \
        "build it from the sources instead: cargo install --locked --path crates/qingyu-cli"
    wanted=$(sum_in "$work/SHA256SUMS" "$archive")
    say "fetching $archive"
    get "$at/$archive" "$work/$archive" || fail "the archive cannot be had: $at/$archive" "$(reason)"
    found=$(sha256 "$work/$archive")
    [ "$found" = "$wanted" ] || fail "the archive is not the one that was released; nothing was installed" \
        "expected SHA-256 $wanted" "found    SHA-256 $found" "try again; if it stays so, tell whoever published it"
    say "checksum fits: $found"

    name=${archive%".$ending"}
    case $ending in
    zip) unzip -q "$work/$archive" "$name/$program" -d "$work" ;;
    *) tar -xzf "$work/$archive" -C "$work" "$name/$program" ;;
    esac || fail "the archive cannot be unpacked: $archive"
    "$work/$name/$program" --version >"$work/version" 2>"$work/log" ||
        fail "the program does not start on this machine; nothing was installed" "$(head -n 3 "$work/log")" \
            "build it from the sources instead: cargo install --locked --path crates/qingyu-cli"

    mkdir -p "$folder" || fail "the folder cannot be made: $folder" "name another one: --to FOLDER"
    before=
    if [ -x "$folder/$program" ]; then before=$("$folder/$program" --version 2>/dev/null) || before="another one"; fi
    # Beside its place first: the program is there whole or not at all, and one that runs is not disturbed.
    part=$folder/.qingyu-install.$$
    { cp "$work/$name/$program" "$part" && chmod 755 "$part" && mv -f "$part" "$folder/$program"; } ||
        fail "the program cannot be written into $folder" "name another folder: --to FOLDER"
    part=
    say "installed $(head -n 1 "$work/version") as $folder/$program${before:+, in the place of $before}"
    tell_path "$folder" "$program"
}

# The name of the archive in the list for what its name ends with.
archive_in() {
    while read -r _ name; do
        name=${name#\*}
        case $name in
        */*) ;;
        qingyu-v*-"$2") printf '%s\n' "$name" && return ;;
        esac
    done <"$1"
}

# The checksum of an archive in the list, in small letters.
sum_in() {
    while read -r sum name; do
        if [ "${name#\*}" = "$2" ]; then printf '%s\n' "$sum" | tr 'A-F' 'a-f' && return; fi
    done <"$1"
}

sha256() {
    if has sha256sum; then
        sum=$(sha256sum <"$1")
    elif has shasum; then
        sum=$(shasum -a 256 <"$1")
    else
        sum=$(openssl dgst -sha256 -r <"$1")
    fi
    printf '%s\n' "${sum%% *}"
}

# Fetches an address, or copies a file, and keeps the reason when that fails.
get() {
    case $1 in
    *://*)
        if has curl; then
            # What is asked for by https is not redirected to anything less.
            case $1 in https://*) set -- "$1" "$2" --proto '=https' --tlsv1.2 ;; esac
            source=$1 into=$2
            shift 2
            curl -fsSL --retry 2 --connect-timeout 20 "$@" -o "$into" "$source" 2>"$work/log"
        elif has wget; then
            wget -q -O "$2" "$1" 2>"$work/log"
        else
            fail "neither curl nor wget is here" "install one of them"
        fi
        ;;
    *) cp "$1" "$2" 2>"$work/log" ;;
    esac
}

reason() { tail -n 1 "$work/log" 2>/dev/null || true; }

target_of_this_machine() {
    system=$(uname -s) machine=$(uname -m)
    case $system in
    Linux) rest=unknown-linux-gnu ;;
    Darwin) rest=apple-darwin ;;
    MINGW* | MSYS* | CYGWIN*) rest=pc-windows-msvc ;;
    *) fail "there is no release for $system" "build it from the sources: cargo install --locked --path crates/qingyu-cli" ;;
    esac
    case $machine in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64 | ARM64) machine=aarch64 ;;
    *) fail "there is no release for $machine" "build it from the sources: cargo install --locked --path crates/qingyu-cli" ;;
    esac
    # A shell that Rosetta translates calls an Apple processor x86_64.
    if [ "$system-$machine" = Darwin-x86_64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then
        machine=aarch64
    fi
    if [ "$system" = Linux ] && is_musl; then
        fail "the release needs glibc, and this system has musl (Alpine)" \
            "use the container image, or build it from the sources: cargo install --locked --path crates/qingyu-cli"
    fi
    printf '%s\n' "$machine-$rest"
}

is_musl() {
    case $(ldd --version 2>&1 || true) in
    *musl*) return 0 ;;
    *) return 1 ;;
    esac
}

# Says what is to be typed, and whether the shell finds this program under its name.
tell_path() {
    case :${PATH:-}: in
    *":$1:"*)
        first=$(command -v qingyu || true)
        if [ -n "$first" ] && [ "$first" != "$1/$2" ] && [ "$first" != "$1/qingyu" ]; then
            say "note: $first comes first in PATH; delete it, or call $1/$2"
        else
            say "begin with: qingyu doctor"
        fi
        ;;
    *)
        # shellcheck disable=SC2016 # the reader's shell fills in PATH
        say "$1 is not in PATH; add it to your shell's profile:" '' '  export PATH="'"$1"':$PATH"' ''
        say "begin with: $1/$2 doctor"
        ;;
    esac
}

main "$@"

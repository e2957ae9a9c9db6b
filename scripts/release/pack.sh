#!/bin/sh
# Packs a built program as a release has it: pack.sh PROGRAM TARGET VERSION FOLDER. Writes FOLDER/qingyu-vVERSION-TARGET.tar.gz, or
# .zip for Windows, with the program, the licences and the README in one folder, and prints the name of the archive.
set -eu
program=$1 target=$2 version=$3 folder=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
name=qingyu-v$version-$target
case $target in
*-windows-*) binary=qingyu.exe archive=$name.zip ;;
*) binary=qingyu archive=$name.tar.gz ;;
esac

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/$name"
cp "$program" "$stage/$name/$binary"
chmod 755 "$stage/$name/$binary"
for file in LICENSE-APACHE LICENSE-MIT README.md README.zh.md CHANGELOG.md; do
    cp "$root/$file" "$stage/$name/"
done
cd "$stage"
case $archive in
*.zip) "$(command -v python3 || command -v python)" -m zipfile -c "$archive" "$name" ;;
*) tar -czf "$archive" "$name" ;;
esac
mv "$archive" "$folder/$archive"
echo "$archive"

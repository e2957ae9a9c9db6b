#!/bin/sh
# Plays a sample book from its cassette: planned, written, checked, exported, edited by hand, corrected. No key, no network.
set -eu
cd "$(dirname "$0")/.."

book=${1:-zh}
case $book in
  zh) chapter=7 ;;
  en) chapter=4 ;;
  *) echo "there are two sample books: zh and en" >&2; exit 2 ;;
esac
home=.local/sample-$book
rm -rf "$home"
mkdir -p "$home/book"

say() {
  echo "\$ qingyu $*"
  ${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" "$@"
}

say replay "samples/$book/book.jsonl" --keep
project=$(${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" --json projects | sed -n 's/.*"project": *"\([^"]*\)".*/\1/p' | head -n 1)
say check "$project"
for format in md txt epub docx; do
  say export "$project" --format "$format" --output "$home/book/book.$format"
done
say edit "$project" "$chapter" --file "samples/$book/edit/0$chapter.md"
say check "$project"
found=$(${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" --json check "$project" | grep -c '"code": *"QY314"' || true)
[ "$found" -gt 0 ] || { echo "the edit was not noticed" >&2; exit 1; }
say correct "$project" --chapters "$chapter" --model "cassette:samples/$book/correction.jsonl" --yes
say check "$project"
left=$(${CARGO_TARGET_DIR:-target}/debug/qingyu --home "$home" --json check "$project" | grep -c '"code": *"QY314"' || true)
[ "$left" -eq 0 ] || { echo "the correction did not hold" >&2; exit 1; }

#!/usr/bin/env bash
# Makes what later builds must be able to open and finish: a data folder as this build leaves it, with a finished project, a
# run that waits at its review, a production that waits for its author, and a run that was killed half way; the same on
# PostgreSQL as SQL, if a server is there. Goes into crates/qingyu-studio/tests/golden/<version>.
#
# PROGRAM is the binary (target/debug/qingyu); VERSION the name of the folder (what the binary says).
set -euo pipefail
cd "$(dirname "$0")/../../.."

program=$(realpath "${PROGRAM:-${CARGO_TARGET_DIR:-target}/debug/qingyu}")
version=${VERSION:-$("$program" --version | awk '{print $2}')}
target=crates/qingyu-studio/tests/golden/$version
server=${QINGYU_ENDURANCE_POSTGRES:-postgresql://postgres@127.0.0.1:5432}
database=qingyu_golden
work=$(mktemp -d)
trap 'rm -rf "$work"; psql "$server/postgres" -qc "DROP DATABASE IF EXISTS $database WITH (FORCE)" 2>/dev/null || true' EXIT

# Nothing of whoever makes it gets in.
unset "${!QINGYU_@}"

cat > "$work/book.txt" <<'END'
第1章 来客

林深在旧港的雨里等了一夜。苏曼没有来。

第2章 芯片

天亮时，苏曼把一块芯片放在桌上，说：“它是我哥哥的。”

第3章 灯塔

灯塔的灯灭了三十年。林深推开门，里面坐着一个和他一样老的人。
END

# Everything that a home of an author has: made, imported, edited, taken back, branched, remembered.
fill() {
  local home=$1
  q() { "$program" --home "$home" --json "$@" 2>>"$work/told"; }
  q create "创作一部民国背景的侦探小说，三章，主角是私家侦探" --yes >/dev/null || [ $? -eq 3 ]
  local made
  made=$(q projects | python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["project"])')
  q write "$made" --chapters 1-2 --brief >/dev/null || [ $? -eq 3 ]
  q branch "$made" create "另一种结局" >/dev/null
  local book
  book=$(q import "$work/book.txt" --title "旧港" | python3 -c 'import json,sys; print(json.load(sys.stdin)["project"]["project"])')
  printf '林深在旧港的雨里等了一夜。苏曼来了，又走了。\n' | q edit "$book" 1 --file - >/dev/null
  printf '天亮了。\n' | q edit "$book" 2 --file - >/dev/null
  q undo "$book" >/dev/null
  q memory add "结尾要留白" >/dev/null
  q users add mei >/dev/null
  q produce new "为独立开发者写一门关于定价的短课程" >/dev/null || [ $? -eq 3 ]
  # Nothing is ever good enough for it, and so it asks.
  q create "写一个灯塔看守人的故事，三章" --set pipeline.thresholds.complete=101 --set pipeline.thresholds.human_below=101 \
    >/dev/null || [ $? -eq 3 ]
  kill_half_way "$home"
}

# A run that dies after its second agent has finished.
kill_half_way() {
  local home=$1 finished=0 line
  coproc RUN { exec "$program" --home "$home" create "A twelve chapter heist novel about a mapmaker" --events --yes 2>>"$work/told"; }
  local pid=$RUN_PID
  while read -r line <&"${RUN[0]}"; do
    case $line in *'"agent_finished"'*) finished=$((finished + 1)) ;; esac
    if [ "$finished" = 2 ]; then
      kill -9 "$pid"
      break
    fi
  done
  wait "$pid" 2>/dev/null || true
}

# What must be so whenever it is opened.
expect() {
  local home=$1 to=$2
  "$program" --home "$home" --json runs > "$work/runs.json"
  "$program" --home "$home" --json projects > "$work/projects.json"
  local project
  mkdir -p "$work/stories"
  rm -f "$work"/stories/*
  for project in $(python3 -c 'import json,sys; print(*[row["project"] for row in json.load(open(sys.argv[1]))])' "$work/projects.json"); do
    "$program" --home "$home" --json export-story "$project" > "$work/stories/$project.json"
  done
  python3 - "$work" "$to" <<'END'
import json, pathlib, sys
work, to = map(pathlib.Path, sys.argv[1:])
read = lambda path: json.loads(path.read_text())
runs = {row["run"]: {"project": row["project"], "status": row["status"]} for row in read(work / "runs.json")}
statuses = sorted(run["status"] for run in runs.values())
assert {"done", "waiting", "interrupted"} <= set(statuses), statuses
stories = {path.stem: read(path) for path in (work / "stories").iterdir()}
expected = {"runs": runs, "titles": {row["project"]: row["title"] for row in read(work / "projects.json")}, "stories": stories}
to.write_text(json.dumps(expected, ensure_ascii=False, sort_keys=True))
END
}

mkdir -p "$work/home" "$work/postgres"
printf '[models]\ndefault = "offline-rules-1"\nlocal = []\n' > "$work/home/config.toml"
fill "$work/home"
# As the kill left it: nobody opens it before it is packed.
cp -r "$work/home" "$work/packed"
rm -f "$work"/packed/*-shm
expect "$work/home" "$work/expected.json"

rm -rf "$target"
mkdir -p "$target"
pack() { python3 - "$@" <<'END'
import pathlib, sys, zipfile
folder, expected, to = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    archive.write(expected, "expected.json")
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        archive.write(path, f"home/{path.relative_to(folder)}")
END
}
pack "$work/packed" "$work/expected.json" "$target/sqlite.zip"

if psql "$server/postgres" -qc "DROP DATABASE IF EXISTS $database WITH (FORCE)" 2>/dev/null; then
  psql "$server/postgres" -qc "CREATE DATABASE $database"
  { cat "$work/home/config.toml"; printf '[storage]\nurl = "%s/%s"\nschema = "qingyu_golden_home"\n' "$server" "$database"; } > "$work/postgres/config.toml"
  fill "$work/postgres"
  mkdir "$work/dump"
  # Without what only psql understands; inserts are plain statements.
  pg_dump "$server/$database" --schema=qingyu_golden_home --no-owner --no-privileges --inserts | grep -v -e '^\\' -e '^CREATE SCHEMA' > "$work/dump/golden.sql"
  expect "$work/postgres" "$work/expected.json"
  pack "$work/dump" "$work/expected.json" "$target/postgres.zip"
fi
ls -l "$target"

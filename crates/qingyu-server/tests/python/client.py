"""The official Python client at our server: lists everything, calls every tool well and badly, in both generations.

Usage: client.py SERVER STORY.json
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters

# A call that each tool answers on any story, by the tool's first action that only reads.
GOOD = {
    "character_tool": {"action": "list"},
    "relationship_tool": {"action": "get_graph"},
    "timeline_tool": {"action": "get_timeline"},
    "worldview_tool": {"action": "list"},
}


async def visit(server: str, story: str, mode: str) -> None:
    parameters = StdioServerParameters(command=server, args=[story, "write", "en"])
    async with Client(parameters, mode=mode, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        assert len(tools) >= len(GOOD), tools
        for tool in tools:
            assert tool.description and tool.input_schema["type"] == "object", tool
            assert tool.annotations is not None and tool.annotations.destructive_hint is True, tool
            good = GOOD.get(tool.name)
            if good is None:
                # A tool that is newer than this table: its own schema says which actions there are.
                print(f"{mode}: {tool.name} is only called badly", file=sys.stderr)
            else:
                answer = await client.call_tool(tool.name, good)
                assert not answer.is_error and isinstance(answer.structured_content, dict), (tool.name, answer)
            answer = await client.call_tool(tool.name, {"action": 7, "no_such_argument": True})
            assert answer.is_error, (tool.name, answer)
            error = answer.structured_content["error"]
            assert error["code"] == "invalid_arguments" and error["path"].startswith("/"), error

        name = f"Ann {mode}"
        created = await client.call_tool("character_tool", {"action": "create", "character_data": {"name": name}})
        assert not created.is_error, created
        try:
            await client.call_tool("no_such_tool", {})
            raise AssertionError("an unknown tool answers")
        except MCPError as error:
            assert error.error.code == -32602, error

        resources = (await client.list_resources()).resources
        kinds = {str(resource.uri).split("/")[4] for resource in resources}
        assert {"story", "report", "characters", "documents"} <= kinds, kinds
        for resource in resources:
            contents = (await client.read_resource(str(resource.uri))).contents
            assert contents[0].text, resource
            if contents[0].mime_type == "application/json":
                json.loads(contents[0].text)
        assert any(name in resource.name for resource in resources), "the new card is listed"
        assert len((await client.list_resource_templates()).resource_templates) == 5

        prompts = (await client.list_prompts()).prompts
        filled = await client.get_prompt(prompts[0].name, {"name": name})
        assert name in filled.messages[0].content.text, filled
        print(f"{mode}: {len(tools)} tools, {len(resources)} resources, {len(prompts)} prompts")


async def main() -> None:
    for mode in ("legacy", "2026-07-28", "auto"):
        await visit(sys.argv[1], sys.argv[2], mode)


asyncio.run(main())

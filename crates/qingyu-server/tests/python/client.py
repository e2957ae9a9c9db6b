"""The official Python client at our server: lists everything, calls every tool well and badly, in both generations.

Usage: client.py SERVER STORY.json
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters

# A call of each tool that the story at hand answers, and that only reads.
GOOD = {
    "ask_facts": {},
    "character_tool": {"action": "list"},
    "check": {},
    "deep_research": {"query": "雨"},
    "document_tool": {"action": "list"},
    "encyclopedia_tool": {"action": "list"},
    "evaluate_content": {},
    "export_content": {"format": "json"},
    "generate_field": {"field_name": "outline"},
    "impact": {"target": "c-1"},
    "knowledge_graph_tool": {"action": "neighbours", "from": "c-1"},
    "outline_tool": {"action": "get"},
    "project_tool": {"action": "list"},
    "rag_tool": {"query": "雨"},
    "read_field": {"field_path": "outline"},
    "relationship_tool": {"action": "get_graph"},
    "simulate_consumer": {"persona": "Ann"},
    "statistics_tool": {},
    "story_tool": {"action": "overview"},
    "timeline_tool": {"action": "get_timeline"},
    "update_field": {"field_path": "outline", "new_content": "雨"},
    "web_search": {"query": "rain"},
    "workspace_context_tool": {"task_type": "continue_writing", "context_scope": "current_chapter"},
    "worldview_tool": {"action": "list"},
}


async def visit(server: str, story: str, mode: str) -> None:
    parameters = StdioServerParameters(command=server, args=[story, "write", "en"])
    async with Client(parameters, mode=mode, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        assert tools
        for tool in tools:
            assert tool.description and tool.input_schema["type"] == "object", tool
            hints = tool.annotations
            assert hints is not None and hints.destructive_hint is not hints.read_only_hint, tool
            assert tool.name in GOOD, f"{tool.name} is new: add a call of it to GOOD"
            answer = await client.call_tool(tool.name, GOOD[tool.name])
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

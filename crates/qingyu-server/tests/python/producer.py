"""A producer with the official Python client at our server over HTTP: begins a run, hears of it, answers it, looks at it.

Usage: producer.py URL
"""

import asyncio
import sys

from mcp import Client
from mcp.types import ElicitResult

PREMISE = "A short course on pricing for people who build software alone."


async def visit(url: str, mode: str) -> None:
    asked: list[str] = []
    news: list[str] = []

    async def answer(_, question) -> ElicitResult:
        """Confirms twice, and then would rather not say."""
        asked.append(question.message)
        if len(asked) > 2:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"advance": True})

    async def hear(_progress: float, _total: float | None, message: str | None) -> None:
        news.append(message or "")

    async with Client(url, mode=mode, elicitation_callback=answer, read_timeout_seconds=60) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        runs = {"start_run", "get_run", "answer_run", "cancel_run", "list_runs", "list_events"}
        assert runs | {"project_tool", "document_tool"} <= names, names
        assert any(prompt.name == "outline_agent_generate" for prompt in (await client.list_prompts()).prompts)

        arguments = {"kind": "produce", "requirement": PREMISE, "wait_seconds": 50}
        made = await client.call_tool("start_run", arguments, progress_callback=hear)
        run = made.structured_content
        assert not made.is_error and run["status"] == "waiting", made
        assert len(asked) == 3 and len(set(asked)) > 1, asked
        assert any("run started" in line for line in news), news

        listed = (await client.call_tool("list_runs", {"project_id": run["project"]})).structured_content
        assert [row["run"] for row in listed["runs"]] == [run["run"]], listed
        events = (await client.call_tool("list_events", {"run_id": run["run"]})).structured_content["events"]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1)), events
        order = {"answer": "order", "order": {"do": "say", "text": "Keep it short."}, "wait_seconds": 50}
        told = (await client.call_tool("answer_run", {"run_id": run["run"], **order})).structured_content
        assert told["run"] == run["run"], told
        unknown = await client.call_tool("get_run", {"run_id": "r-nobody"})
        assert unknown.is_error and unknown.structured_content["error"]["code"] == "unknown_run", unknown
        print(f"{mode}: {run['run']}")


async def main() -> None:
    for mode in ("legacy", "2026-07-28"):
        await visit(sys.argv[1], mode)


asyncio.run(main())

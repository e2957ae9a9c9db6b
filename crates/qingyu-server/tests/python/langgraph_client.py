"""The official client of LangGraph servers: a thread, a run that asks and is answered, streams, waits, refusals."""

import asyncio
import sys

import httpx
from langgraph_sdk import get_client


async def main(url):
    client = get_client(url=f"{url}/langgraph", api_key=None)
    names = [assistant["assistant_id"] for assistant in await client.assistants.search()]
    assert [name for name in names if name != "noop"] == ["create", "write", "task", "produce"], names

    said = {"messages": [{"role": "user", "content": "写一个灯塔看守人的故事"}]}
    seen, begun = [], []
    async for part in client.runs.stream(None, "create", input=said, stream_mode=["updates", "values"], on_run_created=begun.append):
        seen.append(part)
    events = [part.event for part in seen]
    assert events[0] == "metadata" and "updates" in events and events[-1] == "end", events
    values = [part.data for part in seen if part.event == "values"][-1]
    assert values["characters"] and values["run"] == seen[0].data["run_id"] == begun[0]["run_id"], values
    print("created:", len(seen))

    thread = await client.threads.create(metadata={"title": "课"})
    thread = thread["thread_id"]
    asked = await client.runs.wait(thread, "produce", input=said)
    assert asked["__interrupt__"][0]["value"]["asks"] == "turn", asked
    state = await client.threads.get_state(thread)
    assert state["next"] == ["human"] and state["interrupts"], state
    assert (await client.threads.get(thread))["status"] == "interrupted"
    run = asked["run"]
    resumed = [
        part
        async for part in client.runs.stream(
            thread, "produce", command={"resume": "写给夜里睡不着的人"}, stream_mode="custom"
        )
    ]
    kinds = [part.data["kind"] for part in resumed if part.event == "custom"]
    assert kinds[0] == "run_started" and kinds[-1] in ("waiting", "completed"), kinds
    print("asked and answered:", len(resumed))

    runs = await client.runs.list(thread)
    assert [row["run_id"] for row in runs] == [run], runs
    assert (await client.runs.get(thread, run))["status"] in ("interrupted", "success")
    joined = await client.runs.join(thread, run)
    assert joined["run"] == run, joined
    again = [part async for part in client.runs.join_stream(thread, run, stream_mode="custom", last_event_id="1")]
    seqs = [part.data["seq"] for part in again if part.event == "custom"]
    assert seqs == list(range(2, 2 + len(seqs))) and len(seqs) > len(resumed) - 3, seqs
    await client.runs.cancel(thread, run, wait=True)
    print("joined:", len(again))

    for call, status in [
        (client.threads.get("nowhere"), 404),
        (client.runs.wait(None, "nobody", input={}), 404),
        (client.runs.wait(None, "create", input=said, webhook="http://example.org"), 422),
        (client.threads.update(thread, metadata={"a": 1}), 422),
    ]:
        try:
            await call
            raise SystemExit(f"it was not refused with {status}")
        except Exception as error:
            found = getattr(error, "status_code", None) or error.response.status_code
            assert found == status, error
    print("refused: 4")


asyncio.run(main(sys.argv[1]))

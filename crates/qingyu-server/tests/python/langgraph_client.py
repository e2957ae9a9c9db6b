"""The official client of LangGraph servers: threads, a run that asks and is answered, streams, waits, refusals."""

import asyncio
import sys
import uuid

import httpx
from langgraph_sdk import get_client


async def main(url):
    client = get_client(url=f"{url}/langgraph", api_key=None)
    names = [assistant["assistant_id"] for assistant in await client.assistants.search()]
    assert [name for name in names if name != "noop"] == ["create", "write", "task", "produce"], names

    assert await client.assistants.count() == len(names)
    assert (await client.assistants.get_versions("create"))[0]["assistant_id"] == "create"
    assert await client.assistants.get_subgraphs("create") == {}
    nodes = [node["id"] for node in (await client.assistants.get_graph("create"))["nodes"]]
    assert "planner_agent" in nodes, nodes

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
    assert [(row["run_id"], row["assistant_id"]) for row in runs] == [(run, "produce")], runs
    assert (await client.runs.get(thread, run))["status"] in ("interrupted", "success")
    joined = await client.runs.join(thread, run)
    assert joined["run"] == run, joined
    again = [part async for part in client.runs.join_stream(thread, run, stream_mode="custom", last_event_id="1")]
    seqs = [part.data["seq"] for part in again if part.event == "custom"]
    assert seqs == list(range(2, 2 + len(seqs))) and len(seqs) > len(resumed) - 3, seqs
    await client.runs.cancel(thread, run, wait=True)
    print("joined:", len(again))

    for modes in ({}, {"stream_mode": ["values", "updates"]}, {"stream_mode": ["tasks", "debug", "events", "checkpoints"]}):
        parts = [part async for part in client.runs.join_stream(thread, run, **modes)]
        assert parts[0].event == "metadata" and parts[-1].event == "end" and len(parts) > 2, (modes, parts)

    own = str(uuid.uuid4())
    made = await client.threads.create(thread_id=own, metadata={"user": "anna", "title": "雾"}, graph_id="create")
    assert made["thread_id"] == own and made["metadata"]["user"] == "anna", made
    assert (await client.threads.create(thread_id=own, if_exists="do_nothing"))["thread_id"] == own
    found = await client.threads.search(metadata={"user": "anna"}, sort_by="created_at", sort_order="desc")
    assert [row["thread_id"] for row in found] == [own], found
    assert await client.threads.search(ids=["p-none"]) == []
    assert await client.threads.count(metadata={"user": "anna"}) == 1
    changed = await client.threads.update(own, metadata={"user": "ben", "title": "海"})
    assert (changed["metadata"]["user"], changed["metadata"]["title"]) == ("ben", "海"), changed
    said_en = {"messages": [{"role": "user", "content": "A lighthouse keeper and a letter"}]}
    new = str(uuid.uuid4())
    state = await client.runs.wait(new, "create", input=said_en, if_not_exists="create", metadata={"batch": 7})
    [row] = await client.runs.list(new)
    assert row["thread_id"] == new and row["metadata"]["batch"] == 7 and row["run_id"] == state["run"], row
    assert (await client.threads.get(new))["metadata"]["language"] == "en"
    now = await client.threads.get_state(new)
    assert now == await client.threads.get_state(new, checkpoint_id=row["run_id"]), now
    assert now == await client.threads.get_state(new, now["checkpoint"]), now
    assert [past["checkpoint"] for past in await client.threads.get_history(new, limit=1)] == [now["checkpoint"]]
    assert await client.threads.get_history(new, before=now["checkpoint"]) == []
    copied = await client.threads.copy(new)
    assert copied["thread_id"] != new and copied["metadata"]["language"] == "en", copied
    await client.threads.delete(new)
    assert new not in [row["thread_id"] for row in await client.threads.search(limit=100)]
    print("own threads:", own)

    stops = (await client.threads.create())["thread_id"]
    stopped = await client.runs.wait(stops, "create", input=said, interrupt_before=["review_agent"])
    assert stopped["breakpoint"]["before"] == ["review_agent"] and stopped["__interrupt__"] == [], stopped
    state = await client.threads.get_state(stops)
    assert state["next"] == ["review_agent"] and state["interrupts"] == [], state
    edited = await client.threads.update_state(stops, {"max_iterations": 0}, checkpoint_id=stopped["run"])
    assert edited["checkpoint"]["checkpoint_id"] == stopped["run"], edited
    ended = await client.runs.wait(stops, "create", input=None)
    assert ended["iteration_count"] == 0, ended
    assert ended["run"] == stopped["run"] and "breakpoint" not in ended, ended
    print("stopped and resumed:", ended["status"])

    for call, status in [
        (client.threads.get("nowhere"), 404),
        (client.threads.get(new), 404),
        (client.runs.wait(None, "nobody", input={}), 404),
        (client.runs.wait(None, "create", input=said, webhook="http://example.org"), 422),
        (client.threads.update_state(thread, {"dragon": "x"}), 422),
        (client.threads.update_state(stops, {"max_iterations": 1}, checkpoint_id="not-there"), 422),
        (client.runs.wait(thread, "task", input={}, checkpoint_id="not-there"), 422),
        (client.runs.wait(thread, "task", input={}, interrupt_before=["x"]), 422),
        (client.threads.create(thread_id=own), 409),
        (client.assistants.create("create", name="mine"), 422),
        (client.assistants.delete("create"), 422),
        (client.runs.create_batch([{"assistant_id": "create", "input": said}]), 404),
        (client.store.put_item(["a"], "k", {"v": 1}), 404),
    ]:
        try:
            await call
            raise SystemExit(f"it was not refused with {status}")
        except Exception as error:
            found = getattr(error, "status_code", None) or error.response.status_code
            assert found == status, error
    print("refused: 13")


asyncio.run(main(sys.argv[1]))

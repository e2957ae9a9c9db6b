"""The same ten nodes as ours: each adds one, notes its place, and waits if it is told to."""

import asyncio
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph

NODES = 10


class Counted(TypedDict, total=False):
    n: int
    pause_millis: int
    log: Annotated[list[int], operator.add]


def step(place: int):
    async def add_one(state: Counted) -> Counted:
        if state.get("pause_millis"):
            await asyncio.sleep(state["pause_millis"] / 1000)
        return {"n": state["n"] + 1, "log": [place]}

    return add_one


names = [f"step_{place}" for place in range(NODES)]
builder = StateGraph(Counted)
for place, name in enumerate(names):
    builder.add_node(name, step(place))
for before, after in zip([START, *names], [*names, END]):
    builder.add_edge(before, after)
graph = builder.compile()

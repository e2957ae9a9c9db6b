"""The work of bench/graph on LangGraph: one kind of work a call, one line of JSON on standard output.

`run.py` calls it with the Python of a virtual environment that has what `requirements.txt` names.
"""

import asyncio
import contextlib
import gc
import json
import operator
import os
import random
import resource
import sqlite3
import statistics
import sys
import time
import uuid
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

NODES, TURNS, TASKS, THREADS, MESSAGES = 10, 1000, 1000, 1000, 2000
STRETCH = 100


class Small(TypedDict):
    n: int
    title: str
    meta: dict


SMALL = {"n": 0, "title": "chapter 1", "meta": {"genre": "wuxia", "words": 3000}}


def count(small):
    return {"n": small["n"] + 1}


async def count_async(small):
    return {"n": small["n"] + 1}


def chain(saver, node=count):
    graph = StateGraph(Small)
    before = START
    for index in range(NODES):
        graph.add_node(f"n{index}", node)
        graph.add_edge(before, f"n{index}")
        before = f"n{index}"
    graph.add_edge(before, END)
    return graph.compile(checkpointer=saver)


def configured(limit=25):
    return {"configurable": {"thread_id": uuid.uuid4().hex}, "recursion_limit": limit}


@contextlib.contextmanager
def saver_in(place, target):
    """A saver whose tables are new; `target` is a folder or a connection string."""
    if place == "none":
        yield None
    elif place in ("sqlite-full", "sqlite-normal"):
        from langgraph.checkpoint.sqlite import SqliteSaver

        with contextlib.closing(sqlite3.connect(os.path.join(target, "langgraph.db"), check_same_thread=False)) as file:
            saver = SqliteSaver(file)
            saver.setup()
            file.execute(f"PRAGMA synchronous={'FULL' if place == 'sqlite-full' else 'NORMAL'}")
            yield saver
    elif place == "postgres":
        from langgraph.checkpoint.postgres import PostgresSaver

        with schema_in(target) as url, PostgresSaver.from_conn_string(url) as saver:
            saver.setup()
            yield saver
    else:
        raise SystemExit(f"there is no place called {place}")


@contextlib.contextmanager
def schema_in(url):
    """A schema of its own on the server, taken away again in the end."""
    import psycopg

    schema = f"langgraph_bench_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE SCHEMA {schema}")
        try:
            yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"
        finally:
            server.execute(f"DROP SCHEMA {schema} CASCADE")


def readings(work, count, together=1):
    """Microseconds of CPU and of wall time that `work` took, `count` times."""
    work()
    gc.collect()
    taken = []
    for _ in range(count):
        began, cpu = time.perf_counter(), time.process_time()
        for _ in range(together):
            work()
        ended = (time.process_time() - cpu, time.perf_counter() - began)
        taken.append(tuple(seconds * 1e6 / together for seconds in ended))
    return taken


def line_of(taken):
    cpus, walls = zip(*taken)
    return {"cpu_us": min(cpus), "wall_us": statistics.median(walls)}


def measure_chain(place, target=None):
    with saver_in(place, target) as saver:
        graph = chain(saver)
        settings = {} if saver is None else {"durability": "sync"}

        def run():
            assert graph.invoke(SMALL, configured(), **settings)["n"] == NODES

        return line_of(readings(run, 40, 2) if saver is None else readings(run, 40))


def measure_loop():
    graph = StateGraph(Small)
    graph.add_node("count", count)
    graph.add_edge(START, "count")
    graph.add_conditional_edges("count", lambda small: END if small["n"] >= TURNS else "count")
    graph = graph.compile()

    def run():
        assert graph.invoke(SMALL, configured(2 * TURNS))["n"] == TURNS

    return {key: value / TURNS for key, value in line_of(readings(run, 8)).items()}


def measure_fanout():
    class Fan(TypedDict):
        numbers: list
        doubled: Annotated[list, operator.add]
        total: int

    graph = StateGraph(Fan)
    graph.add_node("double", lambda number: {"doubled": [number * 2]})
    graph.add_node("add", lambda fan: {"total": sum(fan["doubled"])})
    graph.add_conditional_edges(START, lambda fan: [Send("double", number) for number in fan["numbers"]], ["double"])
    graph.add_edge("double", "add")
    graph.add_edge("add", END)
    graph = graph.compile()

    def run():
        fan = graph.invoke({"numbers": list(range(TASKS)), "doubled": []}, configured())
        assert fan["total"] == TASKS * (TASKS - 1)

    return line_of(readings(run, 10))


def measure_threads(folder):
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async def run():
        async with AsyncSqliteSaver.from_conn_string(os.path.join(folder, "langgraph.db")) as saver:
            await saver.setup()
            graph = chain(saver, count_async)
            await graph.ainvoke(SMALL, configured())
            began, cpu = time.perf_counter(), time.process_time()
            ended = await asyncio.gather(*(graph.ainvoke(SMALL, configured()) for _ in range(THREADS)))
            assert all(small["n"] == NODES for small in ended)
            return {"cpu_us": (time.process_time() - cpu) * 1e6, "wall_us": (time.perf_counter() - began) * 1e6}

    return asyncio.run(run()) | {"memory_mib": peak_memory()}


def measure_growth(place, target):
    """One message of 600 bytes a step; the default reducer for lists, which keeps the whole list at every step."""

    class Talk(TypedDict):
        messages: Annotated[list, operator.add]

    chance = random.Random(7)
    texts = ["".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(200)) for _ in range(512)]
    stamps = []

    def say(talk):
        stamps.append((time.perf_counter(), time.process_time()))
        return {"messages": [{"who": "user", "text": texts[len(talk["messages"]) % len(texts)]}]}

    with saver_in(place, target) as saver:
        graph = StateGraph(Talk)
        graph.add_node("say", say)
        graph.add_edge(START, "say")
        graph.add_conditional_edges("say", lambda talk: END if len(talk["messages"]) >= MESSAGES else "say")
        graph = graph.compile(checkpointer=saver)
        thread = configured(MESSAGES + 10)
        began, cpu = time.perf_counter(), time.process_time()
        talk = graph.invoke({"messages": []}, thread, durability="sync")
        line = {"cpu_us": (time.process_time() - cpu) * 1e6, "wall_us": (time.perf_counter() - began) * 1e6}
        assert len(talk["messages"]) == MESSAGES
        reads = readings(lambda: graph.get_state(thread), 5)
        stored = stored_in_sqlite(saver) if place.startswith("sqlite") else stored_in_postgres(saver)
    steps = [(later[0] - earlier[0], later[1] - earlier[1]) for earlier, later in zip(stamps, stamps[1:])]
    first_wall, first_cpu = (statistics.median(times) * 1e6 for times in zip(*steps[:STRETCH]))
    last_wall, last_cpu = (statistics.median(times) * 1e6 for times in zip(*steps[-STRETCH:]))
    return line | {
        "payload": MESSAGES * 600,
        "stored": stored,
        "first_wall_us": first_wall,
        "last_wall_us": last_wall,
        "pace": last_wall / first_wall,
        "cpu_pace": last_cpu / first_cpu,
        "read_us": min(wall for _, wall in reads),
    }


def stored_in_sqlite(saver):
    saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return os.path.getsize(saver.conn.execute("PRAGMA database_list").fetchone()[2])


def stored_in_postgres(saver):
    tables = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
    sizes = " + ".join(f"pg_total_relation_size('{table}')" for table in tables)
    with saver._cursor() as cursor:
        return cursor.execute(f"SELECT {sizes} AS bytes").fetchone()["bytes"]


def measure_startup():
    """What a process has used when its first chain has run: the imports above, compiling, one run."""
    chain(None).invoke(SMALL, configured())
    return {"cpu_us": time.process_time() * 1e6, "memory_mib": peak_memory()}


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


WORKS = {
    "chain": measure_chain,
    "loop": measure_loop,
    "fanout": measure_fanout,
    "threads": measure_threads,
    "growth": measure_growth,
    "startup": measure_startup,
}

if __name__ == "__main__":
    work, *words = sys.argv[1:]
    print(json.dumps(WORKS[work](*words)))

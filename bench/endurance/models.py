"""A provider of models that answers well, slowly, and counts what it was asked: OpenAI's protocol, on this machine."""

import asyncio
import contextlib
import json
import random
import re
from collections import Counter

from wire import GONE

# Stands in every requirement, so that a call tells of which run it is.
TAG = re.compile(r"〔([a-z0-9-]+)〕")
# The calls of a run that passes its first review, by what they are for.
PURPOSES = ("plan", "outline", "character", "plot", "judgement")


def settings(url: str, record: bool = False) -> str:
    """Names it `mine/writer`, beside the offline model."""
    return (
        f'[models]\ndefault = "offline-rules-1"\nlocal = []\n[cassettes]\nrecord = {str(record).lower()}\n'
        f'[providers.mine]\nbase_url = "{url}/v1"\nwire = "openai"\noutput = "json_schema"\nmax_tokens = 4096\n'
        'key_variable = "MINE_API_KEY"\n[retries]\nattempts = 3\nfirst_wait = 0.05\n'
        '[prices."mine/writer"]\ncurrency = "CNY"\ninput = 2\noutput = 8\n'
    )


# The key that the settings ask for; nobody checks it.
ENVIRONMENT = {"MINE_API_KEY": "sk-endurance"}


class Models:
    """Answers after a time between the two of `slow`, in seconds."""

    def __init__(self, slow: tuple[float, float], seed: int) -> None:
        self.slow, self.random = slow, random.Random(seed)
        # How often each run has asked for each purpose.
        self.asked: Counter[tuple[str, str]] = Counter()
        self.server: asyncio.Server | None = None
        self.url = ""

    async def start(self) -> None:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 24)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        self.server.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(*GONE):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = re.search(r"content-length: *(\d+)", head)
                body = await reader.readexactly(int(length[1])) if length else b"{}"
                answer, kind = self.answer(json.loads(body))
                await asyncio.sleep(self.random.uniform(*self.slow))
                lines = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(answer)}\r\n\r\n"
                writer.write(lines.encode() + answer)
                await writer.drain()
        writer.close()

    def answer(self, asked: dict) -> tuple[bytes, str]:
        schema = asked["response_format"]["json_schema"]["name"].lower()
        purpose = next(purpose for purpose in PURPOSES if purpose in schema)
        found = TAG.search(json.dumps(asked["messages"], ensure_ascii=False))
        self.asked[found[1] if found else "", purpose] += 1
        text = json.dumps(ANSWERS[purpose], ensure_ascii=False)
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        about = {"id": "chatcmpl-1", "model": asked["model"]}
        if not asked.get("stream"):
            message = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            whole = about | {"object": "chat.completion", "choices": [message], "usage": usage}
            return json.dumps(whole, ensure_ascii=False).encode(), "application/json"
        about["object"] = "chat.completion.chunk"
        deltas = [({"role": "assistant", "content": text}, None), ({}, "stop")]
        frames = [about | {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]} for delta, end in deltas]
        frames.append(about | {"choices": [], "usage": usage})
        lines = [f"data: {json.dumps(frame, ensure_ascii=False)}\n\n" for frame in frames]
        return "".join([*lines, "data: [DONE]\n\n"]).encode(), "text/event-stream"

    def repeated(self, tag: str) -> int:
        """How many calls of a run were made more often than once."""
        return sum(count - 1 for (of, _), count in self.asked.items() if of == tag)

    def purposes(self, tag: str) -> set[str]:
        return {purpose for of, purpose in self.asked if of == tag}


def step(number: int, agent: str, dependencies: list[int]) -> dict:
    return {
        "step_id": number,
        "agent": f"{agent}_agent",
        "task_description": f"任务{number}",
        "dependencies": dependencies,
        "estimated_tokens": 2000,
    }


def chapter(order: int, name: str, description: str) -> dict:
    return {
        "order": order,
        "name": name,
        "kind": "chapter",
        "description": description,
        "goal": "推进调查",
        "participants": ["林深", "苏曼"],
    }


def card(name: str, role: str) -> dict:
    return {
        "name": name,
        "role_type": role,
        "occupation": "侦探",
        "traits": ["冷静", "固执"],
        "weakness": "不肯求人",
        "personality": "先看手再看脸",
        "background": "当过港务警察",
        "goals": "找到真相",
        "conflicts": "真相会毁掉委托人",
        "arc": "学会信任",
    }


def event(title: str, timestamp: str, node: str) -> dict:
    both = ["林深", "苏曼"]
    about = {"title": title, "description": "林深与苏曼见面", "timestamp": timestamp}
    return about | {"participants": both, "importance": 6, "outline_node": node}


def turn(title: str, kind: str, node: str, of: str) -> dict:
    return {"title": title, "description": "信任出现裂痕", "kind": kind, "outline_node": node, "events": [of]}


ONE, TWO = "第一章 雨夜来客", "第二章 旧港"
ANSWERS = {
    "plan": {
        "requirement_analysis": {
            "type": "new_creation",
            "complexity": "medium",
            "required_capabilities": ["outline"],
        },
        "execution_plan": {
            "steps": [
                step(1, "outline", []),
                step(2, "character", [1]),
                step(3, "plot", [1, 2]),
                step(4, "review", [1, 2, 3]),
            ]
        },
        "reasoning": ["先有大纲"],
    },
    "outline": {
        "outline_nodes": [
            chapter(1, ONE, "苏曼带着一块芯片找到林深，请他寻找失踪的哥哥。"),
            chapter(2, TWO, "林深黑进港务系统，发现苏曼隐瞒了芯片的来历。"),
        ],
        "outline_summary": "一块芯片引出一桩失踪案",
        "reasoning": ["两章足够"],
    },
    "character": {
        "characters": [card("林深", "protagonist"), card("苏曼", "supporting")],
        "character_relations": [
            {"from": "林深", "to": "苏曼", "type": "ally", "strength": 0.6, "description": "互相提防的搭档"}
        ],
        "character_summary": "两个不说真话的人",
    },
    "plot": {
        "timeline_events": [event("委托", "第1天", ONE), event("识破", "第3天", TWO)],
        "plot_nodes": [
            turn("一块芯片", "conflict", ONE, "委托"),
            turn("谎言败露", "climax", TWO, "识破"),
            turn("和解", "resolution", TWO, "识破"),
        ],
        "plot_summary": "从委托到识破",
    },
    "judgement": {"quality_score": 90, "issues": [], "reasoning_chain": ["读过了"]},
}

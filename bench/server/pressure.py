"""A server under all of what is heavy at once, and whether it still says at once that it lives.

A thousand connections that ask nothing, 200 runs begun at once, and checks of a chapter of the greatest size that a server
takes. Meanwhile `/livez` is asked on a connection of its own.
"""

import asyncio
import base64
import contextlib
import json
import time

from load import Connection, Target
from table import NAMES, NotMeasured, Results

SILENT = 1000
RUNS = 200
# A chapter of so many MiB; in base64 and JSON just below the 64 MiB that a manuscript may have.
CHAPTER_MIB = 47
CHECKS = 2
# How often `/livez` is asked, in seconds.
PULSE = 0.02
# How long all of it may take, in seconds.
LIMIT = 600
# The slowest answer but one in a hundred that is allowed, in milliseconds, and the memory: the `MemoryMax` of the deployment, in MiB.
P99 = 100
MEMORY = 2048


async def pressure(target: Target) -> dict:
    """The slowest answers of `/livez` in milliseconds, and how long the runs and the checks took, in seconds."""
    project, importing = await largest_chapter(target)
    silent = [await asyncio.open_connection("127.0.0.1", target.port) for _ in range(SILENT)]
    answers: list[float] = []
    pulse = asyncio.create_task(live(target, answers))
    try:
        began = time.perf_counter()
        checks = [asyncio.create_task(check(target, project)) for _ in range(CHECKS)]
        await asyncio.wait_for(asyncio.gather(*(start(target, number) for number in range(RUNS))), LIMIT)
        await asyncio.wait_for(ended(target), LIMIT)
        runs = time.perf_counter() - began
        await asyncio.wait_for(asyncio.gather(*checks), LIMIT)
        checked = time.perf_counter() - began
    finally:
        pulse.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await pulse
        for _, writer in silent:
            writer.close()
    answers.sort()
    p99 = answers[min(len(answers) - 1, int(0.99 * len(answers)))]
    return {
        "asked": len(answers),
        "p50": answers[len(answers) // 2] * 1e3,
        "p99": p99 * 1e3,
        "worst": answers[-1] * 1e3,
        "import": importing,
        "runs": runs,
        "checked": checked,
    }


async def largest_chapter(target: Target) -> tuple[str, float]:
    """Imports a manuscript that is one chapter of ordinary paragraphs; returns its project and how long that took."""
    paragraph = "林深推开灯塔的门，看见桌上放着一封信。“谁来过？”他问。没有人回答，只有海风从窗缝里吹进来，把信纸翻过一页。\n\n"
    text = "第一章 来信\n\n" + paragraph * (CHAPTER_MIB * 2**20 // len(paragraph.encode()))
    request = {"name": "largest.txt", "bytes": base64.b64encode(text.encode()).decode()}
    connection, began = Connection(target.port), time.perf_counter()
    answer = json.loads(await connection.ask("POST", "/api/v1/manuscripts", {"request": request}))
    connection.close()
    return answer["project"]["project"], time.perf_counter() - began


async def check(target: Target, project: str) -> None:
    connection = Connection(target.port)
    await connection.ask("GET", f"/api/v1/projects/{project}/check")
    connection.close()


async def start(target: Target, number: int) -> None:
    connection = Connection(target.port)
    order = {"kind": "create", "requirement": f"一个灯塔看守人收到自己三十年前寄出的第{number + 1}封信"}
    await connection.ask("POST", "/api/v1/runs", {"start": order})
    connection.close()


async def ended(target: Target) -> None:
    """Returns when no run is at work any more."""
    connection = Connection(target.port)
    while running := len(json.loads(await connection.ask("GET", f"/api/v1/runs?open=true&limit={RUNS}"))):
        await asyncio.sleep(min(1.0, 0.01 * running))
    connection.close()


async def live(target: Target, answers: list[float]) -> None:
    connection = Connection(target.port)
    while True:
        began = time.perf_counter()
        await connection.ask("GET", "/livez")
        answers.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.0, PULSE - answers[-1]))


def table(results: Results) -> str:
    lines = ["| server | `/livez`: p50, p99, worst (ms) | memory at most (MiB) | runs done, chapter checked (s) | verdict |", "|---|---|--:|---|---|"]
    for server in ("sqlite", "postgres"):
        try:
            p50, p99, worst, peak, runs, checked = (
                results.middle("pressure", server, key) for key in ("p50", "p99", "worst", "peak", "runs", "checked")
            )
            verdict = "met" if p99 < P99 and peak < MEMORY else "**missed**"
            shown = f"{p50:.1f}, {p99:.1f}, {worst:.1f} | {peak:.0f} | {runs:.1f}, {checked:.1f} | {verdict}"
        except NotMeasured as why:
            shown = f" | | | not measured: {why}"
        lines.append(f"| {NAMES[server]} | {shown} |")
    return "\n".join(lines)

"""What was acknowledged, and whether it is there."""

import json
import zlib
from collections import Counter
from dataclasses import dataclass, field

from clients import Client
from models import PURPOSES, TAG, Models


def digest(value: object) -> int:
    return zlib.crc32(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


@dataclass
class RunBook:
    """A run as its author was told of it."""

    tag: str
    seen: dict[int, int] = field(default_factory=dict)
    # How it must stand in the end.
    ends: set[str] = field(default_factory=lambda: {"done"})

    @property
    def last(self) -> int:
        return max(self.seen, default=0)


@dataclass
class ChapterBook:
    """A chapter: for each version that was acknowledged the digest of its text, and the same for each change."""

    acknowledged: dict[int, int] = field(default_factory=dict)
    changes: dict[int, int] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return max(self.acknowledged, default=0)


class Ledger:
    def __init__(self) -> None:
        self.projects: dict[str, str] = {}
        self.runs: dict[str, RunBook] = {}
        self.chapters: dict[tuple[str, int], ChapterBook] = {}
        # The words of each memory; None when it was forgotten.
        self.memories: dict[str, str | None] = {}
        # Memories of which nobody knows whether they are forgotten.
        self.unsure: set[str] = set()
        # What was acknowledged since it was looked for last.
        self.recent: list[tuple[str, object]] = []
        self.acknowledged = 0

    def note(self, kind: str, name: object) -> None:
        self.acknowledged += 1
        self.recent.append((kind, name))

    def project(self, title: str, project: str) -> None:
        self.projects[project] = title
        self.note("project", project)

    def run(self, run: str, tag: str, ends: set[str]) -> RunBook:
        self.runs[run] = RunBook(tag, ends=ends)
        self.note("run", run)
        return self.runs[run]

    def edited(self, place: tuple[str, int], version: int, change: int | None, text: str) -> None:
        book = self.chapters[place]
        book.acknowledged[version] = digest(text)
        if change is not None:
            book.changes[change] = digest(text)
        self.note("chapter", place)

    def remembered(self, memory: str, text: str | None) -> None:
        self.memories[memory] = text
        self.note("memory", memory)


class Checker:
    """Looks for what was acknowledged, and says what is wrong."""

    def __init__(self, ledger: Ledger, client: Client, models: Models) -> None:
        self.ledger, self.client, self.models = ledger, client, models
        self.lost: list[str] = []
        self.doubled: list[str] = []
        # What a request made twice although both times it came under one `Idempotency-Key`.
        self.made_twice: list[str] = []
        self.looked = 0

    async def get(self, path: str) -> object:
        """None if it is not there."""
        answer = await self.client.ask("check", "GET", path)
        return answer.json if answer.status == 200 else None

    async def recent(self) -> None:
        """What was acknowledged since the last time. Nobody else asks for anything meanwhile."""
        recent, self.ledger.recent = self.ledger.recent, []
        self.client.site.gate.clear()
        try:
            for kind, name in dict.fromkeys(recent):
                await getattr(self, kind)(name)
        finally:
            self.client.site.gate.set()

    async def project(self, project: str) -> None:
        self.looked += 1
        row = await self.get(f"/projects/{project}/summary")
        if row is None or row["title"] != self.ledger.projects[project]:
            self.lost.append(f"project {project}")

    async def run(self, run: str) -> None:
        self.looked += 1
        if await self.get(f"/runs/{run}") is None:
            self.lost.append(f"run {run}")

    async def chapter(self, place: tuple[str, int]) -> None:
        self.looked += 1
        (project, number), book = place, self.ledger.chapters[place]
        # Others write meanwhile: what was there before is compared.
        version, text = book.last, book.acknowledged[book.last]
        found = await self.get(f"/projects/{project}/chapters/{number}/text")
        if found is None or found["version"] < version:
            self.lost.append(f"version {version} of chapter {number} of {project}")
        elif found["version"] == version and digest(found["text"]) != text:
            self.lost.append(f"the text of version {version} of chapter {number} of {project}")

    async def memory(self, memory: str) -> None:
        self.looked += 1
        words = self.ledger.memories[memory]
        if words is None or memory in self.ledger.unsure:
            return
        rows = await self.get("/memories?words=" + words.split()[-1])
        if rows is None or all(row["id"] != memory or row["text"] != words for row in rows):
            self.lost.append(f"memory {memory}")

    @property
    def problems(self) -> list[str]:
        named = {"lost": self.lost, "doubled": self.doubled, "made twice under one key": self.made_twice}
        return [f"{name}: {problem}" for name, problems in named.items() for problem in problems]

    async def all(self) -> None:
        """Everything, when nobody writes any more."""
        self.ledger.recent.clear()
        await self.all_projects()
        await self.all_runs()
        for place in self.ledger.chapters:
            await self.versions(place)
        rows = {row["id"]: row["text"] for row in await self.get("/memories")}
        for memory, text in self.ledger.memories.items():
            self.looked += 1
            if memory in self.ledger.unsure:
                continue
            if rows.get(memory) != text:
                self.lost.append(f"memory {memory}: {rows.get(memory)!r} instead of {text!r}")

    async def all_projects(self) -> None:
        rows = await self.get("/projects")
        titles = Counter(row["title"] for row in rows)
        there = {row["project"]: row["title"] for row in rows}
        for project, title in self.ledger.projects.items():
            self.looked += 1
            if there.get(project) != title:
                self.lost.append(f"project {project}")
            if titles[title] > 1:
                self.made_twice.append(f"project {title}")

    async def all_runs(self) -> None:
        rows = await self.get("/runs")
        there = {row["run"]: row for row in rows}
        tags = Counter(TAG.search(row["requirement"])[1] for row in rows)
        for run, book in self.ledger.runs.items():
            self.looked += 1
            if run not in there:
                self.lost.append(f"run {run}")
                continue
            if tags[book.tag] > 1:
                self.made_twice.append(f"run {run} ({book.tag})")
            # An answer that could not be stored is asked for again, and the provider charges for both.
            paid, asked = there[run]["usage"]["calls"], len(PURPOSES) + self.models.repeated(book.tag)
            is_done = book.tag.startswith("run-") and there[run]["status"] == "done"
            if is_done and not len(PURPOSES) <= paid <= asked:
                self.doubled.append(f"run {run} ({book.tag}) has paid for {paid} calls; the provider answered {asked}")
            if there[run]["status"] not in book.ends:
                self.lost.append(f"run {run} ({book.tag}) is {there[run]['status']}, not {sorted(book.ends)}")
            await self.log(run, book)

    async def log(self, run: str, book: RunBook) -> None:
        """The log has no gap, and is what was told."""
        events: list[dict] = []
        while page := await self.get(f"/runs/{run}/log?after={len(events)}"):
            events += page
        numbers = [event["seq"] for event in events]
        if numbers != list(range(1, len(events) + 1)):
            self.lost.append(f"the log of {run} is {numbers}")
        kept = {event["seq"]: digest(event) for event in events}
        for number, told in book.seen.items():
            if kept.get(number) != told:
                self.lost.append(f"event {number} of {run} is not what was told")
        saved = [(event["agent"], event["version"]) for event in events if event["kind"] == "saved"]
        if len(saved) != len(set(saved)):
            self.doubled.append(f"{run} saved something twice: {saved}")

    async def versions(self, place: tuple[str, int]) -> None:
        (project, number), book = place, self.ledger.chapters[place]
        chapter = await self.get(f"/projects/{project}/chapters/{number}/text")
        found = await self.get(f"/projects/{project}/documents/{chapter['id']}/versions") if chapter else None
        self.looked += len(book.acknowledged)
        if found is None:
            self.lost.append(f"chapter {number} of {project}")
            return
        # In order; each names the change of the project that made it.
        items = sorted(found["data"]["items"], key=lambda item: item["made"]["version"])
        texts = [digest(item["text"]) for item in items]
        if len(texts) != chapter["version"]:
            self.doubled.append(f"{place} has {len(texts)} texts and the version {chapter['version']}")
        for version, text in book.acknowledged.items():
            if version > len(texts) or texts[version - 1] != text:
                self.lost.append(f"version {version} of chapter {number} of {project}")
        there = {item["made"]["version"]: text for item, text in zip(items, texts)}
        for change, text in book.changes.items():
            if there.get(change) != text:
                self.lost.append(f"change {change} of chapter {number} of {project}")

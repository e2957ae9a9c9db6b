"""The load: authors who begin, write, follow, answer, stop and search, each one thing after the other."""

import asyncio
import base64
import itertools
import random
import traceback
import uuid
from dataclasses import dataclass

from clients import PAUSE, Client, Site, Unknown
from ledger import ChapterBook, Ledger, RunBook, digest

WRITER = "mine/writer"
# Whoever is never told "it is good enough" asks the author.
ASKING = {"pipeline": {"thresholds": {"complete": 101, "human_below": 101}}}
CHAPTERS = 5
# How many lines a chapter has at most, beside those it began with.
LINES = 12
# After how many edits an author begins another book, so that no book grows for ever.
EDITS = 400


@dataclass
class Pace:
    """How many authors of each kind there are, and between which two times each of them rests, in seconds."""

    authors: dict[str, int]
    rest: tuple[float, float]
    # How long a run may take to come to its end once nobody is killed any more.
    calm: float = 60.0


class Load:
    def __init__(self, site: Site, ledger: Ledger, pace: Pace, seed: int, is_healing: bool = False) -> None:
        self.site, self.ledger, self.pace = site, ledger, pace
        # Whether authors go on with runs that have failed, since it is the disk that fails.
        self.is_healing = is_healing
        self.random = random.Random(seed)
        # Tags of this load are nobody else's, whatever is in the database.
        self.name = uuid.UUID(int=self.random.getrandbits(128)).hex[:6]
        self.numbers = itertools.count()
        self.is_over = False
        self.tasks: list[asyncio.Task] = []
        self.doing: dict[str, str] = {}
        self.books: list[str] = []

    def begin(self) -> None:
        for kind, count in self.pace.authors.items():
            for number in range(count):
                self.tasks.append(asyncio.create_task(self.author(kind, number)))

    async def author(self, kind: str, number: int) -> None:
        client = Client(self.site)
        name = f"{kind} {number}"
        await asyncio.sleep(self.random.uniform(0, self.pace.rest[1]))
        while not self.is_over:
            try:
                self.doing[name] = "works"
                await getattr(self, kind)(client)
            except Unknown:
                # Nobody has promised anything.
                pass
            except Exception:
                self.site.must(False, f"{name}: {traceback.format_exc(limit=-4)}")
            self.doing[name] = "rests"
            await asyncio.sleep(self.random.uniform(*self.pace.rest))
        del self.doing[name]
        client.close()

    async def finish(self) -> None:
        """Nobody begins anything any more; fails if what was begun does not end."""
        self.is_over = True
        done, late = await asyncio.wait(self.tasks, timeout=self.pace.calm + self.pace.rest[1])
        for task in late:
            task.cancel()
        self.site.must(not late, f"does not end within {self.pace.calm:.0f} s of calm: {self.doing}")

    def tag(self, kind: str) -> str:
        return f"{kind}-{self.name}-{next(self.numbers)}"

    # What authors do.

    async def project(self, client: Client) -> None:
        title = self.tag("project")
        body = {"title": title, "premise": "一个灯塔看守人", "language": "zh"}
        answer = await client.ask("begin", "POST", "/projects", body, key=title)
        if answer.status == 200:
            self.ledger.project(title, answer.json["project"])

    async def chapters(self, client: Client) -> None:
        """Edits a chapter of a book that others edit as well."""
        if not self.books or self.random.random() < 1 / EDITS:
            await self.import_book(client)
            return
        # Rather a new book than an old one.
        project = self.random.choice(self.books[-2:])
        number = self.random.randint(1, CHAPTERS)
        place = (project, number)
        before = self.ledger.chapters[place].last
        path = f"/projects/{project}/chapters/{number}/text"
        found = (await client.ask("read", "GET", path)).json
        version, text = found["version"], found["text"]
        self.site.must(version >= before, f"{place}: version {version} is read after {before} was acknowledged")
        lines = text.split("\n")
        mark = f"林深记下了第{next(self.numbers)}号线索，{self.tag('mark')}。"
        lines = lines[: -LINES // 2] + [mark] if len(lines) > 20 + LINES else lines + [mark]
        await self.edit(client, place, "\n".join(lines), version)

    async def edit(self, client: Client, place: tuple[str, int], text: str, version: int) -> None:
        (project, number) = place
        path = f"/projects/{project}/chapters/{number}/text"
        body = {"text": text, "expected": version}
        while True:
            try:
                answer = await client.once("edit", "PUT", path, body, None)
            except Unknown:
                answer = None
            if answer is not None and answer.status == 200:
                edited = answer.json
                known = self.ledger.chapters[place].acknowledged.get(edited["version"])
                is_new = known is None or known == digest(text)
                self.site.must(is_new, f"{place}: version {edited['version']} was given twice")
                self.ledger.edited(place, edited["version"], edited["change"], text)
                return
            if answer is not None and (answer.status, answer.code) not in self.site.passing | {
                (409, "chapter_changed")
            }:
                return
            # What has become of it stands there.
            found = (await client.ask("read", "GET", path)).json
            if found["text"] == text:
                self.ledger.edited(place, found["version"], None, text)
                return
            if found["version"] != version:
                return
            await asyncio.sleep(PAUSE)

    async def import_book(self, client: Client) -> None:
        tag = self.tag("book")
        rain = lambda chapter: "\n".join(f"林深在雨里走了第{day}天，苏曼没有来。" for day in range(chapter, 20))
        text = "\n\n".join(f"第{number}章 雨夜{number}\n\n{rain(number)}" for number in range(1, CHAPTERS + 1))
        file = base64.b64encode(f"{text}\n{tag}".encode()).decode()
        body = {"request": {"name": f"{tag}.txt", "title": tag, "bytes": file}}
        answer = await client.ask("import", "POST", "/manuscripts", body, key=tag)
        if answer.status != 200:
            return
        project = answer.json["project"]["project"]
        self.ledger.project(tag, project)
        for number in range(1, CHAPTERS + 1):
            found = await client.ask("read", "GET", f"/projects/{project}/chapters/{number}/text")
            book = ChapterBook()
            book.acknowledged[found.json["version"]] = digest(found.json["text"])
            self.ledger.chapters[project, number] = book
        self.books.append(project)

    async def start(self, client: Client, tag: str, ends: set[str], **order: object) -> str | None:
        # As many chapters as the provider's outline has (`ANSWERS` of models.py): with another count the run waits for its author.
        requirement = f"创作一部赛博朋克背景的侦探小说，两章，主角是私家侦探〔{tag}〕"
        start = {"kind": "create", "requirement": requirement, "title": tag} | order
        answer = await client.ask("start", "POST", "/runs", {"start": start}, key=tag)
        if answer.status != 201:
            return None
        self.ledger.run(answer.json["run"], tag, ends)
        return answer.json["run"]

    async def drafts(self, client: Client) -> None:
        """A run with the offline model, from its beginning to its end."""
        if run := await self.start(client, self.tag("draft"), {"done", "waiting"}):
            await self.follow(client, run)

    async def runs(self, client: Client) -> None:
        """A run whose model takes its time."""
        if run := await self.start(client, self.tag("run"), {"done"}, model=WRITER):
            await self.follow(client, run)

    async def cancels(self, client: Client) -> None:
        run = await self.start(client, self.tag("stopped"), {"done", "interrupted"}, model=WRITER)
        if run is None:
            return
        await asyncio.sleep(self.random.uniform(0, 1))
        answer = await client.ask("cancel", "POST", f"/runs/{run}/cancel", {})
        if answer.status != 200:
            return
        status = await self.follow(client, run, {"done", "interrupted"})
        if status == "interrupted" and self.random.random() < 0.5:
            key = self.tag("again")
            body = {"start": {"kind": "resume", "run": run}}
            self.ledger.runs[run].ends = {"done", "interrupted"}
            answer = await client.ask("resume", "POST", "/runs", body, key=key)
            if answer.status == 201:
                self.ledger.runs[run].ends = {"done"}
                await self.follow(client, run)

    async def answers(self, client: Client) -> None:
        """A run that asks its author, who answers twice at once: one answer is taken."""
        run = await self.start(client, self.tag("asks"), {"waiting", "done"}, overrides=ASKING)
        if run is None or await self.follow(client, run, {"waiting"}) != "waiting":
            return
        taken, status = 0, "waiting"
        while taken == 0 and status == "waiting":
            other = Client(self.site)
            both = await asyncio.gather(self.answer(client, run), self.answer(other, run), return_exceptions=True)
            taken = both.count(True)
            other.close()
            if taken == 0:
                await asyncio.sleep(PAUSE)
                # Who dies while an answer is taken may have taken it or not: where the run comes to tells.
                status = await self.follow(client, run, {"waiting", "done"})
        self.site.must(taken <= 1, f"{run}: {taken} answers were taken")
        self.ledger.runs[run].ends = {"done"}
        self.ledger.note("run", run)
        await self.follow(client, run)

    async def answer(self, client: Client, run: str) -> bool:
        body = {"start": {"kind": "resume", "run": run, "answer": {"answer": "approve"}}}
        return (await client.ask("answer", "POST", "/runs", body, key=self.tag("answer"))).status == 201

    async def memories(self, client: Client) -> None:
        text = f"结尾要留白 {self.tag('m').replace('-', '')}"
        answer = await client.ask("remember", "POST", "/memories", {"kind": "preference", "text": text}, key=text[-20:].split()[-1])
        if answer.status != 200:
            return
        memory = answer.json["id"]
        self.ledger.remembered(memory, text)
        if self.random.random() < 0.5:
            other = f"{text}x"
            self.ledger.unsure.add(memory)
            if (await client.ask("change", "PATCH", f"/memories/{memory}", {"text": other})).status == 200:
                self.ledger.remembered(memory, other)
                self.ledger.unsure.discard(memory)
        if self.random.random() < 0.8:
            self.ledger.unsure.add(memory)
            answer = await client.ask("forget", "DELETE", f"/memories/{memory}")
            if answer.status in (200, 404):
                self.ledger.remembered(memory, None)
                self.ledger.unsure.discard(memory)

    async def readers(self, client: Client) -> None:
        """Looks at a book in one of the ways there are."""
        if not self.books:
            return
        project = self.random.choice(self.books[-2:])
        number = self.random.randint(1, CHAPTERS)
        way = self.random.randrange(6)
        if way == 0:
            await client.ask("view", "GET", f"/projects/{project}/story")
        elif way == 1:
            form = self.random.choice(["markdown", "epub", "docx"])
            await client.ask("export", "GET", f"/projects/{project}/book?format={form}")
        elif way == 2:
            await client.ask("check", "GET", f"/projects/{project}/check")
        elif way == 3:
            await client.ask("analysis", "GET", f"/projects/{project}/analysis?chapter={number}")
        else:
            await self.search(client, project, number)

    async def search(self, client: Client, project: str, number: int) -> None:
        """What was acknowledged is found, unless it was changed meanwhile."""
        found = (await client.ask("read", "GET", f"/projects/{project}/chapters/{number}/text")).json
        last = found["text"].split("\n")[-1]
        body = {"request": {"text": last, "limit": 20}}
        answer = await client.ask("search", "POST", f"/projects/{project}/search", body)
        again = (await client.ask("read", "GET", f"/projects/{project}/chapters/{number}/text")).json
        if answer.status == 200 and again["version"] == found["version"]:
            texts = [hit["chunk"]["text"] for hit in answer.json["hits"]]
            self.site.must(any(last in text for text in texts), f"{project}: {last} is not found")

    async def watchers(self, client: Client) -> None:
        """Comes to a run, from anywhere in its log, and goes again."""
        if not self.ledger.runs:
            return
        run = self.random.choice(list(self.ledger.runs)[-50:])
        book = self.ledger.runs[run]
        last = after = self.random.randint(0, book.last)
        most = self.random.randint(1, 30)
        async for told in client.events(run, after):
            if told.number is not None:
                self.site.must(told.number == last + 1, f"{run}: event {told.number} after {last}")
                self.told(run, book, told.number, told.data)
                last = told.number
            if last - after >= most:
                return

    def told(self, run: str, book: RunBook, number: int, data: object) -> None:
        said = digest(data)
        before = book.seen.setdefault(number, said)
        self.site.must(before == said, f"{run}: event {number} is told in two ways")

    async def follow(self, client: Client, run: str, ends: set[str] | None = None) -> str:
        """Follows a run until it stands as it must, over as many streams as it takes."""
        book, last = self.ledger.runs[run], 0
        while True:
            async for told in client.events(run, last):
                if told.number is not None:
                    self.site.must(told.number == last + 1, f"{run}: event {told.number} after {last}")
                    self.told(run, book, told.number, told.data)
                    last = told.number
                    if self.random.random() < self.site.cuts:
                        break
                if told.name == "end":
                    break
            answer = await client.ask("look", "GET", f"/runs/{run}")
            status = answer.json["status"] if answer.status == 200 else "unknown"
            if status == "failed" and self.is_healing:
                await self.heal(client, run)
            elif status == "failed":
                self.site.must(False, f"{run} failed: {answer.json['errors']}")
                return status
            if status in (ends or book.ends):
                return status
            await asyncio.sleep(PAUSE)

    async def heal(self, client: Client, run: str) -> None:
        body = {"start": {"kind": "resume", "run": run}}
        await client.ask("resume", "POST", "/runs", body, key=self.tag("heal"))

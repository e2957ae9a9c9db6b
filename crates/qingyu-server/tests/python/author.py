"""An author with nothing but the official Python client at `qingyu mcp`: builds a book, asks it, breaks it, mends it.

Usage: author.py QINGYU HOME   (HOME is an empty data folder; every visit begins a book of its own there)
"""

import asyncio
import json
import sys
from urllib.parse import quote

from mcp import Client, MCPError, StdioServerParameters

PREMISE = "A brass key passes between two friends on an island with one lighthouse."
CHAPTERS = {
    "Chapter 1: The Key": "The old keeper put the brass key into Ann Lee's hand. Tom Reed watched from the door.",
    "Chapter 2: The Fog": "Fog lay on the harbour. Ann Lee told Tom Reed that she had the brass key.",
    "Chapter 3: The Lamp": "Ann Lee opened the lamp room with the brass key, and Tom Reed lit the lamp.",
}
GIFT, FOG, LAMP = CHAPTERS


class Book:
    """One project, as the tools and resources of the server show it."""

    def __init__(self, client: Client, project: str, is_named: bool) -> None:
        self.client, self.project = client, project
        self.naming = {"project_id": project} if is_named else {}

    async def ask(self, tool: str, **arguments) -> dict:
        answer = await self.client.call_tool(tool, arguments | self.naming)
        assert not answer.is_error, (tool, arguments, answer.structured_content)
        return answer.structured_content

    async def refused(self, tool: str, **arguments) -> dict:
        answer = await self.client.call_tool(tool, arguments | self.naming)
        assert answer.is_error, (tool, arguments, answer.structured_content)
        return answer.structured_content["error"]

    async def findings(self, *rules: str) -> dict[str, dict]:
        """What the checker finds, by the code of the rule."""
        answer = await self.ask("check", **({"rules": list(rules)} if rules else {}))
        return {finding["issue"]["code"]: finding for finding in answer["findings"]}

    async def read(self, place: str) -> str:
        contents = (await self.client.read_resource(f"qingyu://project/{self.project}/{place}")).contents
        return contents[0].text


async def begin(client: Client) -> Book:
    """A project from nothing."""
    known = (await client.call_tool("project_tool", {"action": "list"})).structured_content["total"]
    if known == 0:
        early = await client.call_tool("character_tool", {"action": "list"})
        assert early.is_error and early.structured_content["error"]["code"] == "no_project", early
    arguments = {"action": "create", "title": "The Brass Key", "premise": PREMISE}
    begun = await client.call_tool("project_tool", arguments)
    assert not begun.is_error, begun
    project = begun.structured_content["project"]
    assert project["language"] == "en" and project["version"] == 0, project
    listed = (await client.call_tool("project_tool", {"action": "list"})).structured_content
    assert listed["total"] == known + 1 and listed["projects"][0]["project"] == project["project"], listed
    return Book(client, project["project"], is_named=known > 0)


async def build(book: Book) -> None:
    """World, cast, outline, events, texts, facts, a promise; the client learns the fields of facts from the server."""
    await book.ask("worldview_tool", action="update", data={"summary": "An island with one light.", "genre": "mystery"})
    for name in ("the lighthouse", "the harbour"):
        data = {"name": name, "description": f"{name} of the island"}
        await book.ask("worldview_tool", action="create", kind="location", data=data)
    key = {"name": "the brass key", "alias": ["brass key"], "description": "It opens the lamp room."}
    await book.ask("worldview_tool", action="create", kind="item", data=key)
    for name, role in (("Ann Lee", "protagonist"), ("Tom Reed", "supporting")):
        card = {"name": name, "role_type": role, "goals": "to keep the light burning", "personality": "patient"}
        await book.ask("character_tool", action="create", character_data=card)
    both = ["Ann Lee", "Tom Reed"]
    ties = {"from_character": "Ann Lee", "to_character": "Tom Reed", "relationship_type": "friend"}
    await book.ask("relationship_tool", action="create", description="grew up together", **ties)
    for day, (chapter, text) in enumerate(CHAPTERS.items(), 1):
        told = {"participants": both, "location": "the lighthouse", "description": text}
        node = told | {"name": chapter, "kind": "chapter", "order": day, "goal": "to bring the key nearer to the lamp"}
        await book.ask("outline_tool", action="create", outline_data=node)
        event = told | {"title": f"day {day} at the light", "timestamp": f"day {day}", "outline_node": chapter}
        await book.ask("timeline_tool", action="create_event", event_data=event)
        await book.ask("document_tool", action="write", title=f"Text {day}", content=text, outline_node=chapter)

    fields = (await book.ask("story_tool", action="describe", kind="fact"))["fields"]["properties"]
    assert {"subject", "predicate", "object", "from", "source", "known_by"} <= fields.keys(), fields
    assert {"who", "since", "how"} <= fields["known_by"]["items"]["properties"].keys(), fields["known_by"]
    fact = {
        "subject": "Ann Lee",
        "predicate": "holds",
        "object": "the brass key",
        "from": "day 1 at the light",
        "until": "day 3 at the light",
        "source": {"document": "Text 1", "quote": "The old keeper put the brass key into Ann Lee's hand."},
        "known_by": [{"who": "Tom Reed", "since": "day 2 at the light", "how": "she told him", "told_by": "Ann Lee"}],
    }
    made = await book.ask("story_tool", action="create", kind="fact", data=fact)
    assert made["piece"]["id"] == "f-1", made
    promise = {"name": "the key", "planted": [GIFT], "paid": [LAMP], "description": "The key will open something."}
    await book.ask("story_tool", action="create", kind="promise", data=promise)
    counts = (await book.ask("story_tool", action="overview"))["pieces"]
    wanted = {"character": 2, "location": 2, "item": 1, "relation": 1, "outline_node": 3, "event": 3, "document": 3}
    assert (wanted | {"fact": 1, "promise": 1}).items() <= counts.items(), counts


async def inquire(book: Book) -> None:
    """What is so as of a chapter, who knows it, which sentence says so."""
    question = {"about": "brass key", "predicate": "holds"}
    early = await book.ask("ask_facts", as_of=GIFT, **question)
    [held] = early["facts"]
    assert (held["subject"], held["certain"], held["known_by"]) == ("Ann Lee", True, []), held
    assert held["says"]["anchor"] == "facts/f-1/source", held
    assert "put the brass key into Ann Lee's hand" in held["says"]["quote"], held
    [later] = (await book.ask("ask_facts", as_of=FOG, known_by="Tom Reed", **question))["facts"]
    [knower] = later["known_by"]
    assert (knower["who"], knower["how"]) == ("Tom Reed", "she told him"), later
    unknown = await book.refused("ask_facts", as_of="Chapter 9", about="brass key")
    assert (unknown["code"], unknown["path"]) == ("not_found", "/as_of"), unknown


async def break_and_mend(book: Book) -> None:
    """An error of the facts, mended as its finding instructs, and one of the prose, mended by the checker."""
    assert await book.findings() == {}, "the book is sound so far"
    stolen = {
        "subject": "Tom Reed",
        "predicate": "holds",
        "object": "brass key",
        "from": "day 2 at the light",
        "until": "day 2 at the light",
        "source": {"document": "Text 2", "quote": "Tom Reed turned the brass key in his pocket."},
    }
    await book.ask("story_tool", action="create", kind="fact", data=stolen)
    slip = [{"find": "Fog lay on the harbour.", "with": "Fog lay on the the harbour."}]
    await book.ask("document_tool", action="update", document_id="Text 2", replacements=slip)

    found = await book.findings()
    assert found.keys() == {"QY401", "QS047"}, found.keys()
    contradiction = found["QY401"]
    sides = {evidence["anchor"]: evidence["quote"] for evidence in contradiction["issue"]["evidence"]}
    assert sides.keys() == {"facts/f-1/source", "facts/f-2/source"}, sides
    assert "Ann Lee's hand" in sides["facts/f-1/source"] and "his pocket" in sides["facts/f-2/source"], sides
    assert {"Ann Lee", "Tom Reed"} <= set(contradiction["issue"]["affected_entities"]), contradiction
    report = json.loads(await book.read("report"))
    assert {finding["issue"]["code"] for finding in report["findings"]} == found.keys(), "the report says the same"

    touched = await book.ask("impact", target="f-2", distance=3)
    assert any(piece["label"] == "Text 2" for piece in touched["touched"]), touched
    mended = await book.ask("check", action="fix", rules=["QS047"])
    assert mended["fixed"] == [found["QS047"]["issue"]["id"]] and mended["total"] == 0, mended
    assert await book.read("documents/d-2") == CHAPTERS[FOG]
    [instruction] = contradiction["instructions"]
    piece = instruction["parameters"]
    await book.ask("story_tool", action=instruction["action"], kind=piece["kind"], id=piece["id"])
    assert await book.findings() == {}, "both are gone"


async def look(book: Book) -> None:
    """What a change would touch; resources; a prompt; a change made for a version that is no longer there."""
    touched = await book.ask("impact", target="the brass key", distance=1)
    sentences = [evidence["quote"] for piece in touched["touched"] for evidence in piece["sentences"]]
    assert touched["by_kind"]["fact"] == 1 and touched["by_kind"]["document"] == 3, touched["by_kind"]
    assert any("opened the lamp room" in sentence for sentence in sentences), sentences

    story = json.loads(await book.read("story"))
    assert story["premise"] == PREMISE and len(story["facts"]) == 1, story
    assert json.loads(await book.read(f"characters/{quote('Ann Lee')}"))["role_type"] == "protagonist"
    assert json.loads(await book.read(f"outline/{quote(LAMP)}"))["order"] == 3
    report = json.loads(await book.read("report"))
    assert report["findings"] == [] and report["score"] == 100, report
    try:
        await book.read("characters/nobody")
        raise AssertionError("nobody has a card")
    except MCPError as error:
        assert error.error.data["code"] == "not_found", error

    prompts = (await book.client.list_prompts()).prompts
    arguments = {"task": "Give Ann Lee a rival.", "project": book.project}
    filled = await book.client.get_prompt(prompts[0].name, arguments)
    assert "Give Ann Lee a rival." in filled.messages[0].content.text, filled

    renamed = {"character_id": "Tom Reed", "character_data": {"name": "Thomas Reed"}}
    version = (await book.ask("story_tool", action="overview"))["version"]
    await book.ask("character_tool", action="update", expected_version=version, **renamed)
    late = await book.refused("character_tool", action="update", expected_version=version, **renamed)
    assert late["code"] == "conflict" and late["found_version"] > version, late
    [known] = (await book.ask("ask_facts", as_of=FOG, about="brass key", predicate="holds"))["facts"]
    assert known["known_by"][0]["who"] == "Thomas Reed", "a new name is carried into what is known"


async def visit(qingyu: str, home: str, mode: str) -> None:
    surroundings = {"QINGYU_HOME": home, "LANG": "C.UTF-8"}
    parameters = StdioServerParameters(command=qingyu, args=["mcp"], env=surroundings)
    async with Client(parameters, mode=mode, read_timeout_seconds=60) as client:
        book = await begin(client)
        await build(book)
        await inquire(book)
        await break_and_mend(book)
        await look(book)
        print(f"{mode}: {book.project}")


async def main() -> None:
    for mode in ("legacy", "2026-07-28"):
        await visit(sys.argv[1], sys.argv[2], mode)


asyncio.run(main())

#!/usr/bin/env python3
"""Tells an invented novel, 青灯渡, and asks about it: passages.jsonl and questions.jsonl, the same at every run.

The novel is made by rules: {chapters} chapters of events between {people} people, in which things change hands, people move
and learn, and the same people, places and things come back again and again, so that a passage is told from the others by
what happens in it and not by a rare word. Between them stand the scenes of scenes.toml, written by hand.

Questions of kind `hand` were written by hand for the scenes and avoid their words. The others fill templates, which use
other words than the passages where they can, but name the people and things.
"""

import json
import sys
import tomllib
from pathlib import Path

from stock import CLOSINGS, EVENTS, LINKS, OPENINGS, PEOPLE, PLACES, STOCK

HERE = Path(__file__).parent
CHAPTERS, IN_CHAPTER, QUESTIONS = 180, 12, 160
__doc__ = __doc__.format(chapters=CHAPTERS, people=len(PEOPLE))


class Chance:
    """Numbers that look random and are the same in every version of Python."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, end: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % end

    def one_of(self, things: list):
        return things[self.below(len(things))]


def tell(count: int, seed: int = 1) -> tuple[list[dict], list[dict]]:
    """That many passages of two events each, and the questions that can be asked about them."""
    chance = Chance(seed)
    passages, happened = [], []
    while len(passages) < count:
        number = f"p{len(passages) + 1:05}"
        first, words = happening(chance)
        # Whoever the first event was about, or met, goes on.
        second, others = happening(chance, words[chance.one_of(["甲", "乙"])])
        happened += [(number, first, words), (number, second, others)]
        told = chance.one_of(OPENINGS) + sentences(chance, first, words)
        told += chance.one_of(LINKS) + sentences(chance, second, others) + chance.one_of(CLOSINGS)
        passages.append({"id": number, "chapter": len(passages) // IN_CHAPTER + 1, "text": told})
    return passages, asked(happened)


def happening(chance: Chance, who: str | None = None) -> tuple[dict, dict]:
    words = {name: chance.one_of(values) for name, values in STOCK.items()}
    words["甲"], words["乙"] = two(chance, PEOPLE)
    while who and words["乙"] == who:
        words["乙"] = chance.one_of(PEOPLE)
    words["甲"] = who or words["甲"]
    words["处"], words["彼处"] = two(chance, PLACES)
    return chance.one_of(EVENTS), words


def sentences(chance: Chance, event: dict, words: dict) -> str:
    return "".join(chance.one_of(ways) for ways in event["sentences"]).format(**words)


def asked(happened: list[tuple[str, dict, dict]]) -> list[dict]:
    """All questions about what happened. The right answers to one are all passages where the same happened to those whom the
    question names."""
    right: dict[str, list[str]] = {}
    kinds = {}
    for number, event, words in happened:
        for question in event["questions"]:
            question = question.format(**words)
            right.setdefault(question, []).append(number)
            kinds[question] = event["name"]
    return [{"question": text, "gold": sorted(set(gold)), "kind": kinds[text]} for text, gold in right.items()]


def two(chance: Chance, things: list[str]) -> tuple[str, str]:
    first = chance.below(len(things))
    second = (first + 1 + chance.below(len(things) - 1)) % len(things)
    return things[first], things[second]


def scenes() -> list[dict]:
    return tomllib.loads((HERE / "scenes.toml").read_text(encoding="utf-8"))["scene"]


def book() -> tuple[list[dict], list[dict]]:
    """The passages with the scenes among them, and the questions."""
    passages, possible = tell(CHAPTERS * IN_CHAPTER)
    chance = Chance(2)
    questions = [possible.pop(chance.below(len(possible))) for _ in range(QUESTIONS)]
    for number, scene in enumerate(scenes(), 1):
        chapter = number * CHAPTERS // (len(scenes()) + 1)
        passages.append({"id": f"s{number:02}", "chapter": chapter, "text": scene["text"]})
        questions += [{"question": text, "gold": [f"s{number:02}"], "kind": "hand"} for text in scene["questions"]]
    passages.sort(key=lambda passage: passage["chapter"])
    return passages, questions


def write(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    passages, questions = book()
    if sys.argv[1:] == ["--check"]:
        for path, rows in (("passages.jsonl", passages), ("questions.jsonl", questions)):
            kept = [json.loads(line) for line in (HERE / path).read_text(encoding="utf-8").splitlines()]
            if kept != rows:
                sys.exit(f"{path} is not what novel.py tells; run it again")
    else:
        write(HERE / "passages.jsonl", passages)
        write(HERE / "questions.jsonl", questions)
    lengths = sorted(len(passage["text"]) for passage in passages)
    by_hand = sum(question["kind"] == "hand" for question in questions)
    print(f"{len(passages)} passages of {lengths[0]} to {lengths[-1]} characters, {lengths[len(lengths) // 2]} in the middle; "
          f"{len(questions)} questions, {by_hand} by hand")

#!/usr/bin/env python3
"""Measures, over the requests and answers of a run, what of the told chapters stands in the prompt that the next chapter is
written from, and what a chapter costs.

Usage: prompts.py FOLDER. The folder holds NNNN.request.md (or queue/NNNN.md) with `## system` and `## user`, and the answers
NNNN.answer.txt (or answers/NNNN.txt).
"""
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

KINDS = ["entities", "facts", "dates", "promises", "knowledge"]


def load(folder):
    requests = sorted(folder.glob("*.request.md")) or sorted(folder.glob("queue/*.md"))
    for request in requests:
        number = request.name[:4]
        answer = next((p for p in (folder / f"{number}.answer.txt", folder / f"answers/{number}.txt") if p.exists()), None)
        yield request.read_text(), answer.read_text() if answer else ""


def tokens(text):
    return int(sum(0.7 if ord(c) > 0x2E80 else 0.27 for c in text))


def value(answer):
    found = re.search(r"\{.*\}", answer, re.S)
    try:
        return json.loads(found.group()) if found else None
    except json.JSONDecodeError:
        return None


def kind_of(request, answer):
    """The work that a request asks for; the forms of both languages are told apart by the keys of the answer."""
    chapter = re.search(r"第 (\d+) 章《|[Cc]hapter (\d+)(?: of \d+)?, \"", request)
    if not chapter:
        return None, 0
    number = int(chapter.group(1) or chapter.group(2))
    answered = value(answer) or {}
    if "verdicts" in answered:
        return "review", number
    if "promises" in answered and "summary" in answered:
        return "settle", number
    if "scenes" in answered:
        return "understand", number
    if "fixes" in answered:
        return "fix", number
    if "seams" in answered:
        return "seams", number
    rewrites = "<instruction>" in request and ("改写" in request or "Rewrite the text" in request)
    return ("rewrite" if rewrites else "generate"), number


def told(settled):
    """What a reading told, by kind, each as the words that must stand together in a line of the prompt."""
    out = defaultdict(list)
    for one in settled.get("entities", []):
        out["entities"].append([one["name"]])
    for fact in settled.get("facts", []):
        other = fact.get("object") or fact.get("value")
        if other in (None, True, False):
            continue
        if fact.get("mode", "narrated") not in ("narrated", "said", "lied", "believed"):
            continue
        out["facts"].append([fact["subject"], str(other)])
        for knower in fact.get("known_by") or []:
            out["knowledge"].append([str(other), knower["who"]])
    for event in settled.get("events", []):
        if event.get("timestamp"):
            day = re.sub(r"^.*年", "", event["timestamp"])
            day = re.match(r".*?月.{1,3}?(?=[^初一二三四五六七八九十廿]|$)", day)
            out["dates"].append([day.group() if day else event["timestamp"]])
    for promise in settled.get("promises", []):
        if promise.get("action") == "planted":
            out["promises"].append([promise["name"]])
    return out


def stands(words, prompt):
    """Whether the words stand in one line, or the value beside a subject that heads the line."""
    return any(all(word in line for word in words) for line in prompt.splitlines())


def twice(prompt):
    """Characters of sentences that stand more than once."""
    seen, again = set(), 0
    for sentence in re.split(r"[。！？\n]|\\n|\. ", prompt):
        sentence = sentence.strip(' "-')
        if len(sentence) < 12:
            continue
        if sentence in seen:
            again += len(sentence)
        seen.add(sentence)
    return again


def main():
    folder = Path(sys.argv[1])
    known, cost, rows = defaultdict(list), defaultdict(lambda: [0, 0, 0]), []
    for request, answer in load(folder):
        kind, chapter = kind_of(request, answer)
        if kind is None:
            continue
        cost[chapter][0] += tokens(request)
        cost[chapter][1] += tokens(answer)
        cost[chapter][2] += 1
        if kind in ("generate", "rewrite"):
            earlier = {k: [w for c, ws in known[k] if c < chapter for w in ws] for k in KINDS}
            row = {k: (sum(stands(w, request) for w in earlier[k]), len(earlier[k])) for k in KINDS}
            rows.append((chapter, kind, tokens(request), twice(request), len(re.findall(r"[A-Za-z_]{3,}", request)), row))
        if kind == "settle":
            for k, words in told(value(answer)).items():
                known[k] = [(c, w) for c, w in known[k] if c != chapter] + [(chapter, words)]
    print("| chapter | prompt | tokens | characters twice | Latin words | " + " | ".join(KINDS) + " |")
    print("|---|---|---|---|---|" + "---|" * len(KINDS))
    for chapter, kind, size, again, latin, row in rows:
        print(f"| {chapter} | {kind} | {size:,} | {again:,} | {latin} | " + " | ".join(f"{a} of {b}" for a, b in (row[k] for k in KINDS)) + " |")
    print("\n| chapter | calls | tokens in | tokens out |\n|---|---|---|---|")
    for chapter, (into, out, calls) in sorted(cost.items()):
        print(f"| {chapter} | {calls} | {into:,} | {out:,} |")


main()

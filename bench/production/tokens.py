#!/usr/bin/env python3
"""Counts what one production sends to a model: requests and estimated tokens, by kind of request.

    bench/production/tokens.py QINGYU [QINGYU ...]

A scripted model on this machine answers every request with text of a usual length, so that two builds are compared on
the same course: five lessons of about 900 words, a page, e-mails, posts, four personas, readers and judges. No key and
no network are needed. The estimate is four characters per token of Latin text and one and a half per Chinese character,
for the messages and for the schema that travels beside them.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PREMISE = "A short course on knitting for librarians who work alone in the evening"
SENTENCE = "Every evening somebody sits behind the counter with ten quiet minutes and a ball of wool. "
#: What a request is for, by words that only its prompt has.
KINDS = [
    ("reader", ("first_impression", "stops_at", "drop_off")),
    ("judge", ("<criteria>",)),
    ("router", ("advance_phase",)),
    ("interview", ("You have asked",)),
    ("research", ("<question>",)),
    ("personas", ('"personas"',)),
]


def tokens(text):
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    return round((len(text) - han) / 4 + han / 1.5)


def fill(schema, name="", depth=0):
    """Returns a value that fits a schema, with texts of a usual length."""
    if "enum" in schema:
        return schema["enum"][0]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return fill(schema[key][0], name, depth)
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        kind = next(word for word in kind if word != "null")
    if kind == "object":
        return {key: fill(value, key, depth + 1) for key, value in schema.get("properties", {}).items()}
    if kind == "array":
        count = max(schema.get("minItems", 0), {"lessons": 5, "personas": 4}.get(name, 3 if depth else 4))
        count = min(count, schema.get("maxItems", count))
        entry = fill(schema.get("items", {}), name, depth + 1)
        return [f"{name or 'entry'} {at + 1}: {SENTENCE}" if isinstance(entry, str) else entry for at in range(count)]
    if kind in ("integer", "number"):
        return 1
    if kind == "boolean":
        return True
    return (f"{name.capitalize()}: {SENTENCE}" * (6 if name == "body" else 1)).strip()


def answer(body, asked, kind):
    """Returns the text of the answer to a request of a kind; `asked` is the text of all its messages."""
    user = str(body["messages"][-1].get("content", ""))
    form = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    if form is None:
        found = re.search(r"JSON Schema:\s*(\{.*\})\s*$", asked, re.S | re.M)
        form = json.loads(found.group(1)) if found else None
    if kind == "router":
        return json.dumps({"intent": "advance_phase", "fields": [], "phase": None, "instruction": "", "confidence": 0.9})
    if kind == "reader":
        points = re.findall(r"<points>\n(.*?)\n</points>", user, re.S)
        points = [line[2:] for line in points[0].split("\n")] if points else []
        understood = [{"point": point, "is_understood": True} for point in points]
        words = "I would read on, if it were shorter."
        if '"first_impression": {' in user or '"purchase": {' in user:
            return json.dumps({
                "first_impression": {"score": 60, "words": words, "quotes": []},
                "comprehension": {"score": 60, "words": words, "understood": understood},
                "objection": {"words": words, "objections": [{"words": words, "quote": "", "paragraph": 1}]},
                "purchase": {"score": 50, "would_buy": "maybe", "words": words, "quotes": []},
                "drop_off": {"stops_at": None, "words": words},
            })
        return json.dumps({"score": 60, "words": words, "quotes": [], "stops_at": None, "would_buy": None,
                           "understood": understood, "objections": []})
    if kind == "judge":
        names = re.findall(r"^- (\S+) \(", re.search(r"<criteria>\n(.*?)</criteria>", user, re.S).group(1), re.M)
        quote = "ten quiet minutes"
        return json.dumps({"scores": [{"criterion": name, "score": 70, "why": "It says so.", "quotes": [quote]} for name in names]})
    if form is not None:
        return json.dumps(fill(form))
    if kind == "interview":
        return "For whom is it, and what shall they be able to do?"
    paragraphs = 12 if "lesson" in user.lower() else 3
    return "\n\n".join(f"## Part {at + 1}\n\n{SENTENCE * 5}" for at in range(paragraphs))


def kind_of(asked):
    for kind, words in KINDS:
        if any(word in asked for word in words):
            return kind
    return "field"


class Model(BaseHTTPRequestHandler):
    counts = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = "\n".join(str(message.get("content", "")) for message in body["messages"])
        form = json.dumps(body.get("response_format") or "")
        kind = kind_of(asked)
        entry = Model.counts[kind]
        entry[0] += 1
        entry[1] += tokens(asked) + tokens(form)
        text = answer(body, asked, kind)
        usage = {"prompt_tokens": tokens(asked + form), "completion_tokens": tokens(text)}
        usage["total_tokens"] = sum(usage.values())
        if not body.get("stream"):
            message = {"role": "assistant", "content": text}
            return self.reply({"id": "1", "object": "chat.completion", "model": "scripted", "usage": usage,
                               "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for delta, finish in (({"role": "assistant", "content": text}, None), ({}, "stop")):
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            event = {"id": "1", "object": "chat.completion.chunk", "model": "scripted", "choices": [choice], "usage": None}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        last = {"id": "1", "object": "chat.completion.chunk", "model": "scripted", "choices": [], "usage": usage}
        self.wfile.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())

    def reply(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def measure(program, port):
    Model.counts = defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as home:
        command = [program, "produce", "new", PREMISE, "--autonomy", "all=auto", "--model", "stub/scripted", "--yes", "--json"]
        with open(os.path.join(home, "config.toml"), "w") as file:
            file.write(f'[models]\nlocal = []\n\n[providers.stub]\nbase_url = "http://127.0.0.1:{port}/v1"\noutput = "json_schema"\n\n[web]\nsearch = "none"\n')
        environment = {"PATH": os.environ["PATH"], "HOME": home, "QINGYU_HOME": home, "QINGYU_UI_LANG": "en"}
        done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return {kind: tuple(entry) for kind, entry in sorted(Model.counts.items())}


def main(programs):
    if not programs:
        sys.exit(__doc__)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    totals = []
    for program in programs:
        counts = measure(os.path.abspath(program), server.server_address[1])
        print(f"\n{program}")
        for kind, (requests, sent) in counts.items():
            print(f"  {kind:10} {requests:4} requests {sent:8} tokens")
        totals.append(sum(sent for _, sent in counts.values()))
        print(f"  {'all':10} {sum(requests for requests, _ in counts.values()):4} requests {totals[-1]:8} tokens")
    if len(totals) == 2:
        print(f"\n{100 - 100 * totals[1] / totals[0]:.0f} % fewer tokens")


if __name__ == "__main__":
    main(sys.argv[1:])

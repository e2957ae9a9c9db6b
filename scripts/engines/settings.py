"""Engines switched on by the settings, through the commands and a server, and stopped in the middle: settings.py QINGYU.

The servers are those of scripts/engines.sh, with their addresses in the variables that the tests read and their processes in
`QINGYU_TEST_*_PID`. Each is stopped at the end, while a server of ours works with it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

QINGYU = sys.argv[1]
PASSWORD = "QINGYU_TEST_ENGINES_PASSWORD"
QUESTION = "谁曾经背叛过主角"
ASKED = "谁把林青的去向说了出去？"
PATTERN = 'within 1 (a "老周")'
STORY = {
    "language": "zh",
    "characters": [
        {"name": "林青", "role_type": "protagonist"},
        {"name": "苏婉", "traits": ["谨慎"]},
        {"name": "老周", "traits": ["勇敢"]},
    ],
    "facts": [
        {
            "subject": "老周",
            "predicate": "背叛",
            "object": "林青",
            "from": "第三章 旧港",
            "source": {"document": "第三章 旧港", "version": 1, "quote": "老周把林青的去向说了出去。"},
        }
    ],
    "outline_nodes": [{"name": "第一章 雨夜", "order": 1}, {"name": "第三章 旧港", "order": 3}],
    "documents": [
        {
            "title": "第三章 旧港",
            "order": 3,
            "version": 1,
            "outline_node": "第三章 旧港",
            "text": "老周把林青的去向说了出去。雨还在下。",
        }
    ],
}


def url(name, scheme, user="", rest=""):
    """The address of a server in the form of the settings, without its password."""
    host = os.environ[f"QINGYU_TEST_{name}"].split("://")[1].split("@")[-1].split("/")[0]
    return f"{scheme}://{user}{host}{rest}"


# The part, the server in the settings, and where it is.
ENGINES = [
    ("vectors", "qdrant", url("QDRANT", "http")),
    ("vectors", "milvus", url("MILVUS", "http")),
    ("graph", "neo4j", url("NEO4J", "http", "root@", "/novel")),
    ("long_term", "mongodb", url("MONGODB", "mongodb", "qingyu@", "/qingyu?authSource=admin")),
]


class Home:
    def __init__(self, folder):
        self.folder = folder
        password = os.environ["QINGYU_TEST_NEO4J_PASSWORD"]
        self.env = {"QINGYU_HOME": folder, "LANG": "C.UTF-8", "PATH": os.environ["PATH"], PASSWORD: password}

    def switch(self, part=None, server=None, address=None):
        """Writes the settings: the offline model, and this server for this part."""
        text = "[models]\nall = \"offline-rules-1\"\n"
        if part:
            key = f'key_env = "{PASSWORD}"\n' if "@" in address else ""
            text += f'[engines]\n{part} = "{server}"\n[engines.{server}]\nurl = "{address}"\n{key}'
        with open(os.path.join(self.folder, "config.toml"), "w", encoding="utf-8") as settings:
            settings.write(text)

    def run(self, *arguments, codes=(0,)):
        done = subprocess.run([QINGYU, *arguments, "--json"], env=self.env, capture_output=True, text=True, timeout=120)
        assert done.returncode in codes, (arguments, done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout)

    def text(self, *arguments):
        done = subprocess.run([QINGYU, *arguments], env=self.env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def memories(self):
        return sorted(row["text"] for row in self.run("memory", "list"))


def states(answer):
    return {row["part"]: row["state"] for row in answer.get("engines", [])}


def sources(answer):
    return sorted(hit["chunk"]["source"]["id"] for hit in answer["hits"])


def named(graph):
    return sorted({node["name"] for row in graph["rows"] for node in row["nodes"].values()})


def served(home):
    """Our own server in this home, and its address."""
    process = subprocess.Popen(
        [QINGYU, "serve", "--port", "0", "--json"], env=home.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    told = ""
    while '"url"' not in told:
        line = process.stdout.readline()
        assert line, "our server ended"
        told += line
    return process, told.split('"url"')[1].split('"')[1]


def post(address, body):
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def drawing(place):
    """The states of the engines of a drawing."""
    query = urllib.parse.urlencode({"pattern": PATTERN})
    with urllib.request.urlopen(f"{place}/graph?{query}", timeout=60) as answer:
        return states(json.load(answer))


def tried(part, server, address, folder):
    home = Home(folder)
    home.switch()
    file = os.path.join(folder, "story.json")
    with open(file, "w", encoding="utf-8") as story:
        json.dump(STORY, story)
    project = home.run("import-story", file)["project"]["project"]
    embedded, answer = home.run("search", project, QUESTION), home.run("ask", project, ASKED)
    drawn = home.run("graph", project, "--match", PATTERN)
    home.run("memory", "add", "少用感叹号")

    home.switch(part, server, address)
    home.run("index", project)
    rows = [row for row in home.run("doctor", codes=(0, 1, 4)) if row["check"] == "engine"]
    assert [(row["data"]["part"], row["state"]) for row in rows] == [(part, "ok")], rows
    found = home.run("search", project, QUESTION)
    again = home.run("ask", project, ASKED)
    assert sources(found) == sources(embedded), (found, embedded)
    assert again["holds"] == answer["holds"] and again["answer"] == answer["answer"], (again, answer)
    assert home.memories() == ["少用感叹号"]
    seen = {part: states(found).get(part)}
    if part == "vectors":
        assert seen == {"vectors": "used"}, found
    if part == "graph":
        with_server = home.run("graph", project, "--match", PATTERN)
        assert named(with_server) == named(drawn) != [], (with_server, drawn)

    # Our server works with it when it stops.
    process, ours = served(home)
    try:
        place = f"{ours}/api/v1/projects/{project}"
        body = {"request": {"text": QUESTION}}
        before = post(f"{place}/search", body)
        if part == "graph":
            assert drawing(place) == {"graph": "used"}, drawing(place)
        os.kill(int(os.environ[f"QINGYU_TEST_{server.upper()}_PID"]), signal.SIGKILL)
        time.sleep(0.5)
        after = post(f"{place}/search", body)
        assert sources(after) == sources(before) == sources(embedded), after
        asked = post(f"{place}/ask", {"request": {"question": ASKED}})
        assert asked["holds"] == answer["holds"], asked
        if part == "vectors":
            assert states(after) == {"vectors": "down"}, after
        if part == "graph":
            assert drawing(place) == {"graph": "down"}, drawing(place)
    finally:
        process.terminate()
        process.wait(60)
    home.run("memory", "add", "句子要短")
    assert home.memories() == ["句子要短", "少用感叹号"]
    rows = [row for row in home.run("doctor", codes=(0, 1, 4)) if row["check"] == "engine"]
    assert rows and rows[0]["state"] != "ok", rows
    print(f"passed: {part} on {server}, by the settings, stopped in the middle")


for engine in ENGINES:
    with tempfile.TemporaryDirectory() as folder:
        tried(*engine, folder)

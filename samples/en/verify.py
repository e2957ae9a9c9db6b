"""Checks the answers of this sample book against each other; standard library only.

    python3 verify.py                 shapes, names, quotes, fixes, promises, lengths
    python3 verify.py --story FILE    also writes the settled book as one story file, for `qingyu check FILE`
    python3 verify.py --edit FILE     the same, with the edited chapter in the place of the good one
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
CHAPTERS = sorted(path.stem for path in (HERE / "chapters").glob("[0-9][0-9].md"))
CORRECTED, EDITED = "03", "04"
WORDS = (950, 1500)
DIMENSIONS = ["task", "setting", "timeline", "continuity", "character", "logic", "style"]
MODES = {"narrated", "flashback", "dreamt", "said", "believed", "planned", "lied", "retconned", "disguised"}
RELATIONS = {"parent_of": "child_of", "child_of": "parent_of", "mentor_of": "student_of", "student_of": "mentor_of",
             "employer_of": "employee_of", "employee_of": "employer_of"}
SAME = {"knows", "friend", "enemy", "family", "lover", "rival", "ally", "sibling"}

# The fields of each shape, as the types of the story and of the agents name them.
SHAPES = {
    "analysis": "type complexity required_capabilities",
    "step": "step_id agent task_description required_tools dependencies estimated_tokens",
    "world": "summary genre era rules locations organisations items",
    "rule": "name statement limit",
    "place": "name alias description",
    "item": "name alias description holder",
    "node": "kind order name description goal participants location plants pays words",
    "character": "name alias role_type age birth death occupation traits weakness personality background goals "
                 "conflicts arc",
    "relation": "from to type strength description",
    "timeline": "title description timestamp duration after participants deaths location importance outline_node mode",
    "plot": "title description kind outline_node events causes",
    "style": "point_of_view tense tone rhythm dialogue guidelines taboos",
    "judgement": "quality_score issues correction_strategy correction_instructions reasoning_chain "
                 "suggestions_for_improvement",
    "brief": "task_type goal point_of_view scenes must_keep must_avoid searches reasoning",
    "scene": "title location participants beats words",
    "review": "score verdicts issues suggestions summary",
    "verdict": "dimension verdict note",
    "finding": "severity dimension title quote why fix",
    "fix": "find with issue",
    "settle": "summary entities events facts promises",
    "entity": "kind name alias description quote confidence",
    "event": "title description planned timestamp participants deaths location mode importance quote confidence",
    "fact": "subject predicate object value unit from until mode by known_by quote confidence",
    "knower": "who how",
    "promise": "name action description due importance quote confidence",
}

problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def shape(value, name, where):
    expect(set(value) == set(SHAPES[name].split()), f"{where}: fields of {name}: {sorted(value)}")
    return value


def load(path):
    return json.loads((HERE / path).read_text(encoding="utf-8"))


def text(path):
    return (HERE / path).read_text(encoding="utf-8")


def mended(draft, fixes, where):
    for fix in fixes["fixes"]:
        shape(fix, "fix", where)
        expect(draft.count(fix["find"]) == 1, f"{where}: stands {draft.count(fix['find'])} times: {fix['find']}")
        draft = draft.replace(fix["find"], fix["with"])
    return draft


# The plan.
requirement = text("requirement.txt").strip()
planner = load("planner.json")
shape(planner["requirement_analysis"], "analysis", "planner")
steps = [shape(step, "step", "planner") for step in planner["execution_plan"]["steps"]]
expect([step["agent"] for step in steps] == [f"{a}_agent" for a in "worldview outline character plot style review".split()], "planner: agents")
expect(steps[-1]["dependencies"] == [step["step_id"] for step in steps[:-1]], "planner: the review needs all others")
expect(sum(step["estimated_tokens"] for step in steps) == planner["execution_plan"]["total_estimated_tokens"], "planner: sum of tokens")

world = shape(load("worldview.json")["worldview"], "world", "worldview")
for rule in world["rules"]:
    shape(rule, "rule", "worldview")
for place in world["locations"] + world["organisations"]:
    shape(place, "place", "worldview")
for item in world["items"]:
    shape(item, "item", "worldview")
nodes = [shape(node, "node", "outline") for node in load("outline.json")["outline_nodes"]]
cast = load("character.json")
characters = [shape(one, "character", "character") for one in cast["characters"]]
relations = [shape(one, "relation", "character") for one in cast["character_relations"]]
plot = load("plot.json")
events = [shape(one, "timeline", "plot") for one in plot["timeline_events"]]
plot_nodes = [shape(one, "plot", "plot") for one in plot["plot_nodes"]]
style = shape(load("style.json")["style"], "style", "style")
judgement = shape(load("review.json"), "judgement", "review")
expect(86 <= judgement["quality_score"] <= 92 and not judgement["issues"] and judgement["correction_strategy"] == "none", "review: verdict")


def names(cards):
    return {card["name"] for card in cards}


people, places, things = names(characters), names(world["locations"]), names(world["items"])
orders, titles = names(nodes), {event["title"] for event in events}
every = people | places | things | names(world["organisations"]) | titles
for node in nodes:
    expect(set(node["participants"]) <= people and node["location"] in places, f"outline: names of {node['name']}")
expect([node["order"] for node in nodes] == list(range(1, len(CHAPTERS) + 1)), "outline: one node for each chapter")
for item in world["items"]:
    expect(item["holder"] is None or item["holder"] in people, f"worldview: holder of {item['name']}")
for relation in relations:
    expect({relation["from"], relation["to"]} <= people and relation["type"] in SAME | set(RELATIONS), f"relation: {relation}")
    if relation["type"] in RELATIONS:
        back = (relation["to"], relation["from"], RELATIONS[relation["type"]])
        expect(back in {(r["from"], r["to"], r["type"]) for r in relations}, f"relation without its other side: {back}")
for event in events:
    expect(set(event["participants"]) | set(event["deaths"]) <= people and event["location"] in places, f"plot: names of {event['title']}")
    expect(event["outline_node"] in orders and set(event["after"]) <= titles and event["mode"] in MODES, f"plot: links of {event['title']}")
for one in plot_nodes:
    expect(set(one["events"]) <= titles and set(one["causes"]) <= {p["title"] for p in plot_nodes} and one["outline_node"] in orders, f"plot: links of {one['title']}")
expect({"climax", "resolution"} <= {one["kind"] for one in plot_nodes}, "plot: climax and resolution")
planted = [name for node in nodes for name in node["plants"]]
paid = [name for node in nodes for name in node["pays"]]
expect(sorted(planted) == sorted(paid), f"outline: planted and paid differ: {set(planted) ^ set(paid)}")

# The chapters.
final, open_promises, told = {}, {}, set()


def check_settle(settle, prose, where, node):
    shape(settle, "settle", where)
    sentences = len(re.findall(r"[.!?](?=\s|$)", settle["summary"].replace("Mr. ", "")))
    expect(3 <= sentences <= 6, f"{where}: {sentences} sentences in the summary")
    for kind, name in (("entities", "entity"), ("events", "event"), ("facts", "fact"), ("promises", "promise")):
        for one in settle[kind]:
            shape(one, name, where)
            expect(one["quote"] and one["quote"] in prose, f"{where}: not in the chapter: {one['quote']}")
            expect(0 < one["confidence"] <= 1, f"{where}: confidence")
    for event in settle["events"]:
        expect(event["planned"] is None or event["planned"] in titles, f"{where}: planned {event['planned']}")
        expect(set(event["participants"]) <= people and event["location"] in places and event["mode"] in MODES, f"{where}: names of {event['title']}")
        if event["planned"]:
            plan = next(one for one in events if one["title"] == event["planned"])
            same = [key for key in ("timestamp", "participants", "location", "mode", "deaths") if event[key] != plan[key]]
            expect(not same and plan["outline_node"] == node["name"], f"{where}: {event['title']} differs from the plan in {same}")
    for fact in settle["facts"]:
        expect(fact["subject"] in every and (fact["object"] is None or fact["object"] in every), f"{where}: names of {fact}")
        expect((fact["object"] is None) != (fact["value"] is None), f"{where}: object or value: {fact}")
        expect(fact["mode"] in MODES and (fact["by"] is None or fact["by"] in people), f"{where}: mode of {fact}")
        expect(fact["mode"] not in {"said", "believed", "lied"} or fact["by"], f"{where}: nobody says {fact}")
        for knower in fact["known_by"]:
            expect(shape(knower, "knower", where)["who"] in people, f"{where}: {knower}")
    counts = len(settle["facts"]), len(settle["events"])
    expect(5 <= counts[0] <= 10 and 1 <= counts[1] <= 4, f"{where}: facts and events {counts}")


for number, node in zip(CHAPTERS, nodes):
    draft = text(f"chapters/{number}.md")
    brief = shape(load(f"chapters/{number}.plan.json"), "brief", number)
    expect(len(brief["scenes"]) == 1, f"{number}: one scene")
    for scene in brief["scenes"]:
        shape(scene, "scene", number)
        expect(3 <= len(scene["beats"]) <= 5, f"{number}: beats")
        expect(set(scene["participants"]) == set(node["participants"]) and scene["location"] in places, f"{number}: names of the scene")
    reviews = [load(f"chapters/{number}.review.json")]
    if number == CORRECTED:
        reviews.append(load(f"chapters/{number}.review.2.json"))
        issues = reviews[0]["issues"]
        for issue in issues:
            shape(issue, "finding", number)
            expect(draft.count(issue["quote"]) == 1, f"{number}: not in the draft: {issue['quote']}")
        fixes = load(f"chapters/{number}.fixes.json")
        expect({fix["issue"] for fix in fixes["fixes"]} == set(range(1, len(issues) + 1)), f"{number}: a fix for each issue")
        draft = mended(draft, fixes, f"{number}.fixes")
        expect(reviews[0]["score"] == 62 and issues, f"{number}: first score")
    for review in reviews:
        shape(review, "review", number)
        expect([shape(v, "verdict", number)["dimension"] for v in review["verdicts"]] == DIMENSIONS, f"{number}: dimensions")
    expect(reviews[-1]["score"] >= 80 and not reviews[-1]["issues"], f"{number}: last review")
    expect(all(v["verdict"] == "holds" for v in reviews[-1]["verdicts"]), f"{number}: last verdicts")
    final[number] = draft

    count = len(draft.split())
    expect(WORDS[0] <= count <= WORDS[1], f"{number}: {count} words")
    expect(not re.search(r"[\"'*#]|  |\n{3}", draft) and draft.endswith("\n"), f"{number}: straight quotes, markup or spaces")
    for paragraph in draft.strip().split("\n\n"):
        expect("\n" not in paragraph, f"{number}: broken paragraph: {paragraph[:40]}")
        expect(paragraph.count("“") == paragraph.count("”"), f"{number}: unpaired quotes: {paragraph[:40]}")
    for person in node["participants"]:
        card = next(one for one in characters if one["name"] == person)
        expect(any(name in draft for name in [person, *card["alias"]]), f"{number}: {person} does not appear")

    settle = load(f"chapters/{number}.settle.json")
    expect(not names(settle["entities"]) & every, f"{number}: has a card already")
    check_settle(settle, draft, f"{number}.settle", node)
    told |= {event["planned"] for event in settle["events"]}
    for promise in settle["promises"]:
        state = open_promises.get(promise["name"])
        right = state is None if promise["action"] == "planted" else state == "open"
        expect(right, f"{number}: {promise['name']} is {promise['action']} while {state}")
        expect(promise["due"] is None or promise["due"] in orders, f"{number}: due of {promise['name']}")
        open_promises[promise["name"]] = "paid" if promise["action"] == "paid" else "open"
    settled = {action: {p["name"] for p in settle["promises"] if p["action"] == action} for action in ("planted", "paid")}
    expect(settled["planted"] == set(node["plants"]) and settled["paid"] == set(node["pays"]), f"{number}: promises differ from the outline: {settled}")

expect(set(open_promises.values()) == {"paid"}, f"promises left open: {open_promises}")
narrated = {event["title"] for event in events if event["mode"] == "narrated"}
expect(narrated <= told, f"planned and never told: {narrated - told}")

# The edit.
good, edited = final[EDITED], text(f"edit/{EDITED}.md")
changed = [(a, b) for a, b in zip(good.split("\n\n"), edited.split("\n\n"), strict=True) if a != b]
expect(len(changed) == 1, f"edit: {len(changed)} paragraphs changed")
edit_settle = load(f"edit/{EDITED}.settle.json")
check_settle(edit_settle, edited, "edit", nodes[int(EDITED) - 1])
repaired = mended(edited, load(f"edit/{EDITED}.fixes.json"), "edit.fixes")
ages = [fact["value"] for fact in load("chapters/02.settle.json")["facts"] + edit_settle["facts"]
        if (fact["subject"], fact["predicate"]) == ("Edith Pallow", "age")]
expect(ages == [26, 31], f"edit: ages {ages}")
expect("thirty-one" in edited and "thirty-one, and not" not in repaired, "edit: the age is mended")


def story(with_edit):
    """The settled book as one story."""
    book = {"premise": requirement, "language": "en", "worldview": json.loads(json.dumps(world)), "outline_nodes": nodes,
            "characters": list(characters), "character_relations": relations, "timeline_events": list(events),
            "plot_nodes": plot_nodes, "style": style, "documents": [], "facts": [], "promises": []}
    promises = {}
    for order, (number, node) in enumerate(zip(CHAPTERS, nodes), 1):
        is_edit = with_edit and number == EDITED
        settle = edit_settle if is_edit else load(f"chapters/{number}.settle.json")
        book["documents"].append({"id": f"d-{order}", "title": node["name"], "order": order, "outline_node": node["name"],
                                  "version": 1, "text": edited if is_edit else final[number]})
        for entity in settle["entities"]:
            card = {key: entity[key] for key in ("name", "alias", "description")}
            if entity["kind"] == "location":
                book["worldview"]["locations"].append(card)
            else:
                book["characters"].append({"name": card["name"], "alias": card["alias"], "role_type": "minor", "background": card["description"]})
        for event in settle["events"]:
            if event["planned"] is None:
                keep = {key: event[key] for key in ("title", "description", "timestamp", "participants", "deaths", "location", "mode", "importance")}
                book["timeline_events"].append(keep | {"outline_node": node["name"]})
        for fact in settle["facts"]:
            keep = {key: fact[key] for key in ("subject", "predicate", "object", "value", "unit", "from", "until", "mode", "by")}
            keep["id"] = f"f-{len(book['facts']) + 1}"
            keep["known_by"] = [{"who": one["who"], "how": one["how"], "since": ""} for one in fact["known_by"]]
            keep["source"] = {"document": f"d-{order}", "version": 1, "quote": fact["quote"]}
            book["facts"].append(keep)
        for promise in settle["promises"]:
            one = promises.setdefault(promise["name"], {"name": promise["name"], "description": promise["description"], "planted": [],
                                                        "advanced": [], "paid": [], "due": promise["due"], "importance": promise["importance"]})
            one[promise["action"]].append(node["name"])
    book["promises"] = list(promises.values())
    return book


for flag, with_edit in (("--story", False), ("--edit", True)):
    if flag in sys.argv:
        Path(sys.argv[sys.argv.index(flag) + 1]).write_text(json.dumps(story(with_edit), ensure_ascii=False, indent=1), encoding="utf-8")

for problem in problems:
    print("PROBLEM", problem)
words = {number: len(prose.split()) for number, prose in final.items()}
print(f"{len(problems)} problems; {len(CHAPTERS)} chapters, {sum(words.values())} words {words}; "
      f"{len(open_promises)} promises paid; {len(told - {None})} of {len(events)} planned events told")
sys.exit(bool(problems))

import { describe, expect, it } from "vitest";
import type { Finding } from "../api/schema";
import { type Fact, type Relation, type Story, wholeStory } from "../api/story";
import { anchored } from "./anchors";
import { bonds, holdsAt } from "./bonds";
import { bookOf } from "./book";
import { conflictsOf, disputeOf, waiverOf } from "./conflicts";
import { factsAbout } from "./facts";
import { changesOf, type FieldSpec } from "./fields";
import { familyOf, groups } from "./findings";
import { knowledgeAt } from "./knowledge";
import { layout } from "./layout";
import { ledger } from "./ledger";
import { chaptersWith, firstOf, mentions } from "./mentions";
import { bars, initials } from "./parts";
import { tiesOf } from "./RelationPanel";
import { marked } from "./SearchHit";
import { resultOf, ToolFailure } from "./tools";
import { clauseOf, travelOf } from "./world";

const fact = (id: string, rest: Partial<Fact>) => ({
  id,
  subject: "林青",
  predicate: "持有",
  object: null,
  value: "信",
  mode: "narrated",
  known_by: [],
  from: "",
  source: null,
  ...rest,
});
const told = (document: string) => ({ document, version: 1, start: 0, end: 1, quote: "……" });
const knower = (who: string, since = "") => ({ who, since, how: "", told_by: null });

const promise = (rest: object) => ({ planted: [], advanced: [], paid: [], due: null, ...rest });

const story = wholeStory({
  language: "zh",
  plot_nodes: [],
  character_relations: [],
  outline_nodes: [
    { id: "a1", kind: "act", name: "上卷", order: 1 },
    { id: "o1", kind: "chapter", name: "第一章 来信", order: 2, parent: "上卷" },
    { id: "s1", kind: "scene", name: "门前", order: 3, parent: "o1" },
    { id: "o2", kind: "chapter", name: "第二章 海图", order: 4, parent: "a1" },
    { id: "o3", kind: "chapter", name: "第三章 灯下", order: 5 },
  ],
  documents: [
    { id: "d1", title: "第一章 来信", order: 1, outline_node: "o1", text: "林青拆开信。林青青在旁边。" },
    { id: "d2", title: "第二章 海图", order: 2, outline_node: "o2", text: "李四来了，阿青没有抬头。" },
  ],
  characters: [
    { id: "c1", name: "林青", alias: ["阿青"] },
    { id: "c2", name: "林青青" },
    { id: "c3", name: "李四" },
  ],
  timeline_events: [
    { id: "e1", title: "到站", timestamp: "六月二日傍晚", outline_node: "第一章 来信", mode: "narrated" },
  ],
  promises: [
    promise({ id: "p1", name: "信", planted: ["d1"], due: "o3", importance: 3 }),
    promise({ id: "p2", name: "海图", planted: ["d1"], due: "o1", importance: 5 }),
    promise({ id: "p3", name: "灯", planted: ["d1"], paid: ["o2"], importance: 9 }),
    promise({ id: "p4", name: "钥匙", planted: ["d1"], paid: ["o3"], importance: 1 }),
    promise({ id: "p5", name: "铜锁", due: "o1", paid: ["o2"], importance: 1 }),
  ],
  facts: [
    fact("f1", { source: told("d1"), known_by: [knower("阿青")] }),
    fact("f2", { source: told("d2"), known_by: [knower("c1", "第三章 灯下")] }),
    fact("f3", { source: told("d2"), mode: "lied", known_by: [knower("林青", "六月二日傍晚")] }),
    fact("f4", { source: told("d2"), mode: "said" }),
  ],
} as unknown as Parameters<typeof wholeStory>[0]) as Story;
const book = bookOf(story);

describe("the book", () => {
  it("numbers chapters in reading order", () => {
    expect(book.chapters.map(({ number, id }) => [number, id])).toEqual([
      [1, "d1"],
      [2, "d2"],
      [3, "o3"],
    ]);
    expect(book.written).toBe(2);
  });

  it("finds the chapter that a word stands for", () => {
    const words = [
      "o2",
      "d2",
      "第二章 海图",
      "第二章",
      "门前",
      "上卷",
      "到站",
      "六月二日",
      "chapter:3",
      "无",
    ];
    expect(words.map((word) => book.chapterOf(word))).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 3, undefined]);
  });

  it("finds pieces by id, name and alias", () => {
    expect(["c1", "林青", "阿青"].map((word) => book.named(word)?.id)).toEqual(["c1", "c1", "c1"]);
  });

  it("reads anchors", () => {
    expect(anchored(book, "facts/f2/source")).toMatchObject({ kind: "fact", id: "f2", chapter: 2 });
    expect(anchored(book, "worldview/items/i-1/holder")).toMatchObject({ kind: "item", id: "i-1" });
    expect(anchored(book, "worldview/summary")).toMatchObject({ kind: "worldview" });
    expect(anchored(book, "elsewhere")).toBeUndefined();
  });
});

describe("mentions", () => {
  it("counts the longest name only", () => {
    const counts = mentions(
      book.chapters.map(({ document }) => document?.text ?? ""),
      story.characters.map(({ id, name, alias }) => ({ id, names: [name, ...(alias ?? [])] })),
    );
    expect(counts.get("c1")).toEqual([1, 1, 0]);
    expect(counts.get("c2")).toEqual([1, 0, 0]);
    expect(firstOf(counts.get("c3"))).toBe(2);
    expect(chaptersWith(counts.get("c1"))).toBe(2);
  });

  it("counts Latin names as whole words", () => {
    const counts = mentions(
      ["Ann met Anna; Ann’s hat. (Mr. A+) in the bell-house"],
      [
        { id: "ann", names: ["Ann"] },
        { id: "a", names: ["A+"] },
        { id: "house", names: ["bell-house"] },
      ],
    );
    expect(counts.get("ann")).toEqual([2]);
    expect(counts.get("a")).toEqual([1]);
    expect(counts.get("house")).toEqual([1]);
  });
});

describe("knowledge", () => {
  const ids = (known: { fact: Fact }[]) => known.map(({ fact }) => fact.id);

  it("says what somebody knows by then, and what only the reader knows", () => {
    const second = knowledgeAt(book, "c1", 2);
    expect([ids(second.knows), ids(second.believes), ids(second.hidden)]).toEqual([["f1"], ["f3"], ["f2"]]);
    expect(ids(knowledgeAt(book, "c1", 3).knows)).toEqual(["f2", "f1"]);
    expect(ids(knowledgeAt(book, "c3", 1).hidden)).toEqual(["f1"]);
  });

  it("finds the facts on either side of which a name stands", () => {
    expect(factsAbout(book, ["林青"])).toHaveLength(4);
    expect(factsAbout(book, ["李四"])).toHaveLength(0);
  });
});

describe("the ledger", () => {
  it("puts first what waits", () => {
    expect(ledger(book).map(({ promise, standing }) => [promise.id, standing])).toEqual([
      ["p2", "overdue"],
      ["p1", "open"],
      ["p4", "open"],
      ["p5", "late"],
      ["p3", "paid"],
    ]);
  });
});

describe("relations", () => {
  const relation = (id: string, from: string, type: string, to: string, rest: Partial<Relation> = {}) =>
    ({ id, from, to, type, strength: 0.5, since: null, until: null, description: "", ...rest }) as Relation;
  const parent = relation("r1", "林青", "parent_of", "李四");
  const child = relation("r2", "李四", "child_of", "阿青", { strength: 0.9 });
  const friends = relation("r3", "李四", "friend", "林青青", { since: "o2", until: "o3" });

  it("draws both sides of the same thing as one line", () => {
    const lines = bonds(book, [parent, child, friends, relation("r4", "林青", "enemy", "某人")]);
    expect(lines.map(({ from, kind, to, strength }) => [from, kind, to, strength])).toEqual([
      ["c1", "parent_of", "c3", 0.9],
      ["c2", "friend", "c3", 0.5],
    ]);
  });

  it("draws the author's own kinds, from either side as one line", () => {
    const kinds = [
      { name: "供奉", inverse: "受供于", symmetric: false },
      { name: "道侣", inverse: "", symmetric: true },
    ];
    const own = bookOf({ ...story, worldview: { relation_kinds: kinds } } as unknown as Story);
    const lines = bonds(own, [
      relation("r1", "林青", "knows", "李四", { own_kind: "供奉" }),
      relation("r2", "李四", "knows", "林青", { own_kind: "受供于" }),
      relation("r3", "李四", "lover", "林青", { own_kind: "道侣" }),
      relation("r4", "林青", "knows", "李四", { own_kind: "同年" }),
    ]);
    expect(
      lines.map(({ from, own, to, isDirected, relations }) => [from, own, to, isDirected, relations.length]),
    ).toEqual([
      ["c1", "供奉", "c3", true, 2],
      ["c1", "道侣", "c3", false, 1],
      ["c1", "同年", "c3", true, 1],
    ]);
  });

  it("holds from its beginning until before its end", () => {
    expect([1, 2, 3].map((chapter) => holdsAt(book, friends, chapter))).toEqual([false, true, false]);
  });

  it("stands in the same place every time", () => {
    const ties = [{ from: "a", to: "b", strength: 1 }];
    const once = layout(["a", "b", "c"], ties);
    expect([...layout(["a", "b", "c"], ties)]).toEqual([...once]);
    const [a, b] = [once.get("a"), once.get("b")];
    expect(Math.hypot((a?.x ?? 0) - (b?.x ?? 0), (a?.y ?? 0) - (b?.y ?? 0))).toBeGreaterThan(90);
  });

  it("reads the ties of somebody from the graph, each once", () => {
    const says = { anchor: "facts/f1/source", quote: "……" };
    const edge = { from: "林青", from_id: "c1", relation: "holds", to: "信", to_id: "i1", says };
    expect(tiesOf({ edges: [edge, edge, { ...edge, relation: "visited" }, "x"] }, "c1")).toHaveLength(1);
    expect(tiesOf(null, "c1")).toEqual([]);
  });
});

describe("forms", () => {
  const fields: FieldSpec[] = [
    { name: "name", label: "", kind: "line" },
    { name: "age", label: "", kind: "number" },
    { name: "traits", label: "", kind: "words" },
    { name: "holder", label: "", kind: "choice", isOptional: true },
  ];

  it("send only what was changed, as what it means", () => {
    const piece = { name: "林青", age: 20, traits: ["静"], holder: "李四" };
    expect(changesOf(fields, piece, { name: "林青", age: "", traits: "静， 倔、", holder: "" })).toEqual({
      age: null,
      traits: ["静", "倔"],
      holder: null,
    });
  });
});

describe("tools", () => {
  it("never take a failure for success", () => {
    expect(resultOf({ ok: true, result: { version: 2 } })).toEqual({ version: 2 });
    expect(() => resultOf({ ok: false, error: { code: "not_found", message: "no" } })).toThrow(ToolFailure);
    expect(() => resultOf(null)).toThrow(ToolFailure);
  });
});

describe("findings", () => {
  const finding = (issue: object) => ({ issue, instructions: [] }) as unknown as Finding;

  it("belong to families and are in order", () => {
    expect(["QY311", "QS041", "XX1", null].map(familyOf)).toEqual(["time", "prose", "other", "other"]);
    const found = [finding({ severity: "low" }), finding({ severity: "high" })];
    expect(groups(found).map(([severity]) => severity)).toEqual(["high", "low"]);
  });

  it("say why the writer holds them to be wrong, however small they are", () => {
    expect(disputeOf(finding({ severity: "low", disputed: "上一章给了他" }))).toBe("上一章给了他");
    expect(disputeOf(finding({ severity: "high" }))).toBeUndefined();
  });

  it("touch events unless they are waived", () => {
    const evidence = [{ anchor: "timeline_events/e1/participants", quote: "" }];
    const waived = finding({ evidence, waived: { reason: "梦", owner: "我" } });
    expect(waiverOf(waived)).toEqual({ reason: "梦", owner: "我" });
    expect(
      conflictsOf(book, [finding({ evidence, affected_entities: ["到站"] }), waived]).get("e1"),
    ).toHaveLength(1);
  });
});

describe("what the data holds beside its shape", () => {
  it("is read with care", () => {
    expect(travelOf({ travel: [{ to: "l-2", duration: "2天" }, 3] })).toEqual([
      { to: "l-2", duration: "2天", by: "" },
    ]);
    expect(
      clauseOf({ forbids: { who: "", predicate: "is_at", place: "塔", unless: ["守夜人"] } }, "forbids"),
    ).toEqual({
      who: "",
      predicate: "is_at",
      object: "",
      place: "塔",
      unless: ["守夜人"],
    });
    expect(clauseOf({}, "demands")).toBeUndefined();
  });
});

describe("small parts", () => {
  it("stand for names", () => {
    expect(["陆尺素", "Edith Pallow", ""].map(initials)).toEqual(["素", "EP", ""]);
  });

  it("draw bars and mark words", () => {
    expect(bars([0, 2])).toBe("M1.12 100V0H1.88V100Z");
    expect(marked("鱼梆响了", ["鱼梆"]).map(({ words, isHit }) => [words, isHit])).toEqual([
      ["鱼梆", true],
      ["响了", false],
    ]);
  });
});

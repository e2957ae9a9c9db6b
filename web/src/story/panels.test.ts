import { describe, expect, it } from "vitest";
import type { CharacterPanel, Finding } from "../api/schema";
import { type Story, wholeStory } from "../api/story";
import { bookOf, laddersOf } from "./book";
import { changesOf, type FieldSpec, typedOf } from "./fields";
import { findingsAbout, sections, shownValue, standingsOn } from "./panels";

const ladder = { id: "ladder-1", name: "境界", alias: ["修为"], steps: [] };
const fact = (id: string, subject: string, predicate: string) => ({ id, subject, predicate, known_by: [] });

const story = wholeStory({
  language: "zh",
  plot_nodes: [],
  character_relations: [],
  outline_nodes: [],
  timeline_events: [],
  characters: [
    { id: "c1", name: "林青", alias: ["阿青"] },
    { id: "c2", name: "白露", alias: [] },
  ],
  facts: [fact("f1", "林青", "修为"), fact("f2", "阿青", "灵石")],
  worldview: { ladders: [ladder] },
} as unknown as Parameters<typeof wholeStory>[0]) as Story;
const book = bookOf(story);

const row = (kind: string, key: string, value: unknown, mode = "narrated") => ({
  kind,
  key,
  value,
  mode,
  unit: "",
  says: [],
});
const panels = [
  { who: "白露", rows: [row("ladder", "境界", "炼气", "disguised"), row("skill", "剑法", 3)] },
  {
    who: "林青",
    rows: [row("resource", "灵石", 20), row("ladder", "境界", "筑基"), row("ladder", "官品", "九品")],
  },
] as unknown as CharacterPanel[];

describe("ladders and panels", () => {
  it("say who stands on a ladder, those first who hide nothing", () => {
    const [own] = laddersOf(story);
    const standings = own ? standingsOn(own, panels) : [];
    expect(standings.map(({ who, row }) => [who, row.value])).toEqual([
      ["林青", "筑基"],
      ["白露", "炼气"],
    ]);
  });

  it("are a part of a book that may be missing", () => {
    expect(laddersOf({ ...story, worldview: null } as Story)).toEqual([]);
    expect(book.named("修为")).toMatchObject({ kind: "ladder", id: "ladder-1" });
  });

  it("show rows by their kind, in one order", () => {
    const [, second] = panels;
    const found = second ? sections(second) : [];
    expect(found.map(([kind, rows]) => [kind, rows.length])).toEqual([
      ["ladder", 2],
      ["resource", 1],
    ]);
  });

  it("set a word apart from its number", () => {
    expect(shownValue({ value: 3, unit: "级" })).toBe("3级");
    expect(shownValue({ value: 3, unit: "gold" })).toBe("3 gold");
    expect(shownValue({ value: "+5", unit: "" })).toBe("+5");
  });

  it("keep each finding with the ladder and the people of its facts", () => {
    const finding = (id: string, anchor: string, affected: string[] = []) =>
      ({
        issue: { id, evidence: [{ anchor, quote: "" }], affected_entities: affected },
      }) as unknown as Finding;
    const about = findingsAbout(book, [
      finding("a", "facts/f1/value"),
      finding("b", "facts/f2/value", ["林青"]),
      finding("c", "documents/d1/text", ["第一章"]),
    ]);
    const ids = (found: Finding[] | undefined) => found?.map(({ issue }) => issue.id);
    expect([...about.ladders].map(([key, found]) => [key, ids(found)])).toEqual([["ladder-1", ["a"]]]);
    expect([...about.people].map(([key, found]) => [key, ids(found)])).toEqual([["林青", ["a", "b"]]]);
    expect(ids(about.others)).toEqual(["c"]);
  });
});

describe("rows in a form", () => {
  const fields: FieldSpec[] = [
    { name: "may_skip", label: "", kind: "check" },
    { name: "upset_limit", label: "", kind: "number", isCount: true },
    {
      name: "steps",
      label: "",
      kind: "rows",
      columns: [
        { name: "name", label: "", kind: "line" },
        { name: "alias", label: "", kind: "words" },
        {
          name: "costs",
          label: "",
          kind: "rows",
          columns: [
            { name: "what", label: "", kind: "line" },
            { name: "amount", label: "", kind: "number", isCount: true },
          ],
        },
      ],
    },
  ];
  const piece = {
    may_skip: false,
    upset_limit: 2,
    steps: [{ name: "炼气", alias: ["练气"], costs: [{ what: "灵石", amount: 10 }] }],
  };

  it("send nothing if nothing was changed", () => {
    expect(changesOf(fields, piece, typedOf(fields, piece))).toEqual({});
  });

  it("send the whole list in its order, without empty rows", () => {
    const typed = typedOf(fields, piece);
    const steps = [
      { name: "筑基", alias: "", costs: [{ what: "筑基丹", amount: "" }] },
      { name: " ", alias: "x", costs: [] },
    ];
    expect(changesOf(fields, piece, { ...typed, may_skip: "true", upset_limit: "", steps })).toEqual({
      may_skip: true,
      upset_limit: 0,
      steps: [{ name: "筑基", alias: [], costs: [{ what: "筑基丹", amount: 0 }] }],
    });
  });
});

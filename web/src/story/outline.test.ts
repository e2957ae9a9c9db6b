import { describe, expect, it } from "vitest";
import type { OutlineNode, Story } from "../api/story";
import { branches } from "./branches";
import { linesOf } from "./Corkboard";
import { dropped, misplaced, outlineRows, stepped } from "./outline";
import { partAt } from "./useDrag";

const node = (id: string, kind: string, parent: string | null, order: number) =>
  ({ id, kind, parent, order, name: `n-${id}`, words: 100 }) as unknown as OutlineNode;
const nodes = [
  node("A", "act", null, 1),
  node("1", "chapter", "A", 2),
  node("s", "scene", "1", 3),
  node("2", "chapter", "n-A", 4),
  node("B", "act", null, 5),
  node("3", "chapter", "B", 6),
  node("4", "chapter", null, 7),
];
const story = {
  outline_nodes: nodes,
  documents: [{ id: "d3", order: 1, outline_node: "3", title: "" }],
} as unknown as Story;
const order = (found: OutlineNode[] | undefined) =>
  found?.map(({ id, parent }) => `${id}${parent ? `<${parent}` : ""}`).join(" ");

describe("the outline", () => {
  it("is a tree, by ids or names of parents", () => {
    expect(branches(nodes).map(({ node, below }) => [node.id, below.length])).toEqual([
      ["A", 2],
      ["B", 1],
      ["4", 0],
    ]);
  });

  it("survives nodes that are above each other", () => {
    expect(branches([node("x", "act", "y", 1), node("y", "act", "x", 2)])).toHaveLength(1);
  });

  it("has rows with numbers and lengths, without what is shut", () => {
    const rows = outlineRows(story, new Set(["A"]), () => 80);
    expect(rows.map(({ node, number, written, isOpen }) => [node.id, number, written, isOpen])).toEqual([
      ["A", undefined, undefined, false],
      ["B", undefined, undefined, true],
      ["3", 3, 80, undefined],
      ["4", 4, undefined, undefined],
    ]);
  });

  it("moves step by step, with what is below", () => {
    expect(order(stepped(nodes, "1", "down"))).toBe("A 2<n-A 1<A s<1 B 3<B 4");
    expect(order(stepped(nodes, "2", "down"))).toBe("A 1<A s<1 B 2<B 3<B 4");
    expect(order(stepped(nodes, "3", "up"))).toBe("A 1<A s<1 2<n-A 3<A B 4");
    expect(order(stepped(nodes, "4", "in"))).toBe("A 1<A s<1 2<n-A B 3<B 4<B");
    expect(order(stepped(nodes, "1", "out"))).toBe("A 2<n-A 1 s<1 B 3<B 4");
    expect(order(stepped(nodes, "A", "down"))).toBe("B 3<B A 1<A s<1 2<n-A 4");
    expect(stepped(nodes, "1", "up")).toBeUndefined();
    expect(stepped(nodes, "s", "out")).toBeUndefined();
  });

  it("numbers everything anew", () => {
    expect(stepped(nodes, "A", "down")?.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("takes what is dropped where it may stand", () => {
    expect(order(dropped(nodes, "4", "1", "before"))).toBe("A 4<A 1<A s<1 2<n-A B 3<B");
    expect(order(dropped(nodes, "1", "2", "after"))).toBe("A 2<n-A 1<A s<1 B 3<B 4");
    expect(order(dropped(nodes, "1", "B", "into"))).toBe("A 2<n-A B 3<B 1<B s<1 4");
    expect(dropped(nodes, "A", "1", "into")).toBeUndefined();
    expect(dropped(nodes, "1", "s", "after")).toBeUndefined();
  });

  it("knows which prose has to follow its chapter", () => {
    const documents = [
      { id: "d1", order: 1, outline_node: "1", title: "" },
      { id: "d2", order: 2, outline_node: "2", title: "" },
      { id: "d0", order: 0, outline_node: null, title: "" },
      { id: "d7", order: 1.5, outline_node: null, title: "" },
    ];
    expect(misplaced({ outline_nodes: nodes, documents } as unknown as Story)).toEqual([]);
    const after = stepped(nodes, "1", "down") ?? [];
    expect(misplaced({ outline_nodes: after, documents } as unknown as Story)).toEqual([
      { document: "d2", order: 1 },
      { document: "d1", order: 2 },
    ]);
  });
});

describe("cards", () => {
  it("stand in lines of so many, parts apart", () => {
    const rows = outlineRows(story, new Set(), () => undefined);
    expect(linesOf(rows, 1).map(({ part, cards }) => [part?.node.id, cards.length])).toEqual([
      ["A", 0],
      [undefined, 1],
      [undefined, 1],
      ["B", 0],
      [undefined, 1],
      [undefined, 1],
    ]);
  });

  it("are dropped before, after or into", () => {
    expect([partAt(0.1, true), partAt(0.5, true), partAt(0.5, false), partAt(0.9, true)]).toEqual([
      "before",
      "into",
      "after",
      "after",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import type { Story } from "../api/story";
import { rowsOf } from "./tree";

const node = (id: string, kind: string, parent: string | null, order: number) => ({
  id,
  kind,
  parent,
  order,
  name: id,
});
const story = {
  outline_nodes: [
    node("a2", "act", null, 2),
    node("a1", "act", null, 1),
    node("c2", "chapter", "a1", 2),
    node("c1", "chapter", "a1", 1),
    node("s1", "scene", "c1", 1),
    node("c3", "chapter", "a2", 1),
  ],
  documents: [
    { id: "d1", title: "旧信", order: 1, outline_node: "c1" },
    { id: "d9", title: "番外", order: 9, outline_node: null },
  ],
} as unknown as Story;

describe("the tree of a project", () => {
  it("has parts and chapters in reading order, numbered through the book", () => {
    const rows = rowsOf(story, new Set()).map((row) => [
      row.level,
      row.id,
      row.number,
      row.title,
      row.document,
    ]);
    expect(rows).toEqual([
      [1, "a1", undefined, "a1", undefined],
      [2, "c1", 1, "旧信", "d1"],
      [2, "c2", 2, "c2", undefined],
      [1, "a2", undefined, "a2", undefined],
      [2, "c3", 3, "c3", undefined],
      [1, "d9", 9, "番外", "d9"],
    ]);
  });

  it("knows parents and chapters by their names as well", () => {
    const named = {
      outline_nodes: [
        { ...node("a1", "act", null, 1), name: "\u7b2c\u4e00\u5377" },
        node("c1", "chapter", "\u7b2c\u4e00\u5377", 1),
      ],
      documents: [{ id: "d1", title: "x", order: 1, outline_node: "c1" }],
    } as unknown as Story;
    expect(rowsOf(named, new Set()).map((row) => [row.level, row.id, row.document])).toEqual([
      [1, "a1", undefined],
      [2, "c1", "d1"],
    ]);
  });

  it("leaves out what is below a part that is shut, and numbers the rest as before", () => {
    const rows = rowsOf(story, new Set(["a1"]));
    expect(rows.map((row) => row.id)).toEqual(["a1", "a2", "c3", "d9"]);
    expect(rows[2]?.number).toBe(3);
  });
});

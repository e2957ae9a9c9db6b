import { expect, it } from "vitest";
import type { Story } from "../api/story";
import { chaptersOf, firstUnwritten, placeOf } from "./chapters";

const node = (id: string, kind: string, name: string, order: number, parent: string | null = null) => ({
  id,
  kind,
  name,
  order,
  parent,
});
const story = {
  outline_nodes: [
    node("o-1", "act", "立誓", 1),
    node("o-2", "chapter", "第一章", 2, "立誓"),
    node("o-3", "chapter", "第二章", 3, "o-1"),
    node("o-4", "chapter", "第三章", 4, "没有这一卷"),
  ],
  documents: [
    { id: "d-1", title: "第一章 归人", order: 1, outline_node: "第一章" },
    { id: "d-9", title: "番外", order: 9, outline_node: null },
  ],
} as unknown as Story;

it("takes parts by name or id, and leaves no chapter out", () => {
  const chapters = chaptersOf(story);
  expect(chapters.map(({ id }) => id)).toEqual(["d-1", "o-3", "o-4", "d-9"]);
  expect(chapters[0]).toMatchObject({ number: 1, title: "第一章 归人" });
});

it("finds a chapter by its prose or its place in the outline", () => {
  const chapters = chaptersOf(story);
  expect([placeOf(chapters, "d-1"), placeOf(chapters, "o-2"), placeOf(chapters, "o-3")]).toEqual([0, 0, 1]);
  expect(placeOf(chapters, "d-5")).toBe(-1);
});

it("finds the first chapter of the outline without prose, whatever stands before it", () => {
  expect(firstUnwritten(story)?.id).toBe("o-3");
  expect(firstUnwritten({ ...story, outline_nodes: [] })).toBeUndefined();
});

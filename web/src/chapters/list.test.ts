import { expect, it } from "vitest";
import type { ChapterRow } from "../api/schema";
import type { Story } from "../api/story";
import { addressOf, chaptersOf, firstUnwritten, nameOf, placeOf } from "./list";

const rows: ChapterRow[] = [
  { place: 1, number: null, title: "楔子", node: null, documents: ["d-7"], volume: null },
  { place: 2, number: 1, title: "第一章 归人", node: "o-2", documents: ["d-1", "d-2"], volume: "立誓" },
  { place: 3, number: 2, title: "第二章", node: "o-3", documents: [], volume: "立誓" },
];
const story = {
  outline_nodes: [
    { id: "o-2", kind: "chapter", name: "第一章 归人" },
    { id: "o-3", kind: "chapter", name: "第二章" },
  ],
  documents: [
    { id: "d-1", title: "第一章 归人", order: 2 },
    { id: "d-2", title: "归人（下）", order: 3 },
    { id: "d-7", title: "楔子", order: 1 },
    { id: "d-9", title: "设定", order: 0 },
  ],
} as unknown as Story;

it("takes order, titles and numbers from the server's list", () => {
  expect(chaptersOf(rows, story).map(({ id, number, title, volume }) => [id, number, title, volume])).toEqual(
    [
      ["d-7", undefined, "楔子", undefined],
      ["d-1", 1, "第一章 归人", "立誓"],
      ["d-2", 1, "归人（下）", "立誓"],
      ["o-3", 2, "第二章", "立誓"],
      ["d-9", undefined, "设定", undefined],
    ],
  );
});

it("edits a chapter by its row, and not a further text of it", () => {
  expect(chaptersOf(rows, story).map(({ row }) => row?.place)).toEqual([1, 2, undefined, 3, undefined]);
});

it("finds a chapter by its text or by its outline node", () => {
  const chapters = chaptersOf(rows, story);
  expect(["d-2", "o-2", "o-3", "d-5"].map((name) => placeOf(chapters, name))).toEqual([2, 1, 3, -1]);
});

it("names a chapter by its node, and opens it at its first text", () => {
  expect(rows.map(nameOf)).toEqual(["d-7", "o-2", "o-3"]);
  expect(rows.map(addressOf)).toEqual(["d-7", "d-1", "o-3"]);
});

it("finds the first chapter without a text", () => {
  expect(firstUnwritten(rows)).toBe("o-3");
  expect(firstUnwritten(rows.slice(0, 2))).toBeUndefined();
});

import { describe, expect, it } from "vitest";
import type { Chapter } from "../chapters/list";
import { isNumbered, parentOf, rowsOf } from "./tree";

const chapter = (id: string, number: number | undefined, volume?: string, isFurther = false): Chapter => ({
  id,
  title: id,
  number,
  place: undefined,
  node: undefined,
  document: undefined,
  row: isFurther ? undefined : { place: 1, title: id, documents: [id], node: null },
  volume,
});
const chapters = [
  chapter("prologue", undefined),
  chapter("c1", 1, "卷 一"),
  chapter("c1b", 1, "卷 一", true),
  chapter("c2", 2, "卷 一"),
  chapter("c3", 3, "卷二"),
];
const first = "volume-0-卷 一";

describe("the tree of a book", () => {
  it("has volumes with their chapters, numbered as they are given", () => {
    const rows = rowsOf(chapters, new Set());
    expect(rows.map(({ level, kind, title, number }) => [level, kind, title, number])).toEqual([
      [1, "chapter", "prologue", undefined],
      [1, "part", "卷 一", undefined],
      [2, "chapter", "c1", 1],
      [2, "text", "c1b", undefined],
      [2, "chapter", "c2", 2],
      [1, "part", "卷二", undefined],
      [2, "chapter", "c3", 3],
    ]);
    expect(rows.map(({ position, siblings }) => `${position}/${siblings}`)).toEqual([
      "1/3",
      "2/3",
      "1/3",
      "2/3",
      "3/3",
      "3/3",
      "1/1",
    ]);
  });

  it("leaves out what is below a volume that is shut", () => {
    const rows = rowsOf(chapters, new Set([first]));
    expect(rows.map(({ id }) => id)).toEqual(["prologue", first, "volume-0-卷二", "c3"]);
    expect(rows[1]?.isOpen).toBe(false);
  });

  it("keeps neighbouring volumes of one name apart from later ones", () => {
    const again = [...chapters, chapter("c4", 4, "卷 一")];
    expect(rowsOf(again, new Set()).filter(({ kind }) => kind === "part")).toHaveLength(3);
    expect(rowsOf(again, new Set([first])).map(({ id }) => id)).toContain("c4");
  });

  it("finds the volume above a chapter", () => {
    const rows = rowsOf(chapters, new Set());
    expect([0, 2, 4].map((index) => parentOf(rows, index))).toEqual([0, 1, 1]);
  });
});

it("knows a title that says its number", () => {
  expect(["第三章 雨", "Chapter 3", "雨"].map(isNumbered)).toEqual([true, true, false]);
});

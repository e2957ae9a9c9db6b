import { describe, expect, it } from "vitest";
import type { ChapterRow } from "../api/schema";
import { hanNumeral, newTitle, numberedLike } from "./titles";

const titles = { first: "第一章", plain: "新的一章", again: (count: number) => `新的一章（${count}）` };
const row = (title: string, number: number | null, volume: string | null = null): ChapterRow => ({
  place: 0,
  number,
  title,
  node: title,
  documents: [],
  volume,
});
const book = [row("楔子", null), row("第一章 归人", 1), row("第二章", 2), row("尾声", null)];
const made = (rows: readonly ChapterRow[], index: number, taken: string[] = [], volume?: string) =>
  newTitle(rows, index, volume, taken, titles);

describe("the title of a new chapter", () => {
  it("goes on numbering, past chapters without a number", () => {
    expect(made(book, 4)).toBe("第三章");
    expect(made([], 0)).toBe("第一章");
  });

  it("has no number where the next one is taken, or nothing is numbered", () => {
    expect(made(book, 2)).toBe("新的一章");
    expect(made(book, 4, ["第三章", "新的一章"])).toBe("新的一章（2）");
    expect(made([row("雨", 1), row("雪", 2)], 2)).toBe("新的一章");
  });

  it("looks only at its own volume", () => {
    const volumes = [row("第一章 夜", 1, "上"), row("第二章 雨", 2, "上"), row("第一章 灯", 1, "下")];
    expect(made(volumes, 3, [], "下")).toBe("第二章");
    expect(made(volumes, 2, [], "下")).toBe("新的一章");
  });
});

it("writes numbers as the book does", () => {
  const written = ["第十九章 锁", "第007章", "第 3 回 雨", "Chapter 9: Rain", "012 雨", "雨"].map((title) =>
    numberedLike(title, 20),
  );
  expect(written).toEqual(["第二十章", "第020章", "第 20 回", "Chapter 20", "020", undefined]);
});

it("writes Chinese numerals", () => {
  expect([1, 10, 12, 20, 101, 110, 1003, 1010, 10_000].map(hanNumeral)).toEqual([
    "一",
    "十",
    "十二",
    "二十",
    "一百零一",
    "一百一十",
    "一千零三",
    "一千零一十",
    "10000",
  ]);
});

import { expect, test } from "vitest";
import { blocksOf, wordsOf } from "./markdown";

test("a text falls into headings, paragraphs, quotes and lists", () => {
  const text =
    "# 定价\n\n> 先看\n> 再定\n\n第一段\n还是第一段\n\n第二段\n- 一\n  - 一之一\n- 二\n\n1. 甲\n2. 乙\n---";
  expect(blocksOf(text).map((block) => block.kind)).toEqual([
    "heading",
    "quote",
    "paragraph",
    "paragraph",
    "list",
    "list",
    "rule",
  ]);
  const lists = blocksOf(text).filter((block) => block.kind === "list");
  expect(lists[0]?.items.map((item) => item.depth)).toEqual([0, 1, 0]);
  expect(lists[1]).toMatchObject({ isOrdered: true, first: 1 });
});

test("marks of HTML and links stay words", () => {
  expect(blocksOf('<img src="x"> [a](http://b)')).toEqual([
    { kind: "paragraph", lines: [[{ text: '<img src="x"> [a](http://b)', isStrong: false }]] },
  ]);
});

test("what stands between stars is strong, a lone star is a star", () => {
  expect(wordsOf("**goal**: a * b")).toEqual([
    { text: "goal", isStrong: true },
    { text: ": a * b", isStrong: false },
  ]);
});

test("code is kept as it is, to the end if nothing closes it", () => {
  expect(blocksOf("```\n# a\n```\nb").map((block) => block.kind)).toEqual(["code", "paragraph"]);
  expect(blocksOf("```\n# a\n")).toEqual([{ kind: "code", text: "# a\n" }]);
});

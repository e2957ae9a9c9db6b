import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { count, lengthOf } from "./count";

it.each([
  ["“你好，world！”他说。", 10, 5, 14],
  ["——十年前，也是这样的雨夜……", 15, 10, 15],
  ["Hello, 你好!123", 6, 4, 12],
  ["", 0, 0, 0],
  ["𠮷〇", 2, 2, 2],
  ["3.5米，don’t", 4, 3, 10],
])("%s", (text, full, pure, characters) => {
  expect(count(text)).toMatchObject({ full, pure, characters });
});

it("counts English books in words", () => {
  expect(lengthOf(count("“No,” said Edith Pallow. It wasn’t.\n\nThen—"), "en")).toBe(7);
});

const labelled = JSON.parse(readFileSync("../crates/qingyu-story/src/prose/count.cases.json", "utf8")) as {
  text: string;
  zh: number;
  en: number;
}[];

it.each(labelled)("counts $text as the server does", ({ text, zh, en }) => {
  expect([lengthOf(count(text), "zh"), lengthOf(count(text), "en")]).toEqual([zh, en]);
});
